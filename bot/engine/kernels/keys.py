"""Keys of the solver's table: what still matters of a position, scattered over 63 bits.

A disc that can no longer be part of any four of its side is dead: what comes of a position depends on which cells are
taken and on the living discs alone (a line that a side can still fill has no other disc on it, so its discs all live).
Positions that differ in dead discs share one entry. (Idea: C. Steininger's solver c4.)
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
    """A negative number, so that no key looks like an empty entry; two positions share one about once in 2^63."""
    key = mine * _MINE + theirs * _THEIRS
    return ~(key ^ (key >> 32))


def _scatter_in_python(mine: int, theirs: int) -> int:
    """The same with the overflow of 64-bit integers."""
    key = (int(mine) * _MINE + int(theirs) * _THEIRS + (_WORD >> 1)) % _WORD - (_WORD >> 1)
    return ~(key ^ (key >> 32))


scatter: Callable[[int, int], int] = _scatter_in_python if numba.config.DISABLE_JIT else _scatter  # type: ignore
"""Two boards to a key."""


@kernel(inline=True)
def key_of(my_living: int, their_living: int, mask: int) -> int:
    """The key of a position by the living discs of the side to move and of the other.

    The first board tells the heights too, by one more bit above each column.
    """
    return scatter(my_living + mask + BOTTOM, their_living)
