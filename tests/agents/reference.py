"""A second implementation of the papers' programs, in plain Python and close to the papers' text.

A grid is seven lists of discs from the bottom up, +1 for the maximiser and -1 for the minimiser. This module uses
neither bitboards nor the code of the agents. What the papers differ in (leaf values, values of finished games, order of
the columns) is a `Program` for one minimax; only van der Schee's defects need a search of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from math import inf

from bot.game import Board

Grid = list[list[int]]
Cell = tuple[int, int]
Leaf = Callable[[Grid, int], int]
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


def grid_of(board: Board) -> tuple[Grid, int]:
    """Return the grid with the side to move as the maximiser, and +1 for that side."""
    rows = board.to_grid(1)[::-1]
    return [[row[x] for row in rows if row[x]] for x in range(7)], 1


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
rmarcus = windows((0, 1, 1, 1, 1), (0, 1, 1, 1, 1))


def edap01(streaks: str = "10+100+100000", columns: str = "6+3+1") -> Leaf:
    """Return the evaluation with these values of two to four discs in a window, and of discs by column."""
    weights = (0, 0, *map(int, streaks.split("+")))
    centre, beside, outer = map(int, columns.split("+"))
    by_column = outer, outer, beside, centre, beside, outer, outer
    of_windows = windows(weights, weights)
    return lambda grid, side: of_windows(grid, side) + sum(by_column[x] * sum(grid[x]) for x in range(7))


def squares(grid: Grid, _side: int) -> int:
    """Return Kang's second heuristic: each disc counts the windows through its cell."""
    return sum(map(sum, fours(grid)))


def halim(
    lines: int = 0,
    discs: int = 1,
    difference: int = 0,
    distinct: int = 0,
    plus: int = 0,
    defend: int = 0,
    view: str = "own",
) -> Leaf:
    """Return f = x1 + 200 x2 - 100 x3; the options are those of the agent."""

    def terms(grid: Grid, side: int) -> tuple[int, int]:
        held = [
            [cell for cell, disc in zip(window, four, strict=True) if disc == side]
            for window, four in zip(WINDOWS, fours(grid), strict=True)
            if -side not in four
        ]
        counted = [cell for cells in held if len(cells) >= discs for cell in cells]
        return sum(len(cells) >= lines for cells in held), len(set(counted) if distinct else counted)

    def value(grid: Grid, side: int) -> int:
        us = -1 if (view, side) in (("mover", -1), ("last", 1)) else 1
        (x1, x2), (y1, x3) = terms(grid, us), terms(grid, -us)
        attack, defence = (100, 200) if defend else (200, 100)
        return us * (x1 - difference * y1 + attack * x2 + (defence if plus else -defence) * x3)

    return value


