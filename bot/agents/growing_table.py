"""The growing transposition table: allocate it for a search, and enlarge it before a deeper one.

Shape (capacity + 1, 3), int64; the layout is described in `bot.agents.kernels.table`.
"""

from __future__ import annotations

import numpy as np

from bot.agents.kernels.arrays import Table
from bot.game.board import COLUMNS

SMALLEST = 1 << 10
"""Least capacity, in entries of 24 bytes."""
LARGEST = 1 << 24
"""Capacity beyond which a table no longer grows, in entries: 400 MB."""

NO_TABLE: Table = np.empty((0, 3), dtype=np.int64)
"""A search with this table keeps nothing."""


def entries_needed(depth: int) -> int:
    """Return the entries to reserve for a search of ``depth`` plies.

    A shallow search gets room for all its inner nodes, a deep one for several times the entries that were measured.
    """
    inner_nodes: int = sum(COLUMNS**level for level in range(depth))
    return min(inner_nodes, 1 << min(depth + 8, 22))


def new_table(room: int = 0) -> Table:
    """Return an empty table for at least ``room`` entries."""
    capacity = SMALLEST
    while 3 * capacity < 4 * room:
        capacity *= 2
    return np.zeros((capacity + 1, 3), dtype=np.int64)


def grown(table: Table, room: int) -> Table:
    """Return ``table``, or a larger copy of it, with space for ``room`` more entries; never larger than LARGEST."""
    capacity = len(table) - 1
    wanted = int(table[capacity, 0]) + room
    if 4 * wanted <= 3 * capacity or capacity >= LARGEST:
        return table
    from bot.agents.kernels.table import copy_entries

    larger = new_table(min(wanted, 3 * LARGEST // 4))
    copy_entries(table, larger)
    return larger
