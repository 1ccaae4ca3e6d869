"""Find diagrams: test known ones, and search for new ones with the help of the exact solver."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.engine.kernels import solve as solver
from bot.game import Board
from bot.game.board import COLUMNS, STRIDE
from bot.proof.kernels import walk
from bot.proof.ranks import CELLS, Ranks, ranks_of
from bot.prover.kernels import oracle, search


def order_of(ranks: Ranks) -> bytes:
    """Return the diagram's 42 cells, most urgent first."""
    return bytes(sorted(range(len(CELLS)), key=lambda cell: int(ranks[CELLS[cell]])))


class Finder:
    """Tests and finds diagrams for one promise; holds the random numbers of a build. Not thread-safe."""

    def __init__(self, *, draw_fails: bool, seed: int = 1) -> None:
        self._words = np.zeros(walk.WORKSPACE, np.int64)
        self._words[walk.DRAW_FAILS] = draw_fails
        self._values = np.zeros(walk.WORKSPACE)
        self._known = np.zeros(1 << 21, np.int64)
        self._table = np.zeros(1 << 19, np.int64)
        self._memory = np.zeros(solver.WORKSPACE_WORDS, np.int64)
        self._memory[solver.NODE_LIMIT] = 1 << 62
        self._memory[solver.INDEX_MASK] = self._table.size - 1
        self._spent = np.zeros(1, np.int64)
        self._flag = np.zeros(1, np.uint8)
        self.rng = np.random.default_rng(seed)
        search.seed_random(seed)
        self.draw_fails = draw_fails

    def good_columns(self, board: Board) -> list[int]:
        """Return the columns that keep the promise, by the exact solver."""
        cells = oracle.good_cells(
            board.current, board.mask, int(self.draw_fails), self._known, self._table, self._memory, self._flag
        )
        return [column for column in range(COLUMNS) if cells >> (column * STRIDE) & 0x7F]

    def first_holding(self, board: Board, ranks: Ranks, order: NDArray[np.int64], limit: int) -> int | None:
        """Return the first element of ``order``, a row of ``ranks``, whose diagram keeps the promise from ``board``."""
        place = search.first_holding(board.current, board.mask, ranks, order, limit, self._words)
        return None if place < 0 else int(order[place])

    def failure(self, board: Board, ranks: Ranks, limit: int) -> float:
        """Return the probability that random replies beat the diagram; above 1 if ``limit`` positions are too few."""
        return search.failure_probability(board.current, board.mask, 2.0, ranks, limit, self._words, self._values)

    def improve(
        self, board: Board, start: Ranks, *, budget: int, limit: int = 30_000, patience: int = 60
    ) -> tuple[float, Ranks, int]:
        """Search near ``start``; return the smallest probability of failure, its ranks and the positions visited."""
        best = start.copy()
        probability = search.search_diagram(
            board.current,
            board.mask,
            start.copy(),
            budget,
            limit,
            0.7,
            self._words,
            self._values,
            self._known,
            self._table,
            self._memory,
            self._flag,
            best,
            patience,
            self._spent,
        )
        return probability, best, int(self._spent[0])

    def random_ranks(self) -> Ranks:
        """Return a random diagram; for the second player one that follows up: the cells of even rows come first."""
        order = self.rng.permutation(len(CELLS)).astype(np.uint8)
        if not self.draw_fails:
            order = order[np.argsort(order % 2 == 0, kind="stable")]
        return ranks_of(bytes(order))
