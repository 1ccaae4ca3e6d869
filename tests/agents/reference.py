"""Minimax in plain Python with the evaluations of three publications, close to the papers' text.

A grid is seven lists of discs from the bottom up, +1 for the maximiser and -1 for the minimiser. This module uses
neither bitboards nor the code of the agents. What the papers differ in (leaf values, values of finished games, order of
the columns) is a `Program`. At 2d4e2a94 it had the evaluations of all publications; leaf values and moves were recorded
from it then (`papers/leaf_values.txt`, `papers/moves.txt`, `papers/test_sources.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.game import Board

Grid = list[list[int]]
Cell = tuple[int, int]
Leaf = Callable[[Grid, int], float]
"""Value of a grid from the maximiser's view; the second argument is the side to move."""
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))
WINDOWS = [
    [(x + step * dx, y + step * dy) for step in range(4)]
    for dx, dy in DIRECTIONS
    for x in range(7)
    for y in range(6)
    if 0 <= x + 3 * dx < 7 and y + 3 * dy < 6
]
"""All fours, scanned rightward and upward; falling diagonals up and leftward."""


def grid_of(board: Board) -> Grid:
    """Return the grid with the side to move as the maximiser."""
    rows = board.to_grid(1)[::-1]
    return [[row[x] for row in rows if row[x]] for x in range(7)]


def cells_of(grid: Grid) -> dict[Cell, int]:
    return {(x, y): disc for x, discs in enumerate(grid) for y, disc in enumerate(discs)}


def fours(grid: Grid) -> list[list[int]]:
    """Return the four cells of each window: a disc, or 0."""
    cells = cells_of(grid)
    return [[cells.get(cell, 0) for cell in window] for window in WINDOWS]


def winner(grid: Grid) -> int:
    """Return +1 or -1 for the side that has four in a row, else 0."""
    sums = {sum(four) for four in fours(grid)}
    return (4 in sums) - (-4 in sums)


def legal(grid: Grid) -> list[int]:
    return [x for x in range(7) if len(grid[x]) < 6]


def played(grid: Grid, column: int, side: int) -> Grid:
    return [[*discs, side] if x == column else discs for x, discs in enumerate(grid)]


def windows(own: Sequence[int], other: Sequence[int]) -> Leaf:
    """Weigh the windows without a disc of the other side by their own discs, 0 to 4; the minimiser's are subtracted."""

    def value(grid: Grid, _side: int) -> int:
        found = fours(grid)
        return sum(own[four.count(1)] for four in found if -1 not in four) - sum(
            other[four.count(-1)] for four in found if 1 not in four
        )

    return value


tommy = windows((0, 1, 10, 100, 0), (0, 1, 10, 100, 0))
halim = windows(range(1, 1000, 200), range(0, 500, 100))
"""x1 + 200 x2 - 100 x3: x1 counts the own windows, x2 and x3 the discs in them."""


def squares(grid: Grid, _side: int) -> int:
    """Return Kang's second heuristic: each disc counts the windows through its cell."""
    return sum(map(sum, fours(grid)))


@dataclass(frozen=True)
class Program:
    """What distinguishes one program's minimax from another's."""

    leaf: Leaf
    won: Callable[[Grid, int, int], float]
    """Value of a finished game from the grid, the winner and the plies left."""
    order: Sequence[int] = range(7)
    drawn: int | None = None
    """Value of a full board; None: its leaf value."""


HALIM = Program(halim, lambda _grid, who, left: who * (10_000_000 + left))
KANG = Program(squares, lambda _grid, who, _left: who * 10_000_000_000)


def minimax(grid: Grid, side: int, left: int, program: Program) -> float:
    """Return the value for the maximiser, ``left`` plies deep."""
    who = winner(grid)
    if who:
        return program.won(grid, who, left)
    columns = legal(grid)
    if not columns and program.drawn is not None:
        return program.drawn
    if not columns or left == 0:
        return program.leaf(grid, side)
    values = [minimax(played(grid, x, side), -side, left - 1, program) for x in columns]
    return max(values) if side > 0 else min(values)


def column_values(board: Board, depth: int, program: Program) -> dict[int, float]:
    """Return each legal column's value for the side to move, in the program's order."""
    grid = grid_of(board)
    open_columns = legal(grid)
    return {x: minimax(played(grid, x, 1), -1, depth - 1, program) for x in program.order if x in open_columns}
