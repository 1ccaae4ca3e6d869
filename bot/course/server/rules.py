"""The rules on a plain grid, a second implementation on purpose: an error in the bitboards cannot hide in both.

A grid is a list of 6 rows of 7 cells, row 0 on top: 1 is the student's disc, -1 the bot's, 0 empty. This module imports
neither the bitboards nor the engine. Verification of a journal and the tests use it as their second opinion.
"""

from __future__ import annotations

ROWS = 6
COLUMNS = 7
STUDENT = 1
BOT = -1

WIN = 1.0
DRAW = 0.5
LOSS = -1.0
ILLEGAL = -10.0

MutableGrid = list[list[int]]


def empty_grid() -> MutableGrid:
    """Return a board without discs."""
    return [[0] * COLUMNS for _ in range(ROWS)]


def playable(grid: MutableGrid) -> list[int]:
    """Return the columns 0..6 that are not full, from left to right."""
    return [column for column in range(COLUMNS) if grid[0][column] == 0]


def drop(grid: MutableGrid, column: int, player: int) -> None:
    """Drop a disc of ``player`` into ``column``, in place; raise ValueError if the column is full."""
    for row in reversed(range(ROWS)):
        if grid[row][column] == 0:
            grid[row][column] = player
            return
    raise ValueError(f"column {column} is full")


def has_four(grid: MutableGrid, player: int) -> bool:
    """Return whether ``player`` has four in a row."""
    for row in range(ROWS):
        for column in range(COLUMNS):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_column = row + 3 * down, column + 3 * right
                if last_row >= ROWS or not 0 <= last_column < COLUMNS:
                    continue
                if all(grid[row + step * down][column + step * right] == player for step in range(4)):
                    return True
    return False


def result_after(grid: MutableGrid, player: int) -> float | None:
    """Return the student's result after a move of ``player``; None while the game goes on.

    The course server checks for a full top row before it checks for a four, so a four made by the 42nd disc counts as
    a draw. This quirk is reproduced here because clients meet it.
    """
    if not playable(grid):
        return DRAW
    if has_four(grid, player):
        return WIN if player == STUDENT else LOSS
    return None