def schee_score(grid: Grid, player: int, intended: bool) -> int:
    total, wins = 0, set()
    for window, four in zip(WINDOWS, fours(grid), strict=True):
        empty = [cell for cell, disc in zip(window, four, strict=True) if not disc]
        if -player in four or not empty:
            continue
        if len(empty) == 1:
            wins.add(empty[0] if intended else window[-1])
        total += four.count(player) * (6 - sum(y for _, y in empty) // len(empty))
    stacked = [y for x, y in wins if (x, y - 1) in wins]
    return total + sum(100 * (6 - y) if intended else 6 - 100 * y for y in stacked)


def schee(grid: Grid, side: int) -> int:
    """Return the published value, which is that of the side to move."""
    return schee_score(grid, side, False) - schee_score(grid, -side, False)


def schee_intended(grid: Grid, _side: int) -> int:
    return schee_score(grid, 1, True) - schee_score(grid, -1, True)


def kang(
    features: str = "1+2+3+4", runs: str = "maximal", gap: str = "empty", column: str = "room", rest: int = 0
) -> Leaf:
    """Return the first heuristic; the options are those of the agent."""

    def score(grid: Grid, side: int) -> int:
        own = {cell for cell, disc in cells_of(grid).items() if disc == side}

        def available(cell: Cell) -> bool:
            return 0 <= cell[0] < 7 and cell[1] == len(grid[cell[0]]) < 6

        def empty(cell: Cell) -> bool:
            return 0 <= cell[0] < 7 and len(grid[cell[0]]) <= cell[1] < 6

        def along(x: int, y: int, dx: int, dy: int) -> int:
            """Return the value of the run that begins here."""

            def cell(place: int) -> Cell:
                return x + place * dx, y + place * dy

            def room(places: count[int]) -> int:
                usable = empty if dx == 0 and column == "room" else available
                return len(list(takewhile(usable, map(cell, places))))

            length = next(place for place in count(1) if cell(place) not in own)
            is_whole = cell(-1) not in own
            if length == 3 and is_whole and "2" in features:
                three = (0, 900_000, 100_000_000)[available(cell(-1)) + available(cell(3))]
            else:
                three = 0
            if length < 2 or (runs == "maximal" and (length > 2 or not is_whole)):
                return three
            fits = empty if gap == "empty" else available
            if "2" in features and any(fits(cell(hole)) and cell(far) in own for hole, far in ((-1, -2), (2, 3))):
                return three + 900_000
            if "3" not in features:
                return three
            before, after = room(count(-1, -1)), room(count(2))
            return three + (50_000 if before and after else 10_000 * max(0, min(before + after, 5) - 1) or rest)

        near = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
        lone = [x for x, y in own if not any((x + dx, y + dy) in own for dx, dy in near)]
        total = sum(along(x, y, dx, dy) for x, y in own for dx, dy in DIRECTIONS)
        return total + ("4" in features) * sum((40, 70, 120, 200, 120, 70, 40)[x] for x in lone)

    return lambda grid, _side: score(grid, 1) - score(grid, -1)


@dataclass(frozen=True)
class Program:
    """What distinguishes one program's minimax from another's."""

    leaf: Leaf
    won: Callable[[Grid, int, int, int], float]
    """Value of a finished game from the grid, the winner, the plies left and those from the root."""
    order: Sequence[int] = range(7)
    drawn: int | None = None
    """Value of a full board; None: its leaf value."""
    is_one_sided: bool = False
    """Whether only the maximiser's nodes test for four in a row."""


CENTRE = (3, 4, 2, 5, 1, 6, 0)
TOMMY = Program(tommy, lambda _grid, who, _left, _level: who * inf, CENTRE)
EDAP01 = (3, 2, 4, 1, 5, 0, 6)
WIN = 10_000_000_000
PROGRAMS = {
    "tommy-ab:{}": TOMMY,
    "halim:{}": Program(halim(), lambda _grid, who, left, _level: who * (10_000_000 + left)),
    "halim:{},ends=flat": Program(halim(), lambda _grid, who, _left, _level: who * 10_000_000),
    "halim:{},ends=added": Program(halim(), lambda grid, who, _left, _level: halim()(grid, 1) + who * 1000),
    "halim:{},ends=only": Program(halim(), lambda _grid, who, _left, _level: who * 1000),
    "kang-h1:{}": Program(kang(), lambda _grid, who, _left, _level: who * WIN),
    "kang-h2:{}": Program(squares, lambda _grid, who, _left, _level: who * WIN),
    "kang-sample:{}": Program(
        lambda grid, side: 138 + squares(grid, side),
        lambda _grid, who, _left, level: 255 - level if who > 0 else level,
    ),
    "edap01:{}": Program(edap01(), lambda grid, _who, left, _level: edap01()(grid, 1) + left, EDAP01, None, True),
    "edap01-intended:{}": Program(edap01(), lambda grid, who, left, _level: edap01()(grid, 1) + who * left, EDAP01, 0),
    "tommy-mtdf:{}": TOMMY,
    "vds-intended:{}": Program(schee_intended, lambda _grid, who, _left, _level: who * 1_000_000, drawn=0),
    "vds:{},search=mtdf": Program(schee, lambda _grid, who, _left, _level: who * 999, drawn=0),
}
"""The programs by the names of their agents, without the depth."""


def minimax(grid: Grid, side: int, left: int, program: Program, level: int = 0) -> float:
    """Return the value for the maximiser, ``left`` plies deep and ``level`` plies below the root."""
    who = 0 if program.is_one_sided and side < 0 else winner(grid)
    if who:
        return program.won(grid, who, left, level)
    columns = legal(grid)
    if not columns and program.drawn is not None:
        return program.drawn
    if not columns or left == 0:
        return program.leaf(grid, side)
    values = [minimax(played(grid, x, side), -side, left - 1, program, level + 1) for x in columns]
    return max(values) if side > 0 else min(values)


def column_values(board: Board, depth: int, program: Program) -> dict[int, float]:
    """Return each legal column's value for the side to move, in the program's order."""
    grid, _ = grid_of(board)
    open_columns = legal(grid)
    return {x: minimax(played(grid, x, 1), -1, depth - 1, program, 1) for x in program.order if x in open_columns}
