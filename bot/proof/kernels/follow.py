"""Whether a diagram keeps its promise: it is followed to the end of the game against every reply (rules 12 and 13)."""

from __future__ import annotations

from typing import Any

from numba import types

from bot.engine.jit.addresses import address, words_at
from bot.engine.jit.arrays import Words
from bot.engine.jit.bits import BOTTOM, FULL, playable_cells, winning_cells
from bot.engine.jit.compiling import kernel
from bot.proof.kernels.rules import WORDS, candidates, first_ranked

MEMO_BITS = 15
MEMO = 1 << MEMO_BITS
"""Size of the memo, in int64 words: the keys of positions from which the diagram keeps its promise."""

_KEEPS: Any = types.boolean(types.int64, types.int64, types.boolean, WORDS, WORDS)


@kernel(_KEEPS)
def _keeps(ours: int, mask: int, must_win: bool, rank: Words, memo: Words) -> bool:
    """Return whether the diagram keeps its promise from a position in which we are to move.

    The walk stops at the first failure.
    """
    cells, rule = candidates(ours, mask)
    if rule == 15:
        return True
    cell = first_ranked(cells, rank)
    mine, after = ours | cell, mask | cell
    replies = playable_cells(after)
    if replies & winning_cells(ours ^ mask, mask):
        return False
    if replies == 0:
        return not must_win
    key = ours + mask + BOTTOM
    slot = ((key * 0x1E3779B97F4A7C15) >> 40) & (MEMO - 1)
    if memo[slot] == key:
        return True  # a failure would have ended the walk
    while replies:
        reply = replies & -replies
        replies ^= reply
        if after | reply == FULL:
            if must_win:
                return False
        elif not _keeps(mine, after | reply, must_win, rank, memo):
            return False
    memo[slot] = key
    return True


@kernel()
def keeps_promise(ours: int, mask: int, must_win: bool, rank: Words, memo: Words) -> bool:
    """Return whether a diagram, shape (49,), keeps its promise from a position in which we are to move.

    ``memo``, shape (MEMO,), is overwritten.
    """
    memo[:] = 0
    return _keeps(ours, mask, must_win, words_at(address(rank)), words_at(address(memo)))
