"""The transposition table of the searches with memory, seen from Python."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SMALLEST = 1 << 20
LARGEST = 1 << 24
"""Entries of 24 bytes. Untouched pages of a new table cost nothing."""

Table = NDArray[np.int64]


def new_table(capacity: int = SMALLEST) -> Table:
    """An empty table for ``capacity`` entries, a power of two."""
    return np.zeros((capacity + 1, 3), dtype=np.int64)


def with_room(table: Table) -> Table:
    """The same table, or one twice its size with the same entries when it is half full."""
    capacity = len(table) - 1
    if 2 * int(table[capacity, 0]) < capacity or capacity >= LARGEST:
        return table
    from bot.lab.kernels.table import copy_entries

    larger = new_table(2 * capacity)
    copy_entries(table, larger)
    return larger
