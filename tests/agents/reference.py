"""A second implementation of the papers' programs, in plain Python and close to the papers' text.

A grid is seven lists of discs from the bottom up, +1 for the maximiser and -1 for the minimiser. This module uses
neither bitboards nor the code of the agents. What the papers differ in (leaf values, values of finished games, order of
the columns) is a `Program` for one minimax; only van der Schee's defects need a search of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

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
rmarcus = windows((0, 1, 1, 1, 1), (0, 1, 1, 1, 1))


halim = windows(range(1, 1000, 200), range(0, 500, 100))
"""x1 + 200 x2 - 100 x3: x1 counts the own windows, x2 and x3 the discs in them."""


def edap01(streaks: str = "10+100+100000", columns: str = "6+3+1") -> Leaf:
    """Return the evaluation with these values of two to four discs in a window, and of discs by column."""
    weights = (0, 0, *map(int, streaks.split("+")))
    centre, beside, outer = map(int, columns.split("+"))
    by_column = outer, outer, beside, centre, beside, outer, outer
    of_windows = windows(weights, weights)
    return lambda grid, side: of_windows(grid, side) + sum(by_column[x] * sum(grid[x]) for x in range(7))


def run_lengths(grid: Grid, side: int) -> list[int]:
    """Return the lengths of one side's longest runs in all four directions, single discs included."""
    own = {cell for cell, disc in cells_of(grid).items() if disc == side}
    found = []
    for dx, dy in DIRECTIONS:
        for x, y in own:
            if (x - dx, y - dy) not in own:
                found.append(next(length for length in range(8) if (x + length * dx, y + length * dy) not in own))
    return found


def edap01_runs(streaks: str = "10+100+100000", columns: str = "6+3+1") -> Leaf:
    """Return the same evaluation where streaks are longest runs of adjacent discs."""
    two, three, four = map(int, streaks.split("+"))
    weights = (0, 0, two, three, four, four, four, four)
    by_columns = edap01("0+0+0", columns)

    def value(grid: Grid, side: int) -> float:
        own, other = (sum(weights[length] for length in run_lengths(grid, who)) for who in (1, -1))
        return by_columns(grid, side) + own - other

    return value


def squares(grid: Grid, _side: int) -> int:
    """Return Kang's second heuristic: each disc counts the windows through its cell."""
    return sum(map(sum, fours(grid)))


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
    "halim:{}": Program(halim, lambda _grid, who, left, _level: who * (10_000_000 + left)),
    "halim:{},ends=added": Program(halim, lambda grid, who, _left, _level: halim(grid, 1) + who * 1000),
    "halim:{},ends=only": Program(halim, lambda _grid, who, _left, _level: who * 1000),
    "kang-h2:{}": Program(squares, lambda _grid, who, _left, _level: who * WIN),
    "kang-sample:{}": Program(
        lambda grid, side: 138 + squares(grid, side),
        lambda _grid, who, _left, level: 255 - level if who > 0 else level,
    ),
    "edap01:{}": Program(edap01(), lambda grid, _who, left, _level: edap01()(grid, 1) + left, EDAP01, None, True),
    "edap01-intended:{}": Program(edap01(), lambda grid, who, left, _level: edap01()(grid, 1) + who * left, EDAP01, 0),
    "edap01:{},form=runs": Program(
        edap01_runs(), lambda grid, _who, left, _level: edap01_runs()(grid, 1) + left, EDAP01, None, True
    ),
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
    grid = grid_of(board)
    open_columns = legal(grid)
    return {x: minimax(played(grid, x, 1), -1, depth - 1, program, 1) for x in program.order if x in open_columns}


Found = tuple[int, "int | None"]
"""A value for the computer, and a column where there is one."""


class Schee:
    """The published program of van der Schee with all its defects; the table lives as long as the program."""

    def __init__(self) -> None:
        self.bounds: dict[tuple[str, int, str], int] = {}

    def deepening(self, grid: Grid, deepest: int) -> list[Found]:
        """Return the answers of the depths 1 to ``deepest``, of which the program plays the last one's column."""
        found: list[Found] = []
        before: Found = (3, None)
        for depth in range(1, deepest + 1):
            before = self.mtdf(grid, before, depth)
            found.append(before)
        return found

    def mtdf(self, grid: Grid, g: Found, depth: int) -> Found:
        best, lower, upper = g, -1000, 1000
        while lower < upper:
            beta = g[0] + 1 if g[0] == lower else g[0]
            g = self.minimax(grid, 1, depth, beta - 1, beta)
            if g[1] is not None:
                best = g
            if g[0] < beta:
                upper = g[0]
            else:
                lower = g[0]
        return best

    def minimax(self, grid: Grid, side: int, depth: int, alpha: int, beta: int) -> Found:
        lower = self.bounds.get((str(grid), depth, "lower"))
        upper = self.bounds.get((str(grid), depth, "upper"))
        if lower is not None:
            if lower >= beta:
                return lower, None
            alpha = max(alpha, lower)
        if upper is not None:
            if upper <= alpha:
                return upper, None
            beta = max(beta, upper)
        if winner(grid):
            return -999 * side, None
        if not legal(grid) or depth == 0:
            return (schee(grid, side) if legal(grid) else 0), None
        best: Found = (alpha if side > 0 else beta, None)
        for x in legal(grid):
            window = (best[0], beta) if side > 0 else (alpha, best[0])
            value = self.minimax(played(grid, x, side), -side, depth - 1, *window)[0]
            if side * value > side * best[0]:
                best = value, x
            if (side > 0 and value > beta) or (side < 0 and alpha > value):
                break
        bound = "upper" if best[0] <= alpha else "lower"
        if best[0] <= alpha or best[0] >= beta:
            self.bounds[str(grid), depth, bound] = self.bounds[str(grid[::-1]), depth, bound] = best[0]
        return best
