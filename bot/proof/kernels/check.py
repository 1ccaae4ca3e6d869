"""Kernel of the fast checker: plays a diagram against every reply, without the builder's shortcuts."""

from __future__ import annotations

from typing import Any

from numba import types
from numpy import int64
from numpy.typing import NDArray

from bot.engine.jit.bits import BOTTOM, FULL, playable_cells, winning_cells
from bot.engine.jit.compiling import kernel
from bot.engine.jit.vectors import pointer
from bot.proof.kernels.rules import WORDS, Words, first_ranked, without_danger

MEMO_BITS = 16
WORKSPACE = 1 << MEMO_BITS
"""Size of the workspace, which is the memo: one key a word."""
_KEEPS: Any = types.int64(types.int64, types.int64, types.int64, WORDS, WORDS)


@kernel(_KEEPS)
def _keeps(ours: int, theirs: int, must_win: int, rank: Words, words: Words) -> int:
    """Return 1 where the diagram keeps its promise from a position in which we are to move, else 0."""
    key = ours + (ours | theirs) + BOTTOM
    slot = ((key * 0x1E3779B97F4A7C15) >> 40) & (WORKSPACE - 1)
    if words[slot] == key:
        return 1
    taken = ours | theirs
    wins, threats = winning_cells(ours, taken), winning_cells(theirs, taken)
    playable = playable_cells(taken)
    if playable & wins:
        return 1
    cells = playable & threats if playable & threats else without_danger(ours, taken, threats)
    cell = first_ranked(cells, rank)
    replies = playable_cells(taken | cell)
    if replies & threats:
        return 0
    if replies == 0 or (taken | cell | replies == FULL and replies & (replies - 1) == 0):
        return 0 if must_win else 1
    next_wins = winning_cells(ours | cell, taken | cell)
    while replies:
        reply = replies & -replies
        replies ^= reply
        if next_wins & playable_cells(taken | cell | reply):
            continue  # rule 15 wins
        if _keeps(ours | cell, theirs | reply, must_win, rank, words) == 0:
            return 0
    words[slot] = key
    return 1


@kernel()
def keeps(ours: int, mask: int, must_win: int, rank: NDArray[int64], words: NDArray[int64]) -> int:
    """Return 1 where the diagram keeps its promise from a position in which we are to move, else 0.

    ``rank`` has shape (49,). ``words`` has shape (WORKSPACE,) and starts as zeros; it may be reused for other positions
    with the same diagram and promise.
    """
    return _keeps(ours, ours ^ mask, must_win, pointer(rank), pointer(words))
