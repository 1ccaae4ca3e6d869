"""Small proofs for tests: parts of a strategy, built from positions late in the game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from bot.game import Board, parse_moves
from bot.proof import check, fast_check
from bot.proof.builder.best_first import BestFirst
from bot.proof.builder.builder import Builder
from bot.proof.builder.finder import Finder
from bot.proof.format import Claim, RejectedError
from bot.proof.positions import board_of, key_of
from bot.proof.walk import walk

WON = ("44443365322222", "44435622113322")
"""Positions that the first player, who is to move, wins; the last one is checked in a few milliseconds."""
HELD = "14141164442"
"""A position that the second player, who is to move, does not lose."""
LARGE = "44435622"
"""Another such position, for which the plain checker takes seconds."""


@dataclass(frozen=True)
class Part:
    """A claim from one position, with its diagrams."""

    root: int
    claim: Claim
    diagrams: tuple[bytes, ...]

    def with_entry(self, place: int, entry: int) -> Part:
        """Return the part with one entry changed."""
        entries = list(self.claim.entries)
        entries[place] = entry
        return replace(self, claim=replace(self.claim, entries=tuple(entries)))

    def with_swap(self, number: int, one: int, other: int) -> Part:
        """Return the part with two cells of a diagram exchanged."""
        order = bytearray(self.diagrams[number])
        order[one], order[other] = order[other], order[one]
        return replace(self, diagrams=(*self.diagrams[:number], bytes(order), *self.diagrams[number + 1 :]))


def built(moves: str, *, must_win: bool = True, quick: int = 200) -> tuple[BestFirst, int]:
    """Return what has solved the position after ``moves``, and the position's key."""
    best_first = BestFirst(Builder(Finder(draw_fails=must_win), quick=quick, thorough=quick))
    key = key_of(Board.from_moves(parse_moves(moves)))
    best_first.solve(key)
    return best_first, key


def part_of(builder: Builder, root: int) -> Part:
    """Return the part that ``builder`` has built for the position ``root``."""
    entries = tuple(entry for _, entry in walk([root], builder.entries.__getitem__))
    return Part(root, Claim(builder.finder.draw_fails, (), entries), tuple(builder.orders))


@cache
def part(moves: str, *, must_win: bool = True, quick: int = 200) -> Part:
    """Return a proof from the position after ``moves``."""
    best_first, root = built(moves, must_win=must_win, quick=quick)
    return part_of(best_first.builder, root)


def plain_verdict(part: Part) -> bool:
    """Whether check.py accepts the part."""
    board = board_of(part.root)
    try:
        check.prove([(board.current, board.opponent)], part.claim.entries, part.diagrams, part.claim.must_win)
    except ValueError:
        return False
    return True


def fast_verdict(part: Part) -> bool:
    """Whether the fast checker accepts the part."""
    try:
        fast_check.verify_claim(part.claim, part.diagrams, [part.root])
    except RejectedError:
        return False
    return True
