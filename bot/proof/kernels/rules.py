"""The cell that a diagram plays in a position: rules 15 to 20 of README.md, compiled.

``rank`` holds 49 numbers, one for each bit of the board; the candidate with the smallest number is played.
"""

from __future__ import annotations

from numba import types

from bot.engine.jit.addresses import address, words_at
from bot.engine.jit.arrays import Words
from bot.engine.jit.bits import bit_number, playable_cells, winning_cells
from bot.engine.jit.compiling import kernel

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
def candidates(ours: int, mask: int) -> tuple[int, int]:
    """Return the cells that rules 15 to 19 leave, and the rule that decides: the last needed one, or 20."""
    playable = playable_cells(mask)
    wins, danger = winning_cells(ours, mask), winning_cells(ours ^ mask, mask)
    if playable & wins:
        return playable & wins, 15
    if playable & danger:
        return playable & danger, 16
    safe = playable & ~(danger >> 1)
    cells = safe if safe else playable
    if cells != playable and cells & (cells - 1) == 0:
        return cells, 17
    double = double_threats(ours, mask, cells)
    if double:
        return double, 18
    patient = cells & ~(wins >> 1)
    if patient == cells or not patient:
        return cells, 20
    return patient, 20 if patient & (patient - 1) else 19


@kernel(inline=True)
def first_ranked(cells: int, rank: Words) -> int:
    """Return the one of ``cells`` with the smallest rank (rule 20)."""
    best = cells & -cells
    lowest = rank[bit_number(best)]
    rest = cells ^ best
    while rest:
        cell = rest & -rest
        rest ^= cell
        number = rank[bit_number(cell)]
        if number < lowest:
            lowest = number
            best = cell
    return best


@kernel()
def chosen(ours: int, mask: int, rank: Words) -> tuple[int, int]:
    """Return the cell that a diagram plays, as a bit, and the rule that decided (20: the order of the cells)."""
    cells, rule = candidates(ours, mask)
    return first_ranked(cells, words_at(address(rank))), rule
