"""How several threads that search one position share the work: a move that another thread is searching comes last.

Each thread claims the position after a move while it searches it. A claim is a word behind the transposition table, and
only a hint: where two keys meet, or two threads claim at once, work is done twice or a move is searched later, and no
result changes. (Idea: ABDADA, J.-C. Weill 1996, in the simple form of T. Kerrigan.)
"""

from __future__ import annotations

from numpy import int64
from numpy.typing import NDArray

from bot.engine.jit.compiling import kernel
from bot.engine.kernels.ordering import KEY, RATING, SEARCHED, next_move

Words = NDArray[int64]

CLAIMS = 1 << 10
"""Words behind the transposition table that hold the keys of the positions under search."""
DEFERRED = SEARCHED >> 1
"""Rating of a move that another thread is searching: below every other but ``SEARCHED``."""


@kernel(inline=True)
def _place_of_claim(key: int, index_mask: int) -> int:
    return index_mask + 1 + ((key >> 20) & (CLAIMS - 1))


@kernel()
def claimed_move(table: Words, workspace: Words, start: int, end: int, place: int, index_mask: int) -> int:
    """Return the place of the best unsearched move that no other thread is searching, and claim it.

    ``place`` is that of the best unsearched move; ``index_mask`` is the table's length less one.
    """
    while workspace[place + RATING] > DEFERRED:
        key = workspace[place + KEY]
        if table[_place_of_claim(key, index_mask)] != key:
            break
        workspace[place + RATING] = DEFERRED
        place = next_move(workspace, start, end)
    table[_place_of_claim(workspace[place + KEY], index_mask)] = workspace[place + KEY]
    return place


@kernel(inline=True)
def release(table: Words, key: int, index_mask: int) -> None:
    """End the claim of the position with this key."""
    table[_place_of_claim(key, index_mask)] = 0
