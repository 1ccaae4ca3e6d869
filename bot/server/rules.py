"""The game on a plain grid: the independent check on the engine's bitboards.

A grid is a list of 6 rows of 7 cells, row 0 on top: 1 the student's disc, -1 the bot's, 0 empty. Nothing here knows
of bit patterns, and nothing is shared with the engine: if the two disagree, one of them is wrong.
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

Grid = list[list[int]]


def empty_grid() -> Grid:
    """A board without discs."""
    return [[0] * COLUMNS for _ in range(ROWS)]


def playable(grid: Grid) -> list[int]:
    """Columns 0..6 with room, left to right."""
    return [column for column in range(COLUMNS) if grid[0][column] == 0]


def drop(grid: Grid, column: int, player: int) -> None:
    """Let a disc of ``player`` fall into ``column``, in place; raises ValueError when it is full."""
    for row in reversed(range(ROWS)):
        if grid[row][column] == 0:
            grid[row][column] = player
            return
    raise ValueError(f"column {column} is full")


def has_four(grid: Grid, player: int) -> bool:
    """Whether ``player`` has four in a row anywhere."""
    for row in range(ROWS):
        for column in range(COLUMNS):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_column = row + 3 * down, column + 3 * right
                if last_row >= ROWS or not 0 <= last_column < COLUMNS:
                    continue
                if all(grid[row + step * down][column + step * right] == player for step in range(4)):
                    return True
    return False


def result_after(grid: Grid, player: int) -> float | None:
    """The student's result once ``player`` has just moved; None while the game goes on.

    The course server looks for a full top row before it looks for a four, so a four made by the 42nd disc scores
    as a draw. That quirk is kept here: a client has to live with it.
    """
    if not playable(grid):
        return DRAW
    if has_four(grid, player):
        return WIN if player == STUDENT else LOSS
    return None
