"""The timed search in plain Python: slow, short, and sharing nothing with the kernels but the weights' names.

A position is a dictionary of discs by (column, row), both from 0, row 0 at the bottom; 1 is the side to move, -1 the
other.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.engine.kernels import evaluate as weights
from bot.game import Board
from tests.agents.reference import WINDOWS

Cell = tuple[int, int]
Cells = dict[Cell, int]

WIN = 10_000


def cells_of(board: Board) -> Cells:
    """Return the discs of a board."""
    grid = board.to_grid()
    return {(c, r): grid[5 - r][c] for c in range(7) for r in range(6) if grid[5 - r][c]}


def counts(cells: Cells, side: int) -> list[int]:
    """Return the number of discs of ``side`` in every window."""
    return [[cells.get(cell) for cell in window].count(side) for window in WINDOWS]


def windows(cells: Cells) -> int:
    """Return 1, 10, 100 for each window with one, two, three discs of the side to move only, less the other side's."""
    pairs = zip(counts(cells, 1), counts(cells, -1), strict=True)
    return sum((0, 1, 10, 100)[mine] - (0, 1, 10, 100)[theirs] for mine, theirs in pairs if not (mine and theirs))


def threats(cells: Cells, side: int) -> set[Cell]:
    """Return the empty cells that complete four for ``side``."""
    three = [window for window, count in zip(WINDOWS, counts(cells, side), strict=True) if count == 3]
    return {cell for window in three for cell in window if cell not in cells}


def above_any(cell: Cell, others: set[Cell]) -> bool:
    """Return whether any of ``others`` lies below ``cell``."""
    return any(column == cell[0] and row < cell[1] for column, row in others)


def evaluate(cells: Cells) -> int:
    """Return the search's evaluation; rows are counted from 0 here, so the first player's odd threats are even."""
    view = -1 if len(cells) % 2 else 1
    cells = {cell: view * side for cell, side in cells.items()}  # from here on, 1 is the first player
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


def moves(cells: Cells) -> list[Cells]:
    """Return the position after each legal move, in the view of the side that is then to move."""
    landing = [(column, sum((column, row) in cells for row in range(6))) for column in range(7)]
    return [{cell: -side for cell, side in {**cells, move: 1}.items()} for move in landing if move[1] < 6]


def value(cells: Cells, depth: int, static: Callable[[Cells], int]) -> int:
    """Return the minimax value after ``depth`` plies; a win is worth `WIN` and its score, a full board nothing."""
    ply = len(cells)
    if 4 in counts(cells, -1):
        return -WIN - 22 + (ply + 1) // 2
    if ply == 42:
        return 0
    return static(cells) if depth == 0 else max(-value(after, depth - 1, static) for after in moves(cells))


def seen(cells: Cells) -> int:
    """Return the exact value where the next two discs decide the game, else the evaluation."""
    near = value(cells, 2, lambda _cells: 0)
    return near if near or len(cells) >= 40 else evaluate(cells)


def score_of(found: int) -> float:
    """Return the score of a proven value, on the scale of `bot.engine.score`; another value as it is."""
    return found - WIN if found > WIN else found + WIN if found < -WIN else found
