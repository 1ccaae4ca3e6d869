"""A diagram: 42 cells (column * 6 + row), most urgent first; how it is reflected, compiled and played."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.game import Board
from bot.game.board import COLUMNS, ROWS, STRIDE
from bot.proof.kernels.rules import chosen

Ranks = NDArray[np.int64]
"""A diagram for the kernels, shape (49,): the rank of each bit of the board, smallest first."""
BITS = [column * STRIDE + row for column in range(COLUMNS) for row in range(ROWS)]
"""The number of each cell's bit on the board."""
_UNUSED = 1000
"""Rank of the bits above the board's columns."""


def mirror_order(order: bytes) -> bytes:
    """Return the diagram reflected left to right."""
    return bytes((COLUMNS - 1 - cell // ROWS) * ROWS + cell % ROWS for cell in order)


def ranks_of(order: bytes) -> Ranks:
    """Return the diagram for the kernels."""
    ranks = np.full(COLUMNS * STRIDE, _UNUSED, np.int64)
    ranks[[BITS[cell] for cell in order]] = np.arange(len(BITS))
    return ranks


def step(board: Board, order: bytes) -> tuple[int, int]:
    """Return the column that a diagram plays for the side to move of ``board``, and the rule that decided."""
    cell, rule = chosen(board.current, board.mask, ranks_of(order))
    return (cell.bit_length() - 1) // STRIDE, rule
