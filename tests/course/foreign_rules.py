"""Connect Four for a course server written from its protocol alone: the board and small bots.

Nothing here imports the package under test, so that a mistake in its rules cannot hide behind the same mistake here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeAlias

Grid: TypeAlias = tuple[tuple[int, ...], ...]
"""Six rows of seven cells, row 0 on top: 1 is the student's disc, -1 the bot's, 0 an empty cell."""

Answer: TypeAlias = Callable[[Grid, "int | None"], int]
"""A bot: maps the board and the student's last column (None when the bot opens the game) to a column."""

STUDENT = 1
BOT = -1
ROWS = 6
COLUMNS = 7
EMPTY: Grid = ((0,) * COLUMNS,) * ROWS
CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)

_LINES = tuple(
    tuple((row + i * down) * COLUMNS + column + i * right for i in range(4))
    for row in range(ROWS)
    for column in range(COLUMNS)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if row + 3 * down < ROWS and 0 <= column + 3 * right < COLUMNS
)


def drop(grid: Grid, column: int, disc: int) -> Grid:
    """Return the board after a disc has been dropped into a column that has room."""
    row = max(row for row in range(ROWS) if not grid[row][column])
    cells = grid[row]
    return (*grid[:row], (*cells[:column], disc, *cells[column + 1 :]), *grid[row + 1 :])


def replay(moves: Sequence[int], *, student_started: bool) -> Grid:
    """Return the board after the given columns, played in turn."""
    grid, disc = EMPTY, STUDENT if student_started else BOT
    for column in moves:
        grid, disc = drop(grid, column, disc), -disc
    return grid


def open_columns(grid: Grid) -> list[int]:
    """Return the columns that have room."""
    return [column for column in range(COLUMNS) if not grid[0][column]]


def has_four(grid: Grid, disc: int) -> bool:
    """Return whether a player has four in a row."""
    cells = [cell for row in grid for cell in row]
    return any(cells[a] == cells[b] == cells[c] == cells[d] == disc for a, b, c, d in _LINES)


class AlphaBetaBot:
    """Look a few plies ahead; among equal columns, take the first in an order."""

    def __init__(self, depth: int, order: Sequence[int] = CENTRE_FIRST) -> None:
        self.depth = depth
        self.order = order

    def __call__(self, grid: Grid, last_student_column: int | None) -> int:  # noqa: ARG002
        columns = [column for column in self.order if not grid[0][column]]
        return max(columns, key=lambda column: -_value(drop(grid, column, BOT), STUDENT, self.depth - 1))


def _value(grid: Grid, disc: int, depth: int) -> int:
    """Return the value of a position for the player to move: sooner wins count more."""
    if has_four(grid, -disc):
        return -depth - 1
    columns = open_columns(grid) if depth else []
    return max((-_value(drop(grid, column, disc), -disc, depth - 1) for column in columns), default=0)


lowest_column_bot = AlphaBetaBot(2, range(COLUMNS))
"""Win at once, else do not let the student win at once, else take the lowest-numbered column with room."""


def random_bot(seed: int) -> Answer:
    """Return a bot that plays a random column with room, the same ones for the same seed."""
    rng = random.Random(seed)
    return lambda grid, last_student_column: rng.choice(open_columns(grid))  # noqa: ARG005


def scripted_bot(columns: str) -> Answer:
    """Return a bot that plays the given columns, 1 to 7, in turn, in all its games together."""
    left = [int(column) - 1 for column in columns]
    return lambda grid, last_student_column: left.pop(0)  # noqa: ARG005
