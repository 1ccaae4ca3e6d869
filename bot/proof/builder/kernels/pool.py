"""Test known diagrams on a position."""

from __future__ import annotations

from numpy import int64
from numpy.typing import NDArray

from bot.engine.jit.compiling import kernel
from bot.engine.jit.vectors import pointer
from bot.proof.kernels.walk import LIMIT, SLOTS, STAMP, STAMPS, STATES, holds


@kernel(inline=True)
def next_walk(words: NDArray[int64], limit: int) -> None:
    """Start a walk of at most ``limit`` positions, with an empty memo."""
    words[STATES] = 0
    words[LIMIT] = limit
    words[STAMP] += 1
    if words[STAMP] >= STAMPS:
        words[SLOTS:] = 0
        words[STAMP] = 1


@kernel()
def first_holding(
    ours: int, mask: int, ranks: NDArray[int64], order: NDArray[int64], limit: int, words: NDArray[int64]
) -> int:
    """Return the first index of ``order`` whose diagram (a row of ``ranks``) keeps its promise, or -1."""
    for place in range(order.size):
        next_walk(words, limit)
        if holds(ours, mask, pointer(ranks[order[place]]), pointer(words)):
            return place
    return -1
