"""Keys of the solver's transposition table: the parts of a position that still matter, scattered over 63 bits.

A disc that can no longer be part of any four of its side is dead. The outcome of a position depends only on which cells
are filled and on the living discs (a line that a side can still fill has no disc of the other side on it, so its discs
all live). Positions that differ only in dead discs share one entry. (Idea: C. Steininger's solver c4.)
"""

from __future__ import annotations

from collections.abc import Callable

import numba

from bot.kernels.bits import BOTTOM
from bot.kernels.jit import kernel

_MINE = 0x1E3779B97F4A7C15
_THEIRS = 0x2545F4914F6CDD1D
_WORD = 1 << 64


@kernel(inline=True)
def _scatter(mine: int, theirs: int) -> int:
    """Return a negative number, so that no key equals an empty entry; two positions collide about once in 2^63."""
    key = mine * _MINE + theirs * _THEIRS
    return ~(key ^ (key >> 32))


def _scatter_in_python(mine: int, theirs: int) -> int:
    """Return what `_scatter` does, with the overflow of 64-bit integers."""
    key = (int(mine) * _MINE + int(theirs) * _THEIRS + (_WORD >> 1)) % _WORD - (_WORD >> 1)
    return ~(key ^ (key >> 32))


scatter: Callable[[int, int], int] = _scatter_in_python if numba.config.DISABLE_JIT else _scatter  # type: ignore
"""Maps two boards to a key."""


@kernel(inline=True)
def key_of(my_living: int, their_living: int, mask: int) -> int:
    """Return the key of a position from the living discs of the side to move and of the other side.

    The first board includes one more bit above each column, so it holds the heights too.
    """
    return scatter(my_living + mask + BOTTOM, their_living)
