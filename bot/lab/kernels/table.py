"""A transposition table with open addressing: rows of key, lower bound and upper bound.

The last row holds the number of entries. A table three quarters full takes no new entries; the search goes on.
"""

from __future__ import annotations

from numpy import int64
from numpy.typing import NDArray

from bot.kernels.bits import mirror
from bot.kernels.jit import kernel
from bot.lab.kernels.rules import INFINITY

Table = NDArray[int64]

KEY, LOWER, UPPER = range(3)
SPREAD = 0x1E3779B97F4A7C15


@kernel()
def table_key(current: int, other: int, depth: int, side: int) -> int:
    """One number for a position and its mirror image, the depth left and who is the maximiser; never 0."""
    mask = current | other
    position = current + mask
    reflected = mirror(current) + mirror(mask)
    return min(position, reflected) << 8 | depth << 1 | (1 if side > 0 else 0)


@kernel()
def slot_of(table: Table, key: int) -> int:
    """Where ``key`` stands, or the empty row where it would."""
    last: int = table.shape[0] - 2
    slot: int = (key * SPREAD >> 20) & last
    while table[slot, KEY] != 0 and table[slot, KEY] != key:
        slot = (slot + 1) & last
    return slot


@kernel()
def claim(table: Table, key: int) -> int:
    """The row of ``key``, newly made with open bounds if need be; -1 when the table is full."""
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
    """Enter all of ``source`` into the empty, larger ``target``."""
    for row in range(source.shape[0] - 1):
        if source[row, KEY] != 0:
            slot = claim(target, source[row, KEY])
            target[slot, LOWER] = source[row, LOWER]
            target[slot, UPPER] = source[row, UPPER]
