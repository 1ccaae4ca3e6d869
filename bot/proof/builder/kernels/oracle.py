"""The moves that keep the promise in a position, by the exact solver, with a cache."""

from __future__ import annotations

from bot.engine.jit.addresses import address
from bot.engine.jit.arrays import Flag, Words
from bot.engine.jit.bits import BOTTOM, FULL, playable_cells, winning_cells
from bot.engine.jit.compiling import kernel
from bot.engine.kernels.solve import KEEP, solve


@kernel()
def good_cells(
    ours: int,
    mask: int,
    draw_fails: int,
    known: Words,
    table: Words,
    memory: Words,
    flag: Flag,
) -> int:
    """Return the cells that keep the promise: a win, or at least a draw unless ``draw_fails``.

    ``known`` is the cache: int64 pairs of key and result, a power of two of them. ``table`` and ``memory`` are the
    exact solver's transposition table and workspace.
    """
    playable = playable_cells(mask)
    wins = winning_cells(ours, mask) & playable
    if wins:
        return wins
    key = ours + mask + BOTTOM
    place = 2 * (((key * 0x1E3779B97F4A7C15) >> 36) & (known.size // 2 - 1))
    if known[place] == key:
        remembered: int = known[place + 1]
        return remembered
    theirs = ours ^ mask
    danger = winning_cells(theirs, mask)
    forced = playable & danger
    cells = (forced if forced else playable) & ~(danger >> 1)
    table_at, memory_at, flag_at = address(table), address(memory), address(flag)
    found = 0
    if forced & (forced - 1) == 0:
        while cells:
            cell = cells & -cells
            cells ^= cell
            after = mask | cell
            if after == FULL:
                found |= 0 if draw_fails else cell
            elif draw_fails:
                _, _, upper, _ = solve(theirs, after, -1, -1, 0, KEEP, table_at, memory_at, flag_at, flag_at)
                if upper < 0:
                    found |= cell
            else:
                _, _, upper, _ = solve(theirs, after, 0, 0, 1, KEEP, table_at, memory_at, flag_at, flag_at)
                if upper <= 0:
                    found |= cell
    known[place] = key
    known[place + 1] = found
    return found
