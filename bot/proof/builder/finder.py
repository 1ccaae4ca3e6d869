"""Find diagrams: test known ones, and search for new ones by constraint solving."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.engine.kernels.solve import new_workspace
from bot.game import Board
from bot.game.board import COLUMNS, STRIDE
from bot.proof.builder.kernels import constraints, oracle, partial_order
from bot.proof.diagram import BITS, Ranks, ranks_of
from bot.proof.kernels import follow

CONFLICTS = 200
"""Conflicts before a search starts anew with another preference among equal cells."""
GROWTH = 1.3
"""Factor by which this number grows with each new start."""


def order_of(ranks: Ranks) -> bytes:
    """Return the diagram's 42 cells, most urgent first."""
    return bytes(sorted(range(len(BITS)), key=lambda cell: int(ranks[BITS[cell]])))


class Finder:
    """Tests and finds diagrams for one promise; holds the random numbers of a build. Not thread-safe."""

    def __init__(self, *, draw_fails: bool, seed: int = 1) -> None:
        self._words = np.zeros(follow.WORKSPACE, np.int64)
        self._words[follow.DRAW_FAILS] = draw_fails
        self._known = np.zeros(1 << 21, np.int64)
        self._table = np.zeros(1 << 19, np.int64)
        self._memory = new_workspace(self._table.size, 1 << 62)
        self._flag = np.zeros(1, np.uint8)
        self._work = partial_order.new_work(self._known, self._table, self._memory, self._flag)
        self._work.counts[partial_order.DRAW_FAILS] = draw_fails
        self.rng = np.random.default_rng(seed)
        constraints.seed_random(seed)
        self.draw_fails = draw_fails

    def good_columns(self, board: Board) -> list[int]:
        """Return the columns that keep the promise, by the exact solver."""
        cells = oracle.good_cells(
            board.current, board.mask, int(self.draw_fails), self._known, self._table, self._memory, self._flag
        )
        return [column for column in range(COLUMNS) if cells >> (column * STRIDE) & 0x7F]

    def first_holding(self, board: Board, ranks: Ranks, rows: NDArray[np.int64], limit: int) -> int | None:
        """Return the first element of ``rows``, a row of ``ranks``, whose diagram keeps the promise from ``board``."""
        place = follow.first_holding(board.current, board.mask, ranks, rows, limit, self._words)
        return None if place < 0 else int(rows[place])

    def search(self, board: Board, *, budget: int) -> tuple[bytes | None, bool, int]:
        """Search for a diagram that keeps the promise from ``board``.

        Return the diagram or None, whether it is certain that there is none, and the positions visited, about
        ``budget`` at most.
        """
        found = np.zeros(COLUMNS * STRIDE, np.int64)
        self._work.weights[:] = 0.0
        spent, conflicts = 0, float(CONFLICTS)
        while spent < budget:
            guide, limit = self.random_ranks(), budget - spent
            result = constraints.find_order(board.current, board.mask, limit, int(conflicts), guide, self._work, found)
            spent += int(self._work.counts[partial_order.SPENT]) + 1
            conflicts *= GROWTH
            if result != constraints.OPEN:
                return order_of(found) if result == constraints.FOUND else None, result == constraints.IMPOSSIBLE, spent
        return None, False, spent

    def random_ranks(self) -> Ranks:
        """Return a random diagram; for the second player one that follows up: the cells of even rows come first."""
        order = self.rng.permutation(len(BITS)).astype(np.uint8)
        if not self.draw_fails:
            order = order[np.argsort(order % 2 == 0, kind="stable")]
        return ranks_of(bytes(order))
