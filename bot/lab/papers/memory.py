"""The transposition table of the searches with memory, seen from Python."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.game.board import COLUMNS

SMALLEST = 1 << 10
LARGEST = 1 << 24
"""Entries of 24 bytes."""
Table = NDArray[np.int64]


def entries_needed(depth: int) -> int:
    """Room for a search of ``depth`` plies: all its inner nodes, or several times what deep ones were seen to enter."""
    inner_nodes: int = sum(COLUMNS**level for level in range(depth))
    return min(inner_nodes, 1 << min(depth + 8, 22))


def new_table(room: int = 0) -> Table:
    """An empty table that takes at least ``room`` entries."""
    capacity = SMALLEST
    while 3 * capacity < 4 * room:
        capacity *= 2
    return np.zeros((capacity + 1, 3), dtype=np.int64)


def with_room(table: Table, room: int) -> Table:
    """The same table, or a larger one with the same entries, that takes ``room`` more; never beyond LARGEST."""
    capacity = len(table) - 1
    wanted = int(table[capacity, 0]) + room
    if 4 * wanted <= 3 * capacity or capacity >= LARGEST:
        return table
    from bot.lab.kernels.table import copy_entries

    larger = new_table(min(wanted, 3 * LARGEST // 4))
    copy_entries(table, larger)
    return larger
