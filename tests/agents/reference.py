"""A second implementation of the papers' evaluations and searches, in plain Python and close to the papers' text.

A grid is seven lists of discs from the bottom up, +1 for the maximiser and -1 for the minimiser. This module uses
neither bitboards nor the laboratory's code.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from bot.game import Board

Grid = list[list[int]]
Leaf = Callable[[Grid, int], int]
"""Value of a grid from the maximiser's view; the second argument is the side to move."""

RUNS: list[list[tuple[int, int]]] = []
"""Every row, column and diagonal of four cells or more, scanned rightward; falling diagonals up and leftward."""
for _y in range(6):
    RUNS.append([(x, _y) for x in range(7)])
for _x in range(7):
    RUNS.append([(_x, y) for y in range(6)])
for _x, _y in ((0, 2), (0, 1), (0, 0), (1, 0), (2, 0), (3, 0)):
    run = [(_x + step, _y + step) for step in range(7) if _x + step < 7 and _y + step < 6]
    RUNS.append(run)
    RUNS.append([(6 - x, y) for x, y in run])
WINDOWS = [run[start : start + 4] for run in RUNS for start in range(len(run) - 3)]


def grid_of(board: Board) -> tuple[Grid, int]:
    """Return the grid with the side to move as the maximiser, and +1 for that side."""
    rows = board.to_grid(1)
    return [[rows[5 - y][x] for y in range(6) if rows[5 - y][x]] for x in range(7)], 1


def at(grid: Grid, cell: tuple[int, int]) -> int:
    """Return the disc at (x, y); 0 when the cell is empty or off the board."""
    x, y = cell
    return grid[x][y] if 0 <= x < 7 and 0 <= y < len(grid[x]) else 0


def winner(grid: Grid) -> int:
    """Return +1 or -1 for the side that has four in a row, else 0."""
    for window in WINDOWS:
        total = sum(at(grid, cell) for cell in window)
        if abs(total) == 4:
            return total // 4
    return 0


def is_full(grid: Grid) -> bool:
    return all(len(column) == 6 for column in grid)


def played(grid: Grid, column: int, side: int) -> Grid:
    return [[*discs, side] if x == column else discs for x, discs in enumerate(grid)]


def open_windows(grid: Grid, side: int) -> list[int]:
    """Return the number of ``side``'s discs in each window without a disc of the other side."""
    discs = [[at(grid, cell) for cell in window] for window in WINDOWS]
    return [four.count(side) for four in discs if -side not in four]


def tommy(grid: Grid, _side: int) -> int:
    values = {0: 0, 1: 1, 2: 10, 3: 100, 4: 0}
    return sum(values[n] for n in open_windows(grid, 1)) - sum(values[n] for n in open_windows(grid, -1))


def halim(grid: Grid, _side: int) -> int:
    x1 = len(open_windows(grid, 1))
    x2 = sum(open_windows(grid, 1))
    x3 = sum(open_windows(grid, -1))
    return x1 + 200 * x2 - 100 * x3


def web(grid: Grid, _side: int) -> int:
    return sum(n > 0 for n in open_windows(grid, 1)) - sum(n > 0 for n in open_windows(grid, -1))


def edap01(grid: Grid, _side: int) -> int:
    columns = (1, 1, 3, 6, 3, 1, 1)
    streaks = {0: 0, 1: 0, 2: 10, 3: 100, 4: 100_000}
    position = sum(columns[x] * sum(discs) for x, discs in enumerate(grid))
    streak = sum(streaks[n] for n in open_windows(grid, 1)) - sum(streaks[n] for n in open_windows(grid, -1))
    return position + streak


def squares(grid: Grid, _side: int) -> int:
    through = {(x, y): sum((x, y) in window for window in WINDOWS) for x in range(7) for y in range(6)}
    return sum(through[x, y] * disc for x, discs in enumerate(grid) for y, disc in enumerate(discs))


