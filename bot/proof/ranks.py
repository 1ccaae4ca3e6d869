"""Convert a diagram to the array that the kernels read: the rank of each bit of the board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.game.board import COLUMNS, ROWS, STRIDE

Ranks = NDArray[np.int64]
"""Shape (49,): the rank of each bit of the board, smallest first."""

CELLS = [column * STRIDE + row for column in range(COLUMNS) for row in range(ROWS)]
_UNUSED = 1000
"""Rank of the bits above the board's columns."""


def ranks_of(order: bytes) -> Ranks:
    """Return the rank of each bit of the board, from a diagram's 42 cells (column * 6 + row), most urgent first."""
    ranks = np.full(COLUMNS * STRIDE, _UNUSED, np.int64)
    ranks[[CELLS[cell] for cell in order]] = np.arange(len(CELLS))
    return ranks
