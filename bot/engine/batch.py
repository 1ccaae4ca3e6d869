"""Exact scores of many positions written as moves, in a compiled loop: no work in Python for each of them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.engine.agent import StopFlag
from bot.engine.jit.addresses import address
from bot.engine.jit.arrays import Words
from bot.engine.kernels import batch as kernels
from bot.engine.kernels.solve import new_workspace
from bot.engine.perfect import shipped_book
from bot.engine.shared import ONE_AT_A_TIME
from bot.engine.solver import TABLE_WORDS

_NODE_BUDGET = 200_000
"""Nodes of one call of the loop, a few hundredths of a second: then Python takes interrupts."""
_NO_TEXT = "-?"
"""Stands for a position that is no text; no column is called so."""


class Scored(NamedTuple):
    """The exact score of one position."""

    current: int
    mask: int
    score: int
    nodes: int
    seconds: float
    """The position's share, by its nodes, of the loop's elapsed time."""


class BatchSolver:
    """Solves texts of moves in a compiled loop. The constructor only allocates.

    Parameters
    ----------
    from_ply
        Least number of discs of a position that the loop solves.
    """

    def __init__(self, from_ply: int = 0) -> None:
        self._from_ply = from_ply
        table = np.zeros(TABLE_WORDS, dtype=np.int64)
        self._arrays: tuple[NDArray[Any], ...] = table, new_workspace(TABLE_WORDS, _NODE_BUDGET), StopFlag().flag

    def solve(self, positions: Sequence[object]) -> Iterator[Scored | None]:
        """Yield the results of ``positions`` in their order; threads of the caller solve one after another.

        None stands for what the loop leaves to others: what is no text, a text that is no unfinished position, too few
        discs, or a position that needs more than `_NODE_BUDGET` nodes.
        """
        texts = [position if isinstance(position, str) else _NO_TEXT for position in positions]
        boards = self._read(texts)
        results = np.zeros_like(boards)
        first = 0
        while first < len(texts):
            with ONE_AT_A_TIME:
                start = time.perf_counter()
                arrays = map(address, self._arrays)
                end = kernels.solve_positions(boards, results, first, self._from_ply, _NODE_BUDGET, *arrays)
                seconds = time.perf_counter() - start
            scores = results[first:end].tolist()
            share_s = seconds / sum(nodes + 1 for _, nodes in scores)
            for (current, mask), (score, nodes) in zip(boards[first:end].tolist(), scores, strict=True):
                is_solved = score != kernels.UNSOLVED
                yield Scored(current, mask, score, nodes, (nodes + 1) * share_s) if is_solved else None
            first = end

    def _read(self, texts: Sequence[str]) -> Words:
        """Return discs of the side to move and all discs of each position."""
        text = "".join(texts).encode("ascii", errors="replace")  # one byte for each character, none of them a column
        ends = np.fromiter(accumulate(map(len, texts)), dtype=np.int64, count=len(texts))
        boards = np.zeros((len(texts), 2), dtype=np.int64)
        kernels.read_positions(np.frombuffer(text, dtype=np.uint8), ends, boards)
        return boards


@cache
def batch_solver(book: bool) -> BatchSolver:
    """Return the solver that all calls share, of positions that the book does not know."""
    known = shipped_book() if book else None
    from_ply = 0 if known is None else known.plies + 1
    return BatchSolver(from_ply)
