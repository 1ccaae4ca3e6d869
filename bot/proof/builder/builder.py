"""Build a strategy: each position becomes a leaf if a diagram is found, otherwise a branch with a good move."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bot.engine.perfect import shipped_book
from bot.game import Board
from bot.proof.builder.finder import Finder
from bot.proof.diagram import mirror_order, ranks_of
from bot.proof.positions import board_of
from bot.proof.strategy import Branch, Entry, Leaf, Strategy

POOL = 400
"""Number of known diagrams and mirror images that are tried on a new position before a search."""
POOL_LIMIT = 10_000
"""Limit for testing a known diagram, in positions; diagrams that hold need 250 on average."""
SEARCH_FROM = 7
"""First ply at which diagrams are searched for."""
EXPECTED_BRANCH = 10.0
"""Expected positions of a strategy for a position that has no diagram."""


class OverBudgetError(Exception):
    """A trial needs more positions than it could save."""


@dataclass(slots=True)
class Tried:
    """Searches so far for a position without a diagram."""

    effort: int = 0
    """Positions visited."""
    impossible: bool = False
    """Whether it is certain that no diagram keeps the promise."""


@dataclass
class Builder:
    """The strategy of one claim, extended position by position."""

    finder: Finder
    strategy: Strategy = field(default_factory=Strategy)
    log: Callable[[str], None] = lambda _line: None
    """Receives one line for each new entry or diagram, so that a build can be resumed."""
    quick: int = 100_000
    thorough: int = 1_000_000
    """Budgets of a search, in positions: for comparing moves, and before a position becomes a branch."""

    def __post_init__(self) -> None:
        self.orders: list[bytes] = []
        self.tried: dict[int, Tried] = {}
        self._ranks: NDArray[np.int64] = np.zeros((64, 49), np.int64)
        self._pool: list[int] = []
        self._good: dict[int, list[int]] = {}
        self._checked: dict[int, int] = {}
        self.complete: set[int] = set()
        self.effort = 0
        """Positions visited by all searches for diagrams."""

    # Diagrams: row 2 * number of the ranks is a diagram, the next row its mirror image.

    def add_diagram(self, order: bytes) -> int:
        """Add a diagram; return its number."""
        number = len(self.orders)
        self.orders.append(order)
        if 2 * number + 2 > len(self._ranks):
            self._ranks = np.concatenate([self._ranks, np.zeros_like(self._ranks)])
        self._ranks[2 * number] = ranks_of(order)
        self._ranks[2 * number + 1] = ranks_of(mirror_order(order))
        self._pool[:0] = [2 * number, 2 * number + 1]
        return number

    def new_diagram(self, order: bytes) -> int:
        """Add a diagram, and log it; return its number."""
        self.log(f"D {order.hex()}")
        return self.add_diagram(order)

    def set_entry(self, key: int, entry: Entry) -> None:
        """Give a position its entry, and log it."""
        self.strategy.change(key, entry)
        if isinstance(entry, Leaf):
            self.log(f"L {key} {entry.diagram} {int(entry.mirrored)}")
        else:
            self.log(f"B {key} {entry.column}")

    def good_columns(self, key: int) -> list[int]:
        """Return the columns that keep the promise; best score first if the book has the position."""
        found = self._good.get(key)
        if found is None:
            found = self._good[key] = self._ask(board_of(key))
        return found

    def _ask(self, board: Board) -> list[int]:
        book = shipped_book()
        scores = book.column_scores(board) if book is not None else None
        if scores is None:
            return self.finder.good_columns(board)
        least = 1 if self.finder.draw_fails else 0
        good = [column for column, score in enumerate(scores) if score is not None and score >= least]
        return sorted(good, key=lambda column: (-(scores[column] or 0), abs(3 - column)))

    def leaf(self, key: int, budget: int) -> bool:
        """Make ``key`` a leaf if a diagram is known or found within ``budget`` positions; return whether it is one."""
        entry = self.strategy.entries.get(key)
        if isinstance(entry, Leaf):
            return True
        board = board_of(key)
        if board.ply < SEARCH_FROM:
            return False
        row = self._known_diagram(key)
        if row is not None:
            self.set_entry(key, Leaf(row // 2, bool(row % 2)))
            return True
        tried = self.tried.setdefault(key, Tried())
        if tried.impossible or tried.effort >= budget:
            return False
        order, tried.impossible, spent = self.finder.search([board], budget=budget - tried.effort)
        tried.effort += spent
        self.effort += spent
        if order is None:
            self.log(f"S {key} {tried.effort} {int(tried.impossible)}")
            return False
        self.set_entry(key, Leaf(self.new_diagram(order)))
        del self.tried[key]
        return True

    def _known_diagram(self, key: int) -> int | None:
        """Return the row of a recent diagram that holds and was not tried on this position before, or None."""
        since = 2 * self._checked.get(key, 0)
        self._checked[key] = len(self.orders)
        recent = [row for row in self._pool[:POOL] if row >= since]
        row = self.first_holding(key, np.array(recent, np.int64))
        if row is not None:
            self._pool.remove(row)
            self._pool.insert(0, row)
        return row

    def first_holding(self, key: int, rows: NDArray[np.int64]) -> int | None:
        """Return the first of ``rows`` whose diagram keeps the promise in ``key``, or None."""
        return self.finder.first_holding(board_of(key), self._ranks, rows, POOL_LIMIT) if rows.size else None

    def try_diagrams(self, key: int, since: int = 0) -> bool:
        """Make ``key`` a leaf if a diagram from number ``since`` on keeps the promise there; return if one does."""
        row = self.first_holding(key, np.arange(2 * since, 2 * len(self.orders)))
        if row is not None:
            self.set_entry(key, Leaf(row // 2, bool(row % 2)))
        return row is not None

    # Branches.

    def estimate(self, key: int) -> float:
        """Return an estimate of the positions that the strategy needs for ``key``, after a quick search."""
        if self.leaf(key, self.quick):
            return 1.0
        if key in self.complete:
            return 1.0
        ply = board_of(key).ply
        if ply < SEARCH_FROM:
            return 1000.0 / (ply + 1)
        return EXPECTED_BRANCH

    def ranked_columns(self, key: int) -> list[tuple[float, int]]:
        """Return the good columns with their estimated sizes, smallest first."""
        columns = self.good_columns(key)
        if len(columns) == 1 or board_of(key).ply < SEARCH_FROM - 2:
            return [(0.0, column) for column in columns]
        return sorted((sum(map(self.estimate, self.strategy.replies(key, column))), column) for column in columns)

    def solve(self, key: int, room: float = math.inf, effort: float = math.inf) -> None:
        """Give entries to ``key`` and all that follows from it.

        Raise OverBudgetError above ``room`` new entries, or when the searches have visited ``effort`` positions.
        """
        self._room, self._end = room, self.effort + effort
        self._solve(key)

    def _solve(self, key: int) -> None:
        entries = self.strategy.entries
        if key not in entries:
            self._room -= 1
            if self._room < 0 or self.effort > self._end:
                raise OverBudgetError
            if not self.leaf(key, self.thorough):
                columns = self.ranked_columns(key)
                self.set_entry(key, Branch(columns[0][1]))
        for child in self.strategy.children(key):
            if child not in self.complete:
                self._solve(child)
        self.complete.add(key)

    def grow(self, keys: Iterable[int]) -> None:
        """Solve ``keys`` and put them in use, as roots."""
        for key in keys:
            self.solve(key)
            self.strategy.acquire([key])
