"""Build a strategy in parts: positions that are solved by processes on this machine or on a Dask cluster.

Each part is solved on its own, with the diagrams that its process knows, and is returned as a small claim.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from bot.lab.arena.workers import run_tasks
from bot.proof.export import claim_of
from bot.proof.format import Claim
from bot.proof.positions import board_of
from bot.proof.reading import entries_of
from bot.proof.strategy import Branch, Leaf
from bot.prover.best_first import BestFirst
from bot.prover.builder import SEARCH_FROM, Builder
from bot.prover.finder import Finder

SHARED = 200
"""Number of known diagrams that each part is given."""


@dataclass(frozen=True, slots=True)
class Part:
    """A position to solve."""

    key: int
    must_win: bool
    diagrams: tuple[bytes, ...]
    """Diagrams to try first."""
    seed: int


@dataclass(frozen=True, slots=True)
class Solved:
    """A claim from one position, with its diagrams."""

    claim: Claim
    diagrams: tuple[bytes, ...]


def solve_part(part: Part) -> Solved:
    """Return a strategy from the position of ``part``; the process keeps what it has found for later parts."""
    best_first = _known(part.must_win, part.seed)
    builder = best_first.builder
    for order in part.diagrams:
        if order not in builder.orders:
            builder.add_diagram(order)
    best_first.solve(part.key)
    numbers: dict[int, int] = {}
    claim = claim_of(builder.strategy, must_win=part.must_win, openings=(), numbers=numbers, roots=[part.key])
    return Solved(claim, tuple(builder.orders[number] for number in numbers))


@cache
def _known(must_win: bool, seed: int) -> BestFirst:
    return BestFirst(Builder(Finder(draw_fails=must_win, seed=seed)))


def open_positions(best_first: BestFirst, roots: Iterable[int]) -> list[int]:
    """Choose moves up to the first ply of searches; return the incomplete positions that follow, each once."""
    found: dict[int, None] = {}
    seen: set[int] = set()
    todo = list(roots)
    while todo:
        key = todo.pop()
        if key in seen or key in best_first.complete:
            continue
        seen.add(key)
        if board_of(key).ply >= SEARCH_FROM:
            found[key] = None
            continue
        if key not in best_first.costs:
            best_first.extend(key)
        todo.extend(best_first.builder.strategy.children(key))
    return list(found)


def build_parts(best_first: BestFirst, roots: Iterable[int], *, workers: int, scheduler: str | None, seed: int) -> None:
    """Solve all positions at the first ply of searches, in parallel, and take their entries over."""
    builder = best_first.builder
    best_first.adopt()
    keys = open_positions(best_first, roots)
    diagrams = tuple(builder.orders[-SHARED:])
    parts = [Part(key, builder.finder.draw_fails, diagrams, seed) for key in keys]
    for part, solved in run_tasks(solve_part, parts, workers=workers, scheduler=scheduler):
        take_over(builder, part.key, solved)


def take_over(builder: Builder, key: int, solved: Solved) -> None:
    """Add the entries and diagrams of a solved part."""
    known = {order: number for number, order in enumerate(builder.orders)}
    numbers = []
    for order in solved.diagrams:
        if order not in known:
            known[order] = builder.add_diagram(order)
            builder.log(f"D {order.hex()}")
        numbers.append(known[order])
    found = entries_of(solved.claim, [key])
    for position, entry in reversed(found.items()):  # later positions first: a branch's replies are known before it
        if isinstance(entry, Branch):
            builder.set_entry(position, entry)
        else:
            builder.set_entry(position, Leaf(numbers[entry.diagram], entry.mirrored))
