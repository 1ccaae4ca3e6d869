"""How much of the transposition table a search uses: it begins with a small part, which grows with the nodes visited.

Emptying a table of 4 MB takes as long as a search of 2,000 nodes, and most late positions need fewer than 100. The
part in use is a power of two of words, and a key's low bits choose its bucket. A growth therefore copies that part as
often as it fits: wherever a key leads then, its entry lies there. Later entries replace the superfluous copies.
"""

from __future__ import annotations

from numpy import int64
from numpy.typing import NDArray

from bot.engine.jit.compiling import kernel

Words = NDArray[int64]

FIRST_WORDS = 1 << 10
"""Words in use when a search begins, 8 KB."""
FACTOR = 4
"""Growth of the part in use, each time that the search has visited as many nodes as it has words."""


@kernel(inline=True)
def first_mask(largest_mask: int) -> int:
    """Return the index mask with which a search begins."""
    return min(FIRST_WORDS - 1, largest_mask)


@kernel(inline=True)
def nodes_until_growth(used_mask: int, largest_mask: int, limit: int) -> int:
    """Return the number of nodes at which the part in use must grow, at most ``limit``."""
    return min(limit, used_mask + 1) if used_mask < largest_mask else limit


@kernel(inline=True)
def grown(table: Words, used_mask: int, largest_mask: int) -> int:
    """Fill the next part of the table with copies of the part in use, and return the index mask that includes both."""
    mask = min(used_mask * FACTOR + FACTOR - 1, largest_mask)
    for place in range(used_mask + 1, mask + 1):
        table[place] = table[place & used_mask]
    return mask
