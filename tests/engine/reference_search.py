"""The search in plain Python on a plain grid: slow, short, and sharing nothing with the kernels but the rules' names.

A grid is a list of seven columns, each a list of 1 (the side to move) and -1, bottom first.
"""

from __future__ import annotations

from bot.engine.kernels import evaluate as weights
from bot.game import Board

WIN = 10_000
WINDOWS = [
    [(column + step * right, row + step * up) for step in range(4)]
    for column in range(7)
    for row in range(6)
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
    if 0 <= column + 3 * right < 7 and 0 <= row + 3 * up < 6
]

Cells = dict[tuple[int, int], int]


def cells_of(board: Board) -> Cells:
    """Return the discs by (column, row), 1 for the side to move."""
    grid = board.to_grid()
    return {(c, r): grid[5 - r][c] for c in range(7) for r in range(6) if grid[5 - r][c]}


def contents(cells: Cells) -> list[tuple[int, int]]:
    """Return the number of discs of the side to move and of the other side for every window."""
    values = [[cells.get(cell, 0) for cell in window] for window in WINDOWS]
    return [(row.count(1), row.count(-1)) for row in values]


def windows(cells: Cells, worth: tuple[int, int, int]) -> int:
    """Return the value of the windows of one side only, by their number of discs, minus the other side's."""
    total = 0
    for mine, theirs in contents(cells):
        if theirs == 0 and 0 < mine < 4:
            total += worth[mine - 1]
        if mine == 0 and 0 < theirs < 4:
            total -= worth[theirs - 1]
    return total


def threats(cells: Cells, side: int) -> set[tuple[int, int]]:
    """Return the empty cells that complete four for ``side``."""
    found = set()
    for window in WINDOWS:
        values = [cells.get(cell, 0) for cell in window]
        if values.count(side) == 3 and values.count(0) == 1:
            found.add(window[values.index(0)])
    return found


def swapped(cells: Cells) -> Cells:
    """Return the same discs in the other side's view."""
    return {cell: -side for cell, side in cells.items()}


def above_any(cell: tuple[int, int], others: set[tuple[int, int]]) -> bool:
    """Return whether any of ``others`` lies below ``cell``."""
    return any(column == cell[0] and row < cell[1] for column, row in others)


def threat_score(first: set[tuple[int, int]], second: set[tuple[int, int]]) -> int:
    """Return the value of both players' threats in the first player's view; rows are counted from 0 here."""
    odd, even = {cell for cell in first if cell[1] % 2 == 0}, {cell for cell in second if cell[1] % 2 == 1}

    def columns(cells: set[tuple[int, int]], shadows: set[tuple[int, int]]) -> int:
        return len({column for column, row in cells if not above_any((column, row), shadows)})

    return (
        weights.FIRST_ODD * columns(odd, even)
        + weights.FIRST_EVEN * columns(first - odd, second)
        - weights.SECOND_EVEN * columns(even, odd)
        - weights.SECOND_ODD * columns(second - even, first)
    )


def evaluate(cells: Cells) -> int:
    """Return the search's evaluation in the first player's view; here 1 is a disc of the first player."""
    first, second = threats(cells, 1), threats(cells, -1)
    odd, even = {cell for cell in first if cell[1] % 2 == 0}, {cell for cell in second if cell[1] % 2 == 1}
    deciding = {cell for cell in odd if not above_any(cell, even)} | {cell for cell in even if not above_any(cell, odd)}
    value = threat_score(first, second) + weights.MIDDLE * cells.get((3, 2), 0)
    for window in WINDOWS:
        sides = {cells[cell] for cell in window if cell in cells}
        missing = [cell for cell in window if cell not in cells]
        if len(sides) != 1 or len(missing) < 2 or any(above_any(cell, deciding) for cell in missing):
            continue
        two = len(missing) == 2
        if sides == {1}:
            value += weights.TWO_DISCS if two else weights.ONE_DISC
            if all(row % 2 == 0 for _, row in missing):
                value += weights.FIRST_TWO if two else weights.FIRST_ONE
        else:
            value -= weights.TWO_DISCS if two else weights.ONE_DISC
            if all(row == 1 for _, row in missing):
                value -= weights.SECOND_TWO if two else weights.SECOND_ONE
    return value


def has_four(cells: Cells, side: int) -> bool:
    return any((mine if side == 1 else theirs) == 4 for mine, theirs in contents(cells))


def landing(cells: Cells) -> list[tuple[int, int]]:
    """Return the lowest empty cell of every column with room."""
    heights = [sum((column, row) in cells for row in range(6)) for column in range(7)]
    return [(column, height) for column, height in enumerate(heights) if height < 6]


def after(cells: Cells, move: tuple[int, int]) -> Cells:
    """Return the position after ``move``, in the view of the side that is then to move."""
    return {cell: -value for cell, value in {**cells, move: 1}.items()}


def win_score(ply: int) -> int:
    """Return the value of a win with the disc that follows ``ply`` discs."""
    return WIN + 22 - (ply // 2 + 1)


def ends_soon(cells: Cells) -> int | None:
    """Return the exact value where one or two discs decide the game, else None."""
    ply = len(cells)
    moves = landing(cells)
    if any(has_four({**cells, move: 1}, 1) for move in moves):
        return win_score(ply)
    if moves and all(any(has_four({**c, m: 1}, 1) for m in landing(c)) for c in (after(cells, m) for m in moves)):
        return -win_score(ply + 1)
    return None


def search_value(cells: Cells, horizon: int, static) -> int:
    """Return the minimax value at the ply ``horizon``; ``static`` evaluates leaves that two discs do not decide."""
    ply = len(cells)
    if ply == 42:
        return 0
    soon = ends_soon(cells)
    if soon is not None:
        return soon
    if ply >= 40:
        return 0
    if ply >= horizon:
        return static(cells)
    return max(-search_value(after(cells, move), horizon, static) for move in landing(cells))


def minimax_value(cells: Cells, depth: int, worth: tuple[int, int, int]) -> int:
    """Return the value of plain minimax, as the course describes its bot."""
    ply = len(cells)
    if has_four(cells, -1):
        return -win_score(ply - 1)
    if ply == 42:
        return 0
    if depth == 0:
        return windows(cells, worth)
    return max(-minimax_value(after(cells, move), depth - 1, worth) for move in landing(cells))
