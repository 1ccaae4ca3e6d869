"""The rules on a plain grid, as the server writes it: independent of the bitboards, so that one checks the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from bot.course.protocol import EMPTY_GRID, NEW_GAME, Grid

OURS, THEIRS = 1, -1
"""Values of our discs and the bot's in a grid."""
_WINDOWS = [
    tuple((row + step * down) * 7 + column + step * right for step in range(4))
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    for row in range(6)
    for column in range(7)
    if row + 3 * down < 6 and 0 <= column + 3 * right < 7
]


def has_four(grid: Sequence[Sequence[int]], player: int) -> bool:
    """Return whether ``player`` (1 or -1) has four in a row on a 6 x 7 ``grid``."""
    cells = [cell == player for row in grid for cell in row]
    return any(cells[a] and cells[b] and cells[c] and cells[d] for a, b, c, d in _WINDOWS)


def results_of(grid: Grid) -> set[float]:
    """Return the results that a server may give for this board: 0 while the game is running.

    A four made by the 42nd disc is a draw for a server that looks for a full board first, and a win for others.
    """
    full = all(grid[0])
    for player in (OURS, THEIRS):
        if has_four(grid, player):
            return {float(player), 0.5} if full else {float(player)}
    return {0.5} if full else {0.0}


def as_grid(value: Any) -> Grid | None:
    """Return a record's value as a grid; None if it is not 6 rows of 7 cells of 1, -1 and 0."""
    if not isinstance(value, (list, tuple)) or len(value) != 6:
        return None
    if any(not isinstance(row, (list, tuple)) or len(row) != 7 for row in value):
        return None
    if any(type(cell) is not int or not -1 <= cell <= 1 for row in value for cell in row):
        return None
    return tuple(tuple(row) for row in value)


def has_floating_disc(grid: Grid) -> bool:
    """Return whether a disc has an empty cell below it."""
    return any(upper and not lower for rows in pairwise(grid) for upper, lower in zip(*rows, strict=True))


def is_column(value: Any) -> bool:
    """Return whether a record's value is a column 0..6."""
    return type(value) is int and 0 <= value <= 6


def count(grid: Grid, player: int) -> int:
    """Return the number of cells that hold ``player`` (1, -1, or 0 for empty)."""
    return sum(row.count(player) for row in grid)


def discs(grid: Grid) -> int:
    """Return the number of discs on the board."""
    return 42 - count(grid, 0)


def drop(grid: Grid, column: int, player: int) -> Grid | None:
    """Return the grid with one more disc in ``column``; None if the column is full."""
    for row in range(5, -1, -1):
        cells = grid[row]
        if cells[column] == 0:
            return (*grid[:row], (*cells[:column], player, *cells[column + 1 :]), *grid[row + 1 :])
    return None


def after_ours(grid: Grid, move: int) -> Grid | None:
    """Return the grid after our ``move``, which is empty after -1; None if the column is full."""
    return EMPTY_GRID if move == NEW_GAME else drop(grid, move, OURS)


def answers(grid: Grid, move: int) -> Iterator[Grid]:
    """Yield the boards that a reply to ``move`` can show: without and with each answer of the bot."""
    ours = after_ours(grid, move)
    if ours is None:
        return
    yield ours
    if move == NEW_GAME or not has_four(ours, OURS):
        for column in range(7):
            answered = drop(ours, column, THEIRS)
            if answered is not None:
                yield answered


def is_within(grid: Grid, later: Grid) -> bool:
    """Return whether ``later`` holds every disc of ``grid``."""
    return all(
        cell in (0, then)
        for row, row_then in zip(grid, later, strict=True)
        for cell, then in zip(row, row_then, strict=True)
    )


def possible_boards(known: Grid, lost: Sequence[int], after: Grid) -> list[Grid]:
    """Return the boards that the server may have held after ``known`` and requests whose replies were lost.

    Each of the ``lost`` requests was processed and answered by the bot, or was not processed. Only boards whose discs
    are all in ``after`` are returned. A request whose disc ended the game is not considered.
    """
    grids = [known]
    for move in lost:
        for grid in tuple(grids):
            for answered in answers(grid, move):
                unanswered = move != NEW_GAME and discs(answered) == discs(grid) + 1
                if not unanswered and answered not in grids and is_within(answered, after):
                    grids.append(answered)
    return grids


def played(moves: Any, we_started: bool) -> Grid | None:
    """Return the board after a string of columns 1-7 in order of play; None if the string is invalid."""
    grid: Grid | None = EMPTY_GRID
    player = OURS if we_started else THEIRS
    for digit in str(moves):
        if digit not in "1234567" or grid is None:
            return None
        grid = drop(grid, int(digit) - 1, player)
        player = -player
    return grid


def answered_column(met: Grid, move: int, after: Grid) -> int:
    """Return the column of the bot's new disc; -1 if it has not moved."""
    ours = after_ours(met, move)
    return next((column for column in range(7) if ours is not None and drop(ours, column, THEIRS) == after), -1)


def difference(before: Grid, move: int, after: Grid) -> str:
    """Return in a clause why ``after`` does not follow from ``before`` by our ``move``."""
    if move == NEW_GAME:
        return "a new game cannot begin on this board."
    if not is_within(before, after):
        return "discs of the last board are missing or have changed."
    ours = after_ours(before, move)
    if ours is None:
        return "our disc went into a full column."
    if not is_within(ours, after) or count(after, OURS) != count(ours, OURS):
        return "our disc is not where we sent it."
    return "the bot has not answered with one disc of its own."