def schee_score(grid: Grid, player: int, intended: bool) -> int:
    total = 0
    wins = set()
    for window in WINDOWS:
        discs = [at(grid, cell) for cell in window]
        empty = [cell for cell in window if at(grid, cell) == 0]
        if -player in discs or not empty:
            continue
        own = discs.count(player)
        if own == 3:
            wins.add(empty[0] if intended else window[-1])
        total += own * (6 - sum(y for _, y in empty) // len(empty))
    for x in range(7):
        for y in range(5, 0, -1):
            if (x, y) in wins and (x, y - 1) in wins:
                total += (6 - y) * 100 if intended else 6 - 100 * y
    return total


def schee(grid: Grid, side: int) -> int:
    """Return the published value, which is that of the side to move."""
    return schee_score(grid, side, False) - schee_score(grid, -side, False)


def schee_intended(grid: Grid, _side: int) -> int:
    return schee_score(grid, 1, True) - schee_score(grid, -1, True)


def kang(features: set[int], open_three: int = 100_000_000, readings: tuple[int, ...] = (0, 0, 0, 0)) -> Leaf:
    return lambda grid, _side: sum(side * kang_score(grid, side, features, open_three, readings) for side in (1, -1))


def kang_score(grid: Grid, side: int, features: set[int], open_three: int, readings: tuple[int, ...]) -> int:
    every, playable, now, rest = readings

    def on_board(cell: tuple[int, int]) -> bool:
        return 0 <= cell[0] < 7 and 0 <= cell[1] < 6

    def empty(cell: tuple[int, int]) -> bool:
        return on_board(cell) and at(grid, cell) == 0

    def available(cell: tuple[int, int]) -> bool:
        return on_board(cell) and cell[1] == len(grid[cell[0]])

    total = 0
    own = [(x, y) for x in range(7) for y in range(len(grid[x])) if grid[x][y] == side]
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for (x, y), length in itertools.product(own, (2, 3)):
            if any(at(grid, (x + place * dx, y + place * dy)) != side for place in range(length)):
                continue
            before, after = (x - dx, y - dy), (x + length * dx, y + length * dy)
            if side in (at(grid, before), at(grid, after)) and not (length == 2 and every):
                continue
            if length == 3 and 2 in features:
                total += {0: 0, 1: 900_000, 2: open_three}[available(before) + available(after)]
            if length != 2:
                continue
            beyond = ((x - 2 * dx, y - 2 * dy), (x + 3 * dx, y + 3 * dy))
            fits = available if playable else empty
            gap = any(fits(hole) and at(grid, far) == side for hole, far in zip((before, after), beyond, strict=True))
            if gap and 2 in features:
                total += 900_000
            elif 3 in features:
                room = empty if dx == 0 and not now else available
                total += pair_value((before, after), (dx, dy), room) or rest
    if 4 in features:
        around = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
        for x, y in own:
            if all(at(grid, (x + dx, y + dy)) != side for dx, dy in around):
                total += (40, 70, 120, 200, 120, 70, 40)[x]
    return total


def pair_value(
    ends: tuple[tuple[int, int], tuple[int, int]],
    step: tuple[int, int],
    usable: Callable[[tuple[int, int]], bool],
) -> int:
    before, after = ends
    if usable(before) and usable(after):
        return 50_000
    if not usable(before) and not usable(after):
        return 0
    sign = 1 if usable(after) else -1
    cell, count = (after if usable(after) else before), 0
    while usable(cell):
        cell = (cell[0] + sign * step[0], cell[1] + sign * step[1])
        count += 1
    return 10_000 * (min(count, 5) - 1)


def minimax(
    grid: Grid, side: int, depth: int, leaf: Leaf, won: Callable[[Grid, int, int], int], drawn: int | None = None
) -> int:
    """Return the minimax value; ``won(grid, winner, depth)`` values a finished game, ``drawn`` a full board.

    Without ``drawn`` a full board has its leaf value.
    """
    if winner(grid):
        return won(grid, winner(grid), depth)
    if is_full(grid) and drawn is not None:
        return drawn
    if is_full(grid) or depth == 0:
        return leaf(grid, side)
    children = [played(grid, x, side) for x in range(7) if len(grid[x]) < 6]
    values = [minimax(child, -side, depth - 1, leaf, won, drawn) for child in children]
    return max(values) if side > 0 else min(values)


class PublishedSchee:
    """The blog's minimax and MTD(f), with a dictionary keyed by the board as text."""

    def __init__(self) -> None:
        self.nodes: dict[str, int] = {}
        self.calls = 0

    def search(self, grid: Grid, depths: int) -> list[tuple[int, int | None, int]]:
        """Return value, column and calls at depths 1, 2, ..., searched in this order."""
        found: list[tuple[int, int | None, int]] = []
        guess = 3
        for depth in range(1, depths + 1):
            self.calls = 0
            guess, column = self.mtdf(grid, guess, depth)
            found.append((guess, column, self.calls))
        return found

    def mtdf(self, grid: Grid, guess: int, depth: int) -> tuple[int, int | None]:
        value, upper, lower = guess, 1000, -1000
        best: tuple[int, int | None] = (guess, None)
        while lower < upper:
            beta = value + 1 if value == lower else value
            value, column = self.minimax(grid, 1, depth, beta - 1, beta)
            if column is not None:
                best = (value, column)
            if value < beta:
                upper = value
            else:
                lower = value
        return best

    def minimax(self, grid: Grid, side: int, depth: int, alpha: int, beta: int) -> tuple[int, int | None]:
        self.calls += 1
        key = f"{grid}{depth}"
        lower, upper = self.nodes.get(key + "lower"), self.nodes.get(key + "upper")
        if lower is not None:
            if lower >= beta:
                return lower, None
            alpha = max(alpha, lower)
        if upper is not None:
            if upper <= alpha:
                return upper, None
            beta = max(beta, upper)
        if winner(grid):
            return 999 * winner(grid), None
        if is_full(grid):
            return 0, None
        if depth == 0:
            return schee(grid, side), None
        best: tuple[int, int | None] = (alpha if side > 0 else beta, None)
        for x in range(7):
            if len(grid[x]) == 6:
                continue
            window = (best[0], beta) if side > 0 else (alpha, best[0])
            value = self.minimax(played(grid, x, side), -side, depth - 1, *window)[0]
            if side * value > side * best[0]:
                best = (value, x)
            if (side > 0 and value > beta) or (side < 0 and alpha > value):
                break
        mirrored = f"{grid[::-1]}{depth}"
        if best[0] <= alpha:
            self.nodes[key + "upper"] = self.nodes[mirrored + "upper"] = best[0]
        elif best[0] >= beta:
            self.nodes[key + "lower"] = self.nodes[mirrored + "lower"] = best[0]
        return best


def edap01_as_published(grid: Grid, depth: int) -> int:
    """Return the report's column.

    Its defects: no pruning at the root, no test for four at the minimiser's nodes, +depth for wins of both sides.
    """
    order = (3, 2, 4, 1, 5, 0, 6)

    def play(grid: Grid, side: int, alpha: int, beta: int, depth: int) -> int:
        if side > 0 and winner(grid):
            return edap01(grid, side) + depth
        legal = [x for x in order if len(grid[x]) < 6]
        if depth == 0 or not legal:
            return edap01(grid, side)
        best = -side * 1_000_000
        for x in legal:
            value = play(played(grid, x, side), -side, alpha, beta, depth - 1)
            if side > 0:
                best = max(best, value)
                alpha = max(alpha, best)
                if best >= beta:
                    break
            else:
                best = min(best, value)
                beta = min(beta, best)
                if best <= alpha:
                    break
        return best

    values = {x: play(played(grid, x, 1), -1, -1_000_000, 1_000_000, depth - 1) for x in order if len(grid[x]) < 6}
    return max(values, key=lambda x: values[x])


def smoothsort(keys: Sequence[int]) -> list[int]:
    """Return the places of ``keys`` in the order in which smoothsort leaves them."""
    heaps = Heaps(list(enumerate(keys)))
    heaps.sort()
    return [place for place, _ in heaps.items]


class Heaps:
    """The items of a smoothsort, pairs of place and key; heap orders are a plain list of Leonardo numbers."""

    SIZES = (1, 1, 3, 5, 9, 15, 25)

    def __init__(self, items: list[tuple[int, int]]) -> None:
        self.items = items

    def key(self, place: int) -> int:
        return self.items[place][1]

    def shift(self, path: list[int]) -> None:
        first = self.items[path[0]]
        for here, following in itertools.pairwise(path):
            self.items[here] = self.items[following]
        self.items[path[-1]] = first

    def sift(self, head: int, order: int) -> None:
        path, sinking = [head], self.key(head)
        while order > 1:
            left, right = head - 1 - self.SIZES[order - 2], head - 1
            if sinking >= max(self.key(left), self.key(right)):
                break
            head, order = (left, order - 1) if self.key(left) >= self.key(right) else (right, order - 2)
            path.append(head)
        self.shift(path)

    def trinkle(self, head: int, orders: list[int], trusted: bool) -> None:
        path, sinking, orders = [head], self.key(head), list(orders)
        while len(orders) > 1:
            order = orders[-1]
            stepson = head - self.SIZES[order]
            if self.key(stepson) <= sinking:
                break
            left, right = head - 1 - self.SIZES[order - 2], head - 1
            if not trusted and order > 1 and max(self.key(left), self.key(right)) >= self.key(stepson):
                break
            path.append(stepson)
            head, trusted = stepson, False
            orders.pop()
        if not trusted:
            self.shift(path)
            self.sift(head, orders[-1])

    def sort(self) -> None:
        orders = self.built()
        head = len(self.items) - 1
        while orders != [1]:
            order = orders.pop()
            if order > 1:
                orders.append(order - 1)
                self.trinkle(head - self.SIZES[order - 2] - 1, orders, True)
                orders.append(order - 2)
                self.trinkle(head - 1, orders, True)
            head -= 1

    def built(self) -> list[int]:
        """Build the heaps; return their orders."""
        orders = [1]
        last = len(self.items) - 1
        for head in range(last):
            if len(orders) > 1 and orders[-2] == orders[-1] + 1:
                self.sift(head, orders[-1])
                orders[-2:] = [orders[-1] + 2]
            else:
                if self.SIZES[orders[-1] - 1] >= last - head:
                    self.trinkle(head, orders, False)
                else:
                    self.sift(head, orders[-1])
                orders.append(0 if orders[-1] == 1 else 1)
        self.trinkle(last, orders, False)
        return orders


def web_column(grid: Grid, depth: int) -> int | None:
    """Return the web AI's column; the table has no limit on entries (the limit matters only from depth 5 on)."""
    table: dict[str, int] = {}

    def static(grid: Grid) -> int:
        return 0 if is_full(grid) else 1000 * winner(grid) if winner(grid) else web(grid, 0)

    def search(grid: Grid, side: int, depth: int, alpha: float, beta: float) -> tuple[float, int | None]:
        if depth == 0 or winner(grid) or is_full(grid):
            return static(grid), None
        legal = [x for x in range(7) if len(grid[x]) < 6]
        children = [played(grid, x, side) for x in legal]
        best: tuple[float, int | None] = (-side * float("inf"), None)
        for place in smoothsort([side * static(child) for child in children]):
            board = str(children[place])
            value: float = table[board] if board in table else search(children[place], -side, depth - 1, alpha, beta)[0]
            table.setdefault(board, int(value))
            if (side > 0 and value >= beta) or (side < 0 and value <= alpha):
                return value, legal[place]
            alpha, beta = (max(alpha, value), beta) if side > 0 else (alpha, min(beta, value))
            if side * value > side * best[0]:
                best = (value, legal[place])
        return best

    return search(grid, 1, depth, -float("inf"), float("inf"))[1]
