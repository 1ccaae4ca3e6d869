"""Which of the 69 lines a player overlooks in one move.

People miss diagonals more often than rows and rows more often than columns, lines far from where they look, lines with
a gap, lines that must still be imagined, and the opponent's lines more often than their own.
"""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

from bot.game import Board
from bot.game.board import CELLS, COLUMNS, DIRECTIONS, ROWS, STRIDE, has_four

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Factors on a level's probability of overlooking a line, as those in `kernels/playing.py`. They set the kind of the
# misses; how many there are is fitted by the levels' own probability (200 games each; README.md).
BY_DIRECTION = {1: 0.35, STRIDE: 0.9, STRIDE - 1: 1.5, STRIDE + 1: 1.5}
"""Vertical, horizontal, and the two diagonals."""
NEAR, FAR = 0.6, 1.4
"""A line that reaches the column where the player looks or a neighbour; one that keeps more than two columns away."""


@cache
def lines() -> tuple[tuple[int, int], ...]:
    """Return the 69 lines of four cells, each with its direction (a bit distance of `bot.game.board.DIRECTIONS`)."""
    found = []
    for direction in DIRECTIONS:
        for bit in range(CELLS + COLUMNS):
            cells = [bit + step * direction for step in range(4)]
            if all(cell < CELLS + COLUMNS and cell % STRIDE < ROWS for cell in cells):
                found.append((sum(1 << cell for cell in cells), direction))
    return tuple(line for line in found if has_four(line[0]))


def focus(board: Board, rng: random.Random) -> int:
    """Return the column where the player looks: one with an opponent's disc on top, the middle where there is none."""
    tops = [
        column
        for column in range(COLUMNS)
        if (height := (board.mask >> column * STRIDE & (1 << ROWS) - 1).bit_length())
        and board.opponent >> column * STRIDE + height - 1 & 1
    ]
    return rng.choice(tops) if tops else COLUMNS // 2


@cache
def tables() -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the lines, and by the column where the player looks the factor of each line, for the kernels."""
    import numpy as np

    factors = np.array([_factors(column) for column in range(COLUMNS)])
    return np.array([line for line, _ in lines()], np.int64), factors


def seen_lines(board: Board, overlook: float, rng: random.Random) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the lines that the side to move of ``board`` sees in this move: for itself, and for its opponent."""
    import numpy as np

    from bot.learn.levels.kernels.playing import seen

    every, factors = tables()
    where = focus(board, rng)
    draws = np.array([rng.random() for _ in range(2 * len(every))])
    return seen(board.current, board.opponent, every, overlook * factors[where], draws)


def _factors(column: int) -> list[float]:
    return [BY_DIRECTION[direction] * _distance_factor(line, column) for line, direction in lines()]


def _distance_factor(line: int, column: int) -> float:
    distance = min(abs(column - at) for at in range(COLUMNS) if line >> at * STRIDE & (1 << ROWS) - 1)
    if distance <= 1:
        return NEAR
    return 1.0 if distance == 2 else FAR
