"""The rules of bot/proof/README.md a second time, by trying discs, and small files."""

from __future__ import annotations

import struct
import zlib
from functools import cache

from bot.game import Board


def passed(board: Board) -> Board:
    """Return the position with the other side to move."""
    return Board(board.opponent, board.mask)


def chosen(board: Board, order: bytes) -> int:
    """Return the column that a diagram plays, by rules 15 to 20."""
    legal, theirs = board.legal_columns(), passed(board)
    if wins := [column for column in legal if board.wins_with(column)]:
        return first(board, wins, order)
    if blocks := [column for column in legal if theirs.wins_with(column)]:
        return first(board, blocks, order)
    safe = [column for column in legal if not board.play(column).wins_with(column)] or list(legal)
    doubles = [column for column in safe if is_double(board.play(column))]
    patient = [column for column in safe if not theirs.play(column).wins_with(column)]
    return first(board, doubles or patient or safe, order)


def first(board: Board, columns: list[int], order: bytes) -> int:
    """Return the column whose lowest empty cell comes first in the order."""
    return min(columns, key=lambda column: order.index(column * 6 + (board.mask >> column * 7 & 63).bit_count()))


def is_double(after: Board) -> bool:
    """Return whether the side that has just moved has two fours at once, or one above the other."""
    wins = [column for column in after.legal_columns() if passed(after).wins_with(column)]
    return len(wins) > 1 or any(after.play(column).wins_with(column) for column in wins)


@cache
def holds(board: Board, order: bytes, must_win: bool) -> bool:
    """Return whether a diagram keeps its promise against every reply, by rules 12 and 13."""
    after = board.play(chosen(board, order))
    if after.is_over:
        return after.has_winner or not must_win
    replies = [after.play(column) for column in after.legal_columns()]
    return not any(reply.has_winner for reply in replies) and all(
        not must_win if reply.is_full else holds(reply, order, must_win) for reply in replies
    )


def board_of(position: tuple[int, int]) -> Board:
    """Return the board with these discs, a byte for each column, of the side to move and of its opponent."""
    ours, theirs = (sum((discs >> 8 * column & 63) << 7 * column for column in range(7)) for discs in position)
    return Board(ours, ours | theirs)


def file_of(diagrams: int, *parts: bytes) -> bytes:
    """Return a proof file that gives this number of ``diagrams``; they and the claims are the ``parts``."""
    return b"C4PROOF1" + zlib.compress(diagrams.to_bytes(2, "little") + b"".join(parts))


def claim_of(must_win: int, openings: int, *entries: int) -> bytes:
    """Return a claim as it stands in a file; ``openings`` is its byte."""
    return struct.pack(f"<BBI{len(entries)}H", must_win, openings, len(entries), *entries)
