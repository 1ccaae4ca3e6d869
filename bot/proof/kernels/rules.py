"""The rules of play of a diagram as kernels: the cell that a diagram plays in a position.

They are the rules 15 to 20 of README.md. ``rank`` holds 49 numbers, one for each bit of the board; the playable cell
with the smallest number comes first.
"""

from __future__ import annotations

from numba import types
from numpy import int64
from numpy.typing import NDArray

from bot.engine.jit.bits import playable_cells, popcount, winning_cells
from bot.engine.jit.compiling import kernel

Words = NDArray[int64]
WORDS = types.CPointer(types.int64)  # type: ignore[no-untyped-call]


@kernel(inline=True)
def double_threats(ours: int, mask: int, cells: int) -> int:
    """Return those of ``cells`` that make two immediate wins, or one with another directly above it."""
    found = 0
    while cells:
        cell = cells & -cells
        cells ^= cell
        wins = winning_cells(ours | cell, mask | cell)
        now = wins & playable_cells(mask | cell)
        if now & (now - 1) or now & (wins >> 1):
            found |= cell
    return found


@kernel(inline=True)
def without_danger(ours: int, mask: int, danger: int) -> int:
    """Return the cells that rules 17 to 19 leave when neither side can win at once; ``danger``: the opponent's wins."""
    cells = playable_cells(mask)
    safe = cells & ~(danger >> 1)
    if safe:
        cells = safe
    double = double_threats(ours, mask, cells)
    if double:
        return double
    patient = cells & ~(winning_cells(ours, mask) >> 1)
    return patient if patient else cells


@kernel(inline=True)
def first_ranked(cells: int, rank: Words) -> int:
    """Return the one of ``cells`` with the smallest rank (rule 20)."""
    best = cells & -cells
    lowest = rank[popcount(best - 1)]
    rest = cells ^ best
    while rest:
        cell = rest & -rest
        rest ^= cell
        number = rank[popcount(cell - 1)]
        if number < lowest:
            lowest = number
            best = cell
    return best
