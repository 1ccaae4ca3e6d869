"""Whether a diagram keeps its promise: it is followed to the end of the game against every reply (rules 12 and 13)."""

from __future__ import annotations

from typing import Any

from numba import types

from bot.engine.jit.addresses import address, words_at
from bot.engine.jit.arrays import Words
from bot.engine.jit.bits import BOTTOM, FULL, playable_cells, winning_cells
from bot.engine.jit.compiling import kernel
from bot.proof.kernels.rules import WORDS, candidates, first_ranked

STATES, LIMIT, STAMP, DRAW_FAILS = 0, 1, 2, 3
"""First words of the workspace: positions visited, their limit, number of this walk, whether a draw is a failure."""
SLOTS = 8
"""First word of the memo, which holds one key a word."""
MEMO_BITS = 15
WORKSPACE = SLOTS + (1 << MEMO_BITS)
"""Size of the workspace, in int64 words."""
STAMPS = 1 << 13
"""Walks before the memo is cleared; the number of the walk fills the 13 highest bits of a key."""
NO_LIMIT = 1 << 62

_HOLDS: Any = types.int64(types.int64, types.int64, WORDS, WORDS)


@kernel(_HOLDS)
def _holds(ours: int, mask: int, rank: Words, words: Words) -> int:
    """Return 1 if the diagram keeps its promise from a position in which we are to move, else 0.

    The walk stops at the first failure. The result is also 0 when the limit of positions is exceeded.
    """
    cells, rule = candidates(ours, mask)
    if rule == 15:
        return 1
    cell = first_ranked(cells, rank)
    mine, after = ours | cell, mask | cell
    replies = playable_cells(after)
    if replies & winning_cells(ours ^ mask, mask):
        return 0
    if replies == 0:
        return 0 if words[DRAW_FAILS] else 1
    key = (ours + mask + BOTTOM) | words[STAMP] << 49
    slot = SLOTS + (((key * 0x1E3779B97F4A7C15) >> 40) & ((1 << MEMO_BITS) - 1))
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
        elif _holds(mine, after | reply, rank, words) == 0:
            return 0
    words[slot] = key
    return 1


@kernel()
def first_holding(ours: int, mask: int, ranks: Words, rows: Words, limit: int, words: Words) -> int:
    """Return the first index of ``rows`` whose diagram (a row of ``ranks``) keeps its promise, or -1.

    A diagram that needs more than ``limit`` positions counts as one that does not. ``words`` (shape (WORKSPACE,))
    starts as zeros, except DRAW_FAILS, and may be used again.
    """
    for place in range(rows.size):
        words[STATES] = 0
        words[LIMIT] = limit
        words[STAMP] += 1
        if words[STAMP] >= STAMPS:
            words[SLOTS:] = 0
            words[STAMP] = 1
        if _holds(ours, mask, words_at(address(ranks[rows[place]])), words_at(address(words))):
            return place
    return -1
