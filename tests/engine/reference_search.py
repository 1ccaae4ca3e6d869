"""The timed search in plain Python: slow, short, and sharing nothing with the kernels but the weights' names.

The grids, the minimax and what a value of a grid means are those of the papers' reference.
"""

from __future__ import annotations

from bot.engine.kernels import evaluate as weights
from bot.game import Board
from tests.agents.reference import WINDOWS, Cell, Grid, Leaf, Program, cells_of, grid_of, minimax, tommy

WIN = 10_000


def program(leaf: Leaf) -> Program:
    """Return the minimax with this value of the leaves: a win is worth `WIN` and its score, a full board nothing."""
    return Program(leaf, lambda grid, who, *_: who * (WIN + 22 - (sum(map(len, grid)) + 1) // 2), drawn=0)


WINDOWS_ONLY, NEAR = program(tommy), program(lambda *_: 0)
"""Minimax that knows the numbers of discs in windows, and one that knows finished games only."""


def threats(cells: dict[Cell, int], side: int) -> set[Cell]:
    """Return the empty cells that complete four for ``side``."""
    three = [window for window in WINDOWS if [cells.get(cell) for cell in window].count(side) == 3]
    return {cell for window in three for cell in window if cell not in cells}


def above_any(cell: Cell, others: set[Cell]) -> bool:
    """Return whether any of ``others`` lies below ``cell``."""
    return any(column == cell[0] and row < cell[1] for column, row in others)


def evaluate(grid: Grid, side: int) -> int:
    """Return the search's evaluation; rows are counted from 0 here, so the first player's odd threats are even."""
    cells = cells_of(grid)
    view = -side if len(cells) % 2 else side
    cells = {cell: view * disc for cell, disc in cells.items()}  # from here on, 1 is the first player
    first, second = threats(cells, 1), threats(cells, -1)
    odd, even = {cell for cell in first if cell[1] % 2 == 0}, {cell for cell in second if cell[1] % 2}
    value = weights.MIDDLE * cells.get((3, 2), 0)
    for worth, own, lower in (
        (weights.FIRST_ODD, odd, even),
        (weights.FIRST_EVEN, first - odd, second),
        (-weights.SECOND_EVEN, even, odd),
        (-weights.SECOND_ODD, second - even, first),
    ):
        value += worth * len({cell[0] for cell in own if not above_any(cell, lower)})
    deciding = {cell for cell in odd if not above_any(cell, even)} | {cell for cell in even if not above_any(cell, odd)}
    for window in WINDOWS:
        sides = {cells[cell] for cell in window if cell in cells}
        missing = [cell for cell in window if cell not in cells]
        if len(sides) != 1 or len(missing) < 2 or any(above_any(cell, deciding) for cell in missing):
            continue
        few = len(missing) == 3
        value += sum(sides) * (weights.ONE_DISC if few else weights.TWO_DISCS)
        if sides == {1} and all(row % 2 == 0 for _, row in missing):
            value += weights.FIRST_ONE if few else weights.FIRST_TWO
        if sides == {-1} and all(row == 1 for _, row in missing):
            value -= weights.SECOND_ONE if few else weights.SECOND_TWO
    return view * value


def seen(grid: Grid, side: int) -> float:
    """Return the exact value where the next two discs decide the game, else the evaluation."""
    near = minimax(grid, side, 2, NEAR)
    return near if near or sum(map(len, grid)) >= 40 else evaluate(grid, side)


SEARCH = program(seen)


def value(board: Board, depth: int) -> float:
    """Return the value of the timed search."""
    return minimax(grid_of(board), 1, depth, SEARCH)


def score_of(found: float) -> float:
    """Return the score of a proven value, on the scale of `bot.engine.score`; another value as it is."""
    return found - WIN if found > WIN else found + WIN if found < -WIN else found
