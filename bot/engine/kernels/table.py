"""The solver's transposition table: keys, entries, and growth.

**Key.** A disc that can no longer be part of any four of its side is dead. The score of a position depends only on
which cells are filled, which also tells whose turn it is, and on the living discs (a line that a side can still fill
has no disc of the other side on it, so its discs all live). Positions that differ only in dead discs share one entry.
(Idea: C. Steininger's solver c4.)

**Entry.** A table is an int64 array whose used part is a power of two of words, at least two. An entry is one word::

    63              16 15     12 11      6 5       0
    [ 48 bits of key ][  work  ][  upper  ][  lower  ]       0: empty

The bounds have ``OFFSET`` added. ``work`` is half the binary logarithm of the nodes that proved them. The key's low
bits choose the bucket of two entries. The first is the one with more work behind it, the second the latest of the
others.

Keys are hashes. Stored bits and bucket together tell 55 bits of a key apart in the smallest part of a table, 62 from
512 KB on: a look-up in 4 MB of entries takes that of another position with a probability of about 2^-43.

**Growth.** Emptying a table of 4 MB takes as long as a search of 2,000 nodes (commit 88bad60), and most late positions
need fewer than 100. So a search begins with a small part of its table, which grows with the nodes visited. A growth
copies the part in use as often as it fits: wherever a key leads then, its entry lies there. Later entries replace the
superfluous copies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.cpython.unsafe.numbers import leading_zeros
from numba.extending import intrinsic
from numpy import int64, uint64

from bot.engine.jit.arrays import Words
from bot.engine.jit.bits import BOTTOM, FULL, mirror
from bot.engine.jit.compiling import kernel
from bot.engine.jit.vectors import covered

OFFSET = 32
"""Added to the bounds in an entry, so that they are not negative."""
_KEY = ~0xFFFF
_WORK_SHIFT = 12
_MOST_WORK = 15
FIRST_WORDS = 1 << 9
"""Words in use when a search begins, 4 KB: clearing 8 KB costs 2 % of the time of `Test_L3_R1` (e9ce15a)."""
FACTOR = 4
"""Growth of the part in use, each time that the search has visited as many nodes as it has words."""
_MINE, _THEIRS, _HALF = uint64(0x9E3779B97F4A7C15), uint64(0xC2B2AE3D27D4EB4F), uint64(32)
"""Odd multipliers with bits well spread: 2^64 divided by the golden ratio, and a prime of xxHash64."""
MIRROR_PLIES = 12
"""Before this ply, a position and its mirror image have the same key; later positions and their images hardly ever
meet."""
_NEGATIVE = -(1 << 63)


@kernel(inline=True)
def scatter(mine: int, theirs: int) -> int:
    """Return the key of two boards: a negative number, so that no key equals an empty entry.

    Two positions collide about once in 2^63. Unsigned arithmetic: the compiler may assume that signed products do not
    overflow, and these do.
    """
    key = uint64(mine) * _MINE + uint64(theirs) * _THEIRS
    scattered: int = int64(key ^ (key >> _HALF)) | _NEGATIVE
    return scattered


@kernel("UniTuple(i8,2)(i8,i8)", inline=True)
def living(current: int, mask: int) -> tuple[int, int]:
    """Return the living discs of the side to move and of the other side."""
    opponent, empty = current ^ mask, FULL ^ mask
    return current & covered(current | empty), opponent & covered(opponent | empty)


@kernel("i8(i8,i8)", inline=True)
def position_key(current: int, mask: int) -> int:
    """Return the key of a position. One more bit above each column makes the first board include the heights."""
    current, opponent = living(current, mask)
    return scatter(current + mask + BOTTOM, opponent)


@kernel("i8(i8,i8)", inline=True)
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


@intrinsic
def _prefetch(_context: Any, table: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        address = builder.bitcast(builder.gep(arguments[0], [arguments[1]]), ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, word, word, word])
        function = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
        to_read, keep_close, data = (ir.Constant(word, number) for number in (0, 3, 1))
        builder.call(function, [address, to_read, keep_close, data])
        return context.get_dummy_value()

    return types.void(table, index), generate


prefetch: Callable[[Words, int], None] = _prefetch  # type: ignore[assignment]
"""Fetches an entry into the processor's cache."""


@kernel(inline=True)
def bucket_of(key: int, index_mask: int) -> int:
    """Return the index of the first entry of the key's bucket."""
    return key & index_mask & ~1


@kernel("i8(CPointer(i8),i8,i8)", inline=True)
def probe(table: Words, bucket: int, key: int) -> int:
    """Return the position's entry, or 0."""
    entry: int = table[bucket]
    if (entry ^ key) & _KEY == 0:
        return entry
    entry = table[bucket + 1]
    if (entry ^ key) & _KEY == 0:
        return entry
    return 0


@kernel(inline=True)
def lower_of(entry: int) -> int:
    """Return an entry's bound from below."""
    return (entry & 63) - OFFSET


@kernel(inline=True)
def upper_of(entry: int) -> int:
    """Return an entry's bound from above."""
    return ((entry >> 6) & 63) - OFFSET


@kernel("void(CPointer(i8),i8,i8,i8,i8,i8)", inline=True)
def store(table: Words, bucket: int, key: int, lower: int, upper: int, nodes: int) -> None:
    """Store the bounds that a search of ``nodes`` nodes proved; an entry with more work stays in the bucket."""
    work = min((64 - leading_zeros(nodes)) >> 1, _MOST_WORK)  # type: ignore[call-arg]  # numba gives the context
    entry = (key & _KEY) | work << _WORK_SHIFT | (upper + OFFSET) << 6 | (lower + OFFSET)
    first: int = table[bucket]
    if (first ^ key) & _KEY == 0:
        table[bucket] = entry
    elif (first >> _WORK_SHIFT) & _MOST_WORK <= work:
        table[bucket + 1] = first
        table[bucket] = entry
    else:
        table[bucket + 1] = entry


@kernel(inline=True)
def first_mask(largest_mask: int) -> int:
    """Return the index mask with which a search begins."""
    return min(FIRST_WORDS - 1, largest_mask)


@kernel(inline=True)
def nodes_until_growth(used_mask: int, largest_mask: int, limit: int) -> int:
    """Return the number of nodes at which the part in use must grow, at most ``limit``."""
    if used_mask == largest_mask:
        return limit
    return min(limit, used_mask + 1)


@kernel(inline=True)
def grown(table: Words, used_mask: int, largest_mask: int) -> int:
    """Fill the next part of the table with copies of the part in use, and return the index mask that includes both."""
    mask = min(used_mask * FACTOR + FACTOR - 1, largest_mask)
    for place in range(used_mask + 1, mask + 1):
        table[place] = table[place & used_mask]
    return mask
