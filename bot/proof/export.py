"""Convert a strategy to a claim: its entries in the order of the walk, the diagrams in use renumbered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.game import Board
from bot.proof.format import FIRST_LEAF, Claim
from bot.proof.positions import key_of
from bot.proof.strategy import Leaf, Strategy


def roots_of(openings: Sequence[int]) -> list[int]:
    """Return the keys of a claim's first positions in which we are to move."""
    return [key_of(Board().play(column)) for column in openings] or [key_of(Board())]


def walk(strategy: Strategy, roots: Sequence[int]) -> Iterator[int]:
    """Yield each position once, as the checker meets them: a position before its replies, these from left to right."""
    seen: set[int] = set()
    todo = list(reversed(roots))
    while todo:
        key = todo.pop()
        if key not in seen:
            seen.add(key)
            yield key
            todo.extend(reversed(strategy.children(key)))


def claim_of(
    strategy: Strategy,
    *,
    must_win: bool,
    openings: tuple[int, ...],
    numbers: dict[int, int],
    roots: Sequence[int] | None = None,
) -> Claim:
    """Return the claim that ``strategy`` proves.

    ``numbers`` maps the strategy's diagrams to those of the file; new ones are added to it. Tests and parts of a proof
    give ``roots``, the keys of other first positions.
    """
    entries = []
    for key in walk(strategy, roots_of(openings) if roots is None else roots):
        entry = strategy.entries[key]
        if isinstance(entry, Leaf):
            number = numbers.setdefault(entry.diagram, len(numbers))
            entries.append(FIRST_LEAF + 2 * number + entry.mirrored)
        else:
            entries.append(entry.column)
    return Claim(must_win, openings, tuple(entries))
