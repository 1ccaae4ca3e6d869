"""The walk through a claim: its positions in the order in which a file holds their entries (README.md, rule 10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bot.game import Board
from bot.proof.format import FIRST_LEAF, Claim, RejectedError
from bot.proof.positions import board_of, key_of


def roots_of(openings: Sequence[int]) -> list[int]:
    """Return the keys of a claim's first positions in which we are to move."""
    return [key_of(Board().play(column)) for column in openings] or [key_of(Board())]


def walk(roots: Sequence[int], entry_of: Callable[[int], int], *, must_win: bool) -> Iterator[tuple[int, int]]:
    """Yield each position once with its entry: a position before its replies, these from left to right.

    Raises RejectedError at a branch that breaks a rule.
    """
    seen: set[int] = set()
    todo = list(reversed(roots))
    while todo:
        key = todo.pop()
        if key not in seen:
            seen.add(key)
            entry = entry_of(key)
            yield key, entry
            if entry < FIRST_LEAF:
                todo.extend(reversed(_after_branch(key, entry, must_win)))


def entries_of(claim: Claim, roots: Sequence[int] | None = None) -> dict[int, int]:
    """Return the entry of each position of a claim, in the order of the walk.

    Tests give ``roots``, the keys of other first positions. Raises RejectedError if the tree is not sound: a full
    column, a lost position, too few or too many entries.
    """
    unread = iter(claim.entries)

    def next_entry(_key: int) -> int:
        entry = next(unread, None)
        if entry is None:
            raise RejectedError("The file ends before every reply has an entry.")
        return entry

    begins = roots_of(claim.openings) if roots is None else roots
    found = dict(walk(begins, next_entry, must_win=claim.must_win))
    if next(unread, None) is not None:
        raise RejectedError("The file holds more entries than there are positions.")
    return found


def _after_branch(key: int, column: int, must_win: bool) -> list[int]:
    """Return the keys of the unfinished positions after our disc in ``column`` and each reply, columns in order.

    Raises RejectedError where the move is not possible, loses at once or draws against the promise.
    """
    board = board_of(key)
    if not board.can_play(column):
        raise RejectedError("A branch plays in a full column.")
    after = board.play(column)
    if after.has_winner:
        return []
    replies = [after.play(reply) for reply in after.legal_columns()]
    if any(reply.has_winner for reply in replies):
        raise RejectedError("A branch lets the opponent win.")
    if must_win and all(reply.is_full for reply in replies):
        raise RejectedError("A branch leads to a draw although the claim promises a win.")
    return [key_of(reply) for reply in replies if not reply.is_full]
