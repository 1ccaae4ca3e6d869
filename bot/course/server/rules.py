"""The rules on a plain grid, a second implementation on purpose: an error in the bitboards cannot hide in both.

A grid is a list of 6 rows of 7 cells, row 0 on top: 1 is the student's disc, -1 the bot's, 0 empty. This module imports
neither the bitboards nor the engine. Verification of a journal and the tests use it as their second opinion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from bot.course.protocol import DRAWN, LOST, WON

ROWS = 6
COLUMNS = 7
STUDENT = 1
BOT = -1

MutableGrid = list[list[int]]


def empty_grid() -> MutableGrid:
    """Return a board without discs."""
    return [[0] * COLUMNS for _ in range(ROWS)]


def playable(grid: MutableGrid) -> list[int]:
    """Return the columns 0..6 that are not full, from left to right."""
    return [column for column in range(COLUMNS) if grid[0][column] == 0]


def drop(grid: MutableGrid, column: int, player: int) -> None:
    """Drop a disc of ``player`` into ``column``, in place; raise ValueError if the column is full."""
    row = max(row for row in range(ROWS) if grid[row][column] == 0)
    grid[row][column] = player


def grid_after(columns: Iterable[int], student_first: bool) -> MutableGrid:
    """Return the board after both players' moves 0..6 in turn.

    Raises ValueError if a column is full, or a move comes after the game's end.
    """
    grid, player = empty_grid(), STUDENT if student_first else BOT
    for column in columns:
        if result_after(grid, -player) is not None:
            raise ValueError("the game is over")
        drop(grid, column, player)
        player = -player
    return grid


def has_four(grid: MutableGrid, player: int) -> bool:
    """Return whether ``player`` has four in a row."""
    text = ""
    for row in grid:
        for cell in (*row, 0):  # an empty eighth column: no line goes on in the next row
            text += "X" if cell == player else "."
    # Between two cells of a line are this many others: in a row, on the two diagonals, in a column.
    return any(re.search(rf"X(.{{{gap}}}X){{3}}", text) for gap in (0, 6, 7, 8))


def result_after(grid: MutableGrid, player: int) -> float | None:
    """Return the student's result after a move of ``player``; None while the game goes on.

    The course server checks for a full top row before it checks for a four, so a four made by the 42nd disc counts as
    a draw. This quirk is reproduced here because clients meet it.
    """
    if not playable(grid):
        return DRAWN
    if has_four(grid, player):
        return WON if player == STUDENT else LOST
    return None
