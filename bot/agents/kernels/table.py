"""A transposition table with open addressing, shape (capacity + 1, 3), int64: rows of key, lower bound, upper bound.

The capacity is a power of two. The first word of the last row is the number of entries. A table that is three quarters
full takes no new entries, and the search continues without them.
"""

from __future__ import annotations

from bot.agents.kernels.arrays import Table
from bot.agents.kernels.rules import INFINITY
from bot.engine.jit.bits import mirror
from bot.engine.jit.compiling import kernel

KEY, LOWER, UPPER = range(3)
SPREAD = 0x1E3779B97F4A7C15
"""Odd multiplier of the hash function."""


@kernel()
def table_key(current: int, other: int, depth: int, side: int, mirrored: int) -> int:
    """Return the key of a position, the remaining depth and the maximiser's side; never 0.

    With ``mirrored`` 1 a position and its mirror image share a key.
    """
    mask = current | other
    position = current + mask
    if mirrored:
        position = min(position, mirror(current) + mirror(mask))
    return position << 8 | depth << 1 | (1 if side > 0 else 0)


@kernel()
def slot_of(table: Table, key: int) -> int:
    """Return the row of ``key``, or the empty row where it belongs."""
    last: int = table.shape[0] - 2
    slot: int = (key * SPREAD >> 20) & last
    while table[slot, KEY] != 0 and table[slot, KEY] != key:
        slot = (slot + 1) & last
    return slot


@kernel()
def bounds_of(table: Table, key: int) -> tuple[int, int]:
    """Return the lower and the upper bound under ``key``; those of a position that is not there are open."""
    slot = slot_of(table, key)
    if table[slot, KEY] != key:
        return -INFINITY, INFINITY
    return table[slot, LOWER], table[slot, UPPER]


@kernel()
def claim(table: Table, key: int) -> int:
    """Return the row of ``key``, added with open bounds if it is new; -1 when the table is full."""
    slot = slot_of(table, key)
    if table[slot, KEY] == key:
        return slot
    capacity = table.shape[0] - 1
    if 4 * table[capacity, 0] >= 3 * capacity:
        return -1
    table[capacity, 0] += 1
    table[slot, KEY] = key
    table[slot, LOWER] = -INFINITY
    table[slot, UPPER] = INFINITY
    return slot


@kernel()
def copy_entries(source: Table, target: Table) -> None:
    """Copy all entries of ``source`` into ``target``, which is empty and larger."""
    for row in range(source.shape[0] - 1):
        if source[row, KEY] != 0:
            place = claim(target, source[row, KEY])
            for word in range(source.shape[1]):  # for a whole row, numba compiles an error message, which takes seconds
                target[place, word] = source[row, word]
