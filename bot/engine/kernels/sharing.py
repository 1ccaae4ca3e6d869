"""How several threads that search one position share the work: a move that another thread is searching comes last.

Each thread claims the position after a move while it searches it. A claim is a word behind the transposition table, and
only a hint: where two keys meet, or two threads claim at once, work is done twice or a move is searched later, and no
result changes. (Idea: ABDADA, J.-C. Weill 1996, in the simple form of T. Kerrigan.)
"""

from __future__ import annotations

from numpy import int64
from numpy.typing import NDArray

from bot.kernels.jit import kernel

Words = NDArray[int64]

CLAIMS = 1 << 10
"""Words behind the transposition table that hold the keys of the positions under search."""


@kernel(inline=True)
def place_of_claim(key: int, index_mask: int) -> int:
    """Return the index of the key's claim; ``index_mask`` is the table's length less one."""
    return index_mask + 1 + ((key >> 20) & (CLAIMS - 1))
