"""Keys of the solver's transposition table: the parts of a position that still matter, scattered over 63 bits.

A disc that can no longer be part of any four of its side is dead. The outcome of a position depends only on which cells
are filled and on the living discs (a line that a side can still fill has no disc of the other side on it, so its discs
all live). Positions that differ only in dead discs share one entry. (Idea: C. Steininger's solver c4.)
"""

from __future__ import annotations

from collections.abc import Callable

import numba
from numpy import int64, uint64

from bot.engine.jit.bits import BOTTOM, FULL, mirror
from bot.engine.jit.compiling import kernel
from bot.engine.jit.vectors import covered

_MINE = 0x9E3779B97F4A7C15
_THEIRS = 0xC2B2AE3D27D4EB4F
_WORD = 1 << 64
MIRROR_PLIES = 12
"""Before this ply, a position and its mirror image have the same key; later ones hardly ever meet."""
_NEGATIVE = -(1 << 63)
_MINE_WORD, _THEIRS_WORD, _HALF = uint64(_MINE), uint64(_THEIRS), uint64(32)


@kernel(inline=True)
def _scatter(mine: int, theirs: int) -> int:
    """Return a negative number, so that no key equals an empty entry; two positions collide about once in 2^63.

    Unsigned arithmetic: the compiler may assume that signed products do not overflow, and these do.
    """
    key = uint64(mine) * _MINE_WORD + uint64(theirs) * _THEIRS_WORD
    scattered: int = int64(key ^ (key >> _HALF)) | _NEGATIVE
    return scattered


def _scatter_in_python(mine: int, theirs: int) -> int:
    """Return what `_scatter` does, with the overflow of 64-bit integers."""
    key = (int(mine) * _MINE + int(theirs) * _THEIRS) % _WORD
    return (key ^ (key >> 32)) | _NEGATIVE


scatter: Callable[[int, int], int] = _scatter_in_python if numba.config.DISABLE_JIT else _scatter  # type: ignore
"""Maps two boards to a key."""


@kernel(inline=True)
def living(current: int, mask: int) -> tuple[int, int]:
    """Return the living discs of the side to move and of the other side."""
    opponent, empty = current ^ mask, FULL ^ mask
    return current & covered(current | empty), opponent & covered(opponent | empty)


@kernel(inline=True)
def position_key(current: int, mask: int) -> int:
    """Return the key of a position. One more bit above each column makes the first board include the heights."""
    current, opponent = living(current, mask)
    return scatter(current + mask + BOTTOM, opponent)


@kernel(inline=True)
def mirror_key(current: int, mask: int) -> int:
    """Return the key of a position's mirror image."""
    current, opponent = living(current, mask)
    return scatter(mirror(current) + mirror(mask) + BOTTOM, mirror(opponent))


@kernel(inline=True)
def shared_key(current: int, mask: int, ply: int) -> int:
    """Return the key of a position; in the first plies, the same one for its mirror image."""
    key = position_key(current, mask)
    if ply < MIRROR_PLIES:
        key = min(key, mirror_key(current, mask))
    return key
