"""The parts of a strategy: the entries of its positions, its diagrams, and the moves that keep the promise."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bot.engine.perfect import shipped_book
from bot.proof.builder.finder import Finder
from bot.proof.diagram import rows_of
from bot.proof.format import FIRST_LEAF
from bot.proof.positions import board_of, replies_to

POOL = 400
"""Number of known diagrams and mirror images that are tried on a new position before a search."""
POOL_LIMIT = 10_000
"""Limit for testing a known diagram, in positions; diagrams that hold need 250 on average."""
SEARCH_FROM = 7
"""First ply at which diagrams are searched for."""


@dataclass
class Builder:
    """What is known of the positions of one claim; positions are keys, entries are numbers as in a file."""

    finder: Finder
    quick: int = 100_000
    thorough: int = 1_000_000
    """Budgets of a search, in positions: for comparing moves, and before a position becomes a branch."""
    log: Callable[[str], None] = lambda _line: None
    """Receives a line for the result of each search, for `replay`."""

    def __post_init__(self) -> None:
        self.entries: dict[int, int] = {}
        self.orders: list[bytes] = []
        """The diagrams. Row 2 * number of the ranks is a diagram, the next row its mirror image."""
        self.tried: dict[int, float] = {}
        """Positions without a diagram: what their searches visited, infinite where it is certain that there is none."""
        self.replies = cache(replies_to)
        self.good_columns = cache(self._good_columns)
        self._ranks: NDArray[np.int64] = np.zeros((64, 49), np.int64)
        self._pool: list[int] = []
        self._checked: dict[int, int] = {}

    def add_diagram(self, order: bytes) -> int:
        """Add a diagram; return its row."""
        row = 2 * len(self.orders)
        self.orders.append(order)
        if row + 2 > len(self._ranks):
            self._ranks = np.concatenate([self._ranks, np.zeros_like(self._ranks)])
        self._ranks[row : row + 2] = rows_of([order])
        self._pool[:0] = [row, row + 1]
        return row

    def _good_columns(self, key: int) -> list[int]:
        """Return the columns that keep the promise; best score first if the book has the position."""
        board = board_of(key)
        book = shipped_book()
        scores = book.column_scores(board) if book is not None else None
        if scores is None:
            return self.finder.good_columns(board)
        least = 1 if self.finder.draw_fails else 0
        good = [column for column, score in enumerate(scores) if score is not None and score >= least]
        return sorted(good, key=lambda column: (-(scores[column] or 0), abs(3 - column)))

    def is_leaf(self, key: int) -> bool:
        """Return whether ``key`` is a leaf by now."""
        return self.entries.get(key, 0) >= FIRST_LEAF

    def leaf(self, key: int, budget: int) -> bool:
        """Make ``key`` a leaf if a diagram is known or found within ``budget`` positions; return whether it is one."""
        if self.is_leaf(key):
            return True
        board = board_of(key)
        if board.ply < SEARCH_FROM:
            return False
        row = self._known_diagram(key)
        if row is None:
            spent = self.tried.get(key, 0)
            if spent >= budget:
                return False
            order, impossible, visited = self.finder.search(board, budget=budget - int(spent))
            if order is None:
                self.tried[key] = math.inf if impossible else spent + visited
                self.log(f"none {key} {self.tried[key]}")
                return False
            self.log(f"found {key} {order.hex()}")
            row = self.add_diagram(order)
        self.entries[key] = FIRST_LEAF + row
        return True

    def replay(self, line: str) -> None:
        """Take over the result of a search of an earlier build; raise ValueError or IndexError for a damaged line."""
        match line.split():
            case ["none", key, visited]:
                self.tried[int(key)] = float(visited)
            case ["found", key, order]:
                self.entries[int(key)] = FIRST_LEAF + self.add_diagram(bytes.fromhex(order))
            case _:
                raise ValueError(line)

    def _known_diagram(self, key: int) -> int | None:
        """Return the row of a recent diagram that holds and was not tried on this position before, or None."""
        since = 2 * self._checked.get(key, 0)
        self._checked[key] = len(self.orders)
        row = self.first_holding(key, [row for row in self._pool[:POOL] if row >= since])
        if row is not None:
            self._pool.remove(row)
            self._pool.insert(0, row)
        return row

    def first_holding(self, key: int, rows: list[int]) -> int | None:
        """Return the first of ``rows`` whose diagram keeps the promise in ``key``, or None."""
        return self.finder.first_holding(board_of(key), self._ranks, np.array(rows, np.int64), POOL_LIMIT)
