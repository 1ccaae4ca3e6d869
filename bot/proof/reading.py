"""Read a claim: assign its entries to positions, in the order of the walk."""

from __future__ import annotations

from collections.abc import Sequence

from bot.proof.export import roots_of
from bot.proof.format import FIRST_LEAF, Claim, RejectedError
from bot.proof.positions import board_of, replies_to
from bot.proof.strategy import Branch, Entry, Leaf


def entry_of(number: int) -> Entry:
    """Return the entry that a file writes as ``number``."""
    if number < FIRST_LEAF:
        return Branch(number)
    diagram, mirrored = divmod(number - FIRST_LEAF, 2)
    return Leaf(diagram, bool(mirrored))


def entries_of(claim: Claim, roots: Sequence[int] | None = None) -> dict[int, Entry]:
    """Return the entry of each position of a claim, in the order of the walk (README.md, rule 10).

    Tests and parts of a proof give ``roots``, the keys of other first positions. Raises RejectedError if the tree is
    not sound: a full column, a lost position, too few or too many entries.
    """
    found: dict[int, Entry] = {}
    numbers = iter(claim.entries)
    todo = list(reversed(roots_of(claim.openings) if roots is None else roots))
    while todo:
        key = todo.pop()
        if key in found:
            continue
        number = next(numbers, None)
        if number is None:
            raise RejectedError("The file ends before every reply has an entry.")
        found[key] = entry = entry_of(number)
        if isinstance(entry, Branch):
            _check_branch(key, entry.column, claim.must_win)
            todo.extend(reversed(replies_to(key, entry.column)))
    if next(numbers, None) is not None:
        raise RejectedError("The file holds more entries than there are positions.")
    return found


def _check_branch(key: int, column: int, must_win: bool) -> None:
    """Raise RejectedError where a branch's move is not possible, loses at once or draws against the promise."""
    board = board_of(key)
    if not board.can_play(column):
        raise RejectedError("A branch plays in a full column.")
    after = board.play(column)
    if after.has_winner:
        return
    replies = [after.play(reply) for reply in after.legal_columns()]
    if any(reply.has_winner for reply in replies):
        raise RejectedError("A branch lets the opponent win.")
    if must_win and all(reply.is_full for reply in replies):
        raise RejectedError("A branch leads to a draw although the claim promises a win.")
