"""The search in plain Python on a plain grid: slow, short, and sharing nothing with the kernels but the rules' names.

A grid is a list of seven columns, each a list of 1 (the side to move) and -1, bottom first.
"""

from __future__ import annotations

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
    """The discs by (column, row), 1 for the side to move."""
    grid = board.to_grid()
    return {(c, r): grid[5 - r][c] for c in range(7) for r in range(6) if grid[5 - r][c]}


def contents(cells: Cells) -> list[tuple[int, int]]:
    """Of every window the discs of the side to move and of the other."""
    values = [[cells.get(cell, 0) for cell in window] for window in WINDOWS]
    return [(row.count(1), row.count(-1)) for row in values]


def windows(cells: Cells, worth: tuple[int, int, int]) -> int:
    """The windows of one side only, by how many discs they hold, less those of the other side."""
    total = 0
    for mine, theirs in contents(cells):
        if theirs == 0 and 0 < mine < 4:
            total += worth[mine - 1]
        if mine == 0 and 0 < theirs < 4:
            total -= worth[theirs - 1]
    return total


def threats(cells: Cells, side: int) -> set[tuple[int, int]]:
    """Empty cells that complete four for ``side``."""
    found = set()
    for window in WINDOWS:
        values = [cells.get(cell, 0) for cell in window]
        if values.count(side) == 3 and values.count(0) == 1:
            found.add(window[values.index(0)])
    return found


def has_four(cells: Cells, side: int) -> bool:
    return any((mine if side == 1 else theirs) == 4 for mine, theirs in contents(cells))


def landing(cells: Cells) -> list[tuple[int, int]]:
    """The lowest empty cell of every column with room."""
    heights = [sum((column, row) in cells for row in range(6)) for column in range(7)]
    return [(column, height) for column, height in enumerate(heights) if height < 6]


def after(cells: Cells, move: tuple[int, int]) -> Cells:
    """The position after ``move``, in the view of the side that is then to move."""
    return {cell: -value for cell, value in {**cells, move: 1}.items()}


def win_score(ply: int) -> int:
    """The value of a win with the disc that follows ``ply`` discs."""
    return WIN + 22 - (ply // 2 + 1)


def ends_soon(cells: Cells) -> int | None:
    """The exact value where one or two discs decide the game, else None."""
    ply = len(cells)
    moves = landing(cells)
    if any(has_four({**cells, move: 1}, 1) for move in moves):
        return win_score(ply)
    if moves and all(any(has_four({**c, m: 1}, 1) for m in landing(c)) for c in (after(cells, m) for m in moves)):
        return -win_score(ply + 1)
    return None


def search_value(cells: Cells, horizon: int, static) -> int:
    """Minimax to the ply ``horizon``, with ``static`` where nothing is decided within two more discs."""
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
    """Plain minimax, as the course's bot is described."""
    ply = len(cells)
    if has_four(cells, -1):
        return -win_score(ply - 1)
    if ply == 42:
        return 0
    if depth == 0:
        return windows(cells, worth)
    return max(-minimax_value(after(cells, move), depth - 1, worth) for move in landing(cells))
