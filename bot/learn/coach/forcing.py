"""Forced sequences: every move threatens four at once and leaves the opponent one answer, until two threats meet."""

from __future__ import annotations

from bot.game import Board
from bot.game.board import STRIDE, bits, completing_cells, playable_cells

MOST_THREATS = 8
"""Longest sequence that is searched for, in threats before the four."""
_MOST_NODES = 20_000


def forced_win(board: Board, most: int = MOST_THREATS) -> tuple[int, ...] | None:
    """Return the shortest sequence with which the side to move makes four by threats alone, or None.

    The columns of both sides, the last of which makes four. After each of the other moves of the side to move, the
    opponent must take one cell or lose at once; where it must take two, it takes the left one.
    """
    if board.is_over:
        return None
    return forced_sequence(board.current, board.mask, most)


def forced_sequence(current: int, mask: int, most: int = MOST_THREATS) -> tuple[int, ...] | None:
    """Return `forced_win` for the owner of ``current`` among the discs ``mask``, on move or not by the rules."""
    for length in range(most + 1):
        nodes = [_MOST_NODES]
        line = _search(current, mask, length, nodes)
        if line is not None:
            return line
        if nodes[0] <= 0:
            return None
    return None


def _search(current: int, mask: int, length: int, nodes: list[int]) -> tuple[int, ...] | None:
    """Return a sequence of exactly ``length`` threats and the four, or None; ``nodes`` holds what is left to visit.

    Of several last threats, it takes one that opens two fours at the same time, which people see more easily.
    """
    playable = playable_cells(mask)
    wins = completing_cells(current, mask) & playable
    if wins:
        return (_column(wins & -wins),)
    if length == 0 or nodes[0] <= 0:
        return None
    nodes[0] -= 1
    other = current ^ mask
    urgent = completing_cells(other, mask) & playable
    if urgent & urgent - 1:
        return None
    found = None
    for move in bits(urgent or playable):
        after = mask | move
        open_cells = playable_cells(after)
        threats = completing_cells(current | move, after) & open_cells
        if not threats or completing_cells(other, after) & open_cells:
            continue
        answer = threats & -threats
        rest = _search(current | move, after | answer, length - 1, nodes)
        if rest is not None:
            found = (_column(move), _column(answer), *rest)
            if length > 1 or threats & threats - 1:
                return found
    return found


def double_threat(board: Board, line: tuple[int, ...]) -> bool:
    """Return whether a forced line ends with two fours open at the same time, rather than one above the other."""
    if len(line) < 3:
        return False
    for column in line[:-2]:
        board = board.play(column)
    wins = completing_cells(board.opponent, board.mask) & playable_cells(board.mask)
    return bool(wins & wins - 1)


def _column(bit: int) -> int:
    return (bit.bit_length() - 1) // STRIDE
