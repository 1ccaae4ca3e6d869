"""Whether a diagram keeps its promise from a position."""

from __future__ import annotations

from typing import Any

from numba import int64

from bot.engine.jit.bits import BOTTOM, FULL, playable_cells, winning_cells
from bot.engine.jit.compiling import kernel
from bot.proof.kernels.rules import WORDS, Words, double_threats, first_ranked, without_danger

STATES, LIMIT, STAMP, DRAW_FAILS = 0, 1, 2, 3
"""First words of the workspace: positions visited, their limit, number of this walk, whether a draw is a failure."""
SLOTS = 8
"""First word of the memo, which holds one key a word."""
MEMO_BITS = 15
WORKSPACE = SLOTS + (1 << MEMO_BITS)
"""Size of the workspace, in int64 words."""
STAMPS = 1 << 13
"""Walks before the memo is cleared; the number of the walk fills the 13 highest bits of a key."""

_HOLDS: Any = int64(int64, int64, WORDS, WORDS)


@kernel(inline=True)
def slot_of(key: int) -> int:
    """Return the place of a key in the memo."""
    return SLOTS + (((key * 0x1E3779B97F4A7C15) >> 40) & ((1 << MEMO_BITS) - 1))


@kernel(_HOLDS)
def holds(ours: int, mask: int, rank: Words, words: Words) -> int:
    """Return 1 if the diagram keeps its promise from a position in which we are to move, else 0.

    The walk stops at the first failure. The result is also 0 when the limit of positions is exceeded.
    """
    danger = winning_cells(ours ^ mask, mask)
    playable = playable_cells(mask)
    if winning_cells(ours, mask) & playable:
        return 1
    forced = playable & danger
    if forced:
        if forced & (forced - 1):
            return 0
        cell = forced
    else:
        cells = without_danger(ours, mask, danger)
        if double_threats(ours, mask, cells & -cells) and cells & (danger >> 1) == 0:
            return 1
        cell = first_ranked(cells, rank)
    mine, after = ours | cell, mask | cell
    replies = playable_cells(after)
    if replies & danger:
        return 0
    if replies == 0:
        return 0 if words[DRAW_FAILS] else 1
    key = (ours + mask + BOTTOM) | words[STAMP] << 49
    slot = slot_of(key)
    if words[slot] == key:
        return 1  # a failure would have ended the walk
    words[STATES] += 1
    if words[STATES] > words[LIMIT]:
        return 0
    while replies:
        reply = replies & -replies
        replies ^= reply
        if after | reply == FULL:
            if words[DRAW_FAILS]:
                return 0
        elif holds(mine, after | reply, rank, words) == 0:
            return 0
    words[slot] = key
    return 1
