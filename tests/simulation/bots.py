"""The opponents of the simulation: what an opponent is, as a description, and its compiled play.

They are of the kinds that a course server may run. Constants of the client may be tuned on OPEN, which evaluate lines
of four and single cells. The client is measured against HELD_OUT and never tuned on them: they evaluate pairs and
threes, and prefer other columns. A number at the end of a name is the depth in plies.

Compiled functions get a plain array of 42 cells, numbered row by row from the top left one: the opponent's discs are
-1, the student's 1, empty cells 0. Their ``traits`` are made from an opponent's description:

order      columns as it tries them
fours      the lines of four that it sees, four cells each
groups     the cells that it evaluates together, up to four and then -1
scores     a group's points by [group, its discs, the student's discs]
depth      plies of search, its own move included
hurries    whether a win counts more the sooner it comes, and a loss less the later
slips      moves in a thousand that are random
is_random  whether chance decides among equal columns
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from tests.course.foreign_course import BOT, CENTRE_FIRST, COLUMNS, ROWS, STUDENT, Answer, Grid

Cells = NDArray[np.int8]
CELLS = ROWS * COLUMNS
WIN = 1_000_000
"""Points of a win, above every evaluation."""
BOUND = 1_000_000_000
"""Above the points of every move."""
MASK = 0xFFFFFFFF
"""The low 32 bits."""


@numba.njit(cache=True)
def next_random(state: int) -> int:
    """Return the 32-bit hash that follows ``state``."""
    x = (state + 0x9E3779B9) & MASK
    x = ((x ^ (x >> 16)) * 0x21F0AAAD) & MASK
    x = ((x ^ (x >> 15)) * 0x735A2D97) & MASK
    return x ^ (x >> 15)


@numba.njit(cache=True)
def landing_cell(cells: Cells, column: int) -> int:
    """Return the cell in which a disc comes to rest; a negative number where the column is full."""
    cell = CELLS - COLUMNS + column
    while cell >= 0 and cells[cell] != 0:
        cell -= COLUMNS
    return cell


@numba.njit(cache=True)
def has_four(cells: Cells, fours: Any, disc: int) -> bool:
    """Return whether one of the lines that the opponent sees holds four of these discs."""
    for line in fours:
        count = 0
        while count < 4 and cells[line[count]] == disc:
            count += 1
        if count == 4:
            return True
    return False


@numba.njit(cache=True)
def evaluate(cells: Cells, groups: Any, scores: Any) -> int:
    """Return the opponent's points of a position: the sum over all groups."""
    total = 0
    for group in range(groups.shape[0]):
        own = 0
        theirs = 0
        for cell in groups[group]:
            if cell >= 0:
                own += cells[cell] == BOT
                theirs += cells[cell] == STUDENT
        total += scores[group, own, theirs]
    return total


# A recursive function can be cached only with its types, and calls itself by these.
@numba.njit(
    "int64(int8[::1], int64, int64, int64, int64, Tuple((int64[::1], int64[:,::1], int64[:,::1], int64[:,:,::1], int64,"
    "int64, int64, int64)))",
    cache=True,
)
def search(cells: Cells, mover: int, plies: int, alpha: int, beta: int, traits: Any) -> int:
    """Return the minimax value for ``mover`` of a position that it has just made, ``plies`` before the horizon.

    The value is exact between ``alpha`` and ``beta``; outside it may be a bound.
    """
    order, fours, groups, scores, _depth, hurries, _slips, _is_random = traits
    if has_four(cells, fours, mover):
        return int(WIN + hurries * plies)
    best = BOUND
    if plies > 0:
        for column in order:
            cell = landing_cell(cells, column)
            if cell < 0:
                continue
            cells[cell] = -mover
            value = -search(cells, -mover, plies - 1, -beta, -alpha, traits)
            cells[cell] = 0
            best = min(best, value)
            beta = min(beta, best)
            if alpha >= beta:
                break
    if best == BOUND:  # the horizon, or a full board
        best = -mover * evaluate(cells, groups, scores)
    return best


@numba.njit(cache=True)
def chosen_column(cells: Cells, seed: int, traits: Any) -> int:
    """Return the column that is played: the first, or a random one, of those with the most points."""
    order, _fours, _groups, _scores, depth, _hurries, slips, is_random = traits
    state = next_random(seed)
    for cell in range(CELLS):
        state = next_random(state ^ (cells[cell] + 1))
    slips = state % 1000 < slips
    best = -BOUND
    chosen = -1
    equals = 0
    for column in order:
        cell = landing_cell(cells, column)
        if cell < 0:
            continue
        value = 0
        if depth > 0 and not slips:  # a window one below the best value keeps equal values exact
            cells[cell] = BOT
            value = search(cells, BOT, depth - 1, best - 1, BOUND, traits)
            cells[cell] = 0
        if value > best:
            best, chosen, equals = value, column, 1
        elif value == best:
            equals += 1
            state = next_random(state)
            if (slips or is_random) and state % equals == 0:
                chosen = column
    return chosen


# Descriptions

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Rows down and columns to the right from a cell of a line to its next one; the last makes a rising diagonal."""
Group = tuple[int, ...]
"""Up to four cells, numbered row by row from the top left one."""
Points = Mapping[tuple[int, int], int]
"""Points of a group by its number of the opponent's and of the student's discs; 0 for all others."""
Evaluation = tuple[tuple[Group, Points], ...]
"""What an opponent adds up where its search ends."""


def lines(length: int, steps: Sequence[tuple[int, int]] = STEPS) -> tuple[Group, ...]:
    """Return all lines of ``length`` cells in the directions ``steps``."""
    found: list[Group] = []
    for row, column, (down, right) in product(range(ROWS), range(COLUMNS), steps):
        if row + down * (length - 1) < ROWS and 0 <= column + right * (length - 1) < COLUMNS:
            found.append(tuple(COLUMNS * (row + down * i) + column + right * i for i in range(length)))
    return tuple(found)


FOURS = lines(4)


def scored(groups: Sequence[Group], points: Points) -> Evaluation:
    """Return an evaluation that gives these points to each of the groups."""
    return tuple((group, points) for group in groups)


def of_cells(points: Sequence[int]) -> Evaluation:
    """Return an evaluation of single cells, from the top left one on; the student's discs count against it."""
    return tuple(((cell,), {(1, 0): each, (0, 1): -each}) for cell, each in enumerate(points))


def threats(even: Points, odd: Points) -> Evaluation:
    """Return an evaluation of three discs by the row of the fourth cell of their line, counted from 1 at the bottom.

    Whether the fourth cell is empty is not asked.
    """
    found = []
    for line in FOURS:
        for cell in line:
            others = tuple(other for other in line if other != cell)
            found.append((others, odd if cell // COLUMNS % 2 else even))
    return tuple(found)


@dataclass(frozen=True)
class Bot:
    """An opponent: it plays the column with the most points, of equal columns the first in its order."""

    name: str
    order: tuple[int, ...] = tuple(range(COLUMNS))
    """Columns, the most preferred one first."""
    depth: int = 0
    """Plies of search, its own move included; 0: none."""
    evaluation: Evaluation = ()
    hurries: bool = False
    """Whether its search prefers faster wins and slower losses; otherwise it may pass over an immediate win."""
    fours: Sequence[Group] = FOURS
    """The lines in which it sees a four."""
    slips_permille: int = 0
    """Moves in a thousand that are random."""
    is_random: bool = False
    """Whether chance decides among equal columns."""

    @property
    def is_stochastic(self) -> bool:
        """Whether equal positions may get different answers."""
        return self.is_random or self.slips_permille > 0

    def player(self) -> Answer:
        """Return the function that plays the opponent; what does not depend on the seed is remembered."""
        groups = np.full((len(self.evaluation), 4), -1)
        scores = np.zeros((len(self.evaluation), 5, 5), np.int64)
        for number, (group, points) in enumerate(self.evaluation):
            groups[number, : len(group)] = group
            for (own, theirs), score in points.items():
                scores[number, own, theirs] = score
        arrays = np.array(self.order), np.array(self.fours), groups, scores
        traits = *arrays, self.depth, int(self.hurries), self.slips_permille, int(self.is_random)

        def play(grid: Grid, seed: int) -> int:
            return int(chosen_column(np.array(grid, np.int8).ravel(), seed, traits))

        known = cache(lambda grid: play(grid, 0))
        return play if self.is_stochastic else lambda grid, _seed: known(grid)


THROUGH = Counter(cell for line in FOURS for cell in line)
RUNS = scored(lines(2), {(2, 0): 1, (0, 2): -1}) + scored(lines(3), {(3, 0): 5, (0, 3): -5})
OPEN = (
    Bot("random", is_random=True),
    # The lines and the centre bonus of a popular tutorial; it may pass over an immediate win.
    Bot(
        "o-tutorial-3",
        depth=3,
        evaluation=scored(FOURS, {(2, 0): 2, (3, 0): 5, (0, 3): -4}) + of_cells((0, 0, 0, 3, 0, 0, 0) * ROWS),
    ),
    # Knows only win and loss; it may pass over an immediate win, and once lost it plays at random.
    Bot("o-outcome-3", depth=3, is_random=True),
    # Counts the lines through each cell.
    Bot("o-table-3", CENTRE_FIRST, depth=3, evaluation=of_cells([THROUGH[cell] for cell in range(42)]), hurries=True),
)
HELD_OUT = (
    # Scores threes by the parity of the row of the missing disc, as the second player would; 1 move in 20 is random.
    Bot(
        "h-slipping-5",
        (2, 5, 0, 3, 6, 1, 4),
        depth=5,
        evaluation=threats(even={(3, 0): 30, (0, 3): -10}, odd={(3, 0): 10, (0, 3): -30}),
        hurries=True,
        slips_permille=50,
    ),
    # Counts touching discs, but sees no rising diagonal, whether its own or the student's.
    Bot("h-lost-diagonal-4", (4, 3, 5, 2, 6, 1, 0), depth=4, evaluation=RUNS, hurries=True, fours=lines(4, STEPS[:3])),
)
GROUPS = {"open": OPEN, "held-out": HELD_OUT, "all": OPEN + HELD_OUT}


def chosen(text: str) -> list[Bot]:
    """Return the bots of these names or groups, separated by commas."""
    named = {bot.name: (bot,) for bot in GROUPS["all"]}
    return [bot for name in text.split(",") for bot in {**GROUPS, **named}[name]]


@cache
def player_of(name: str) -> Answer:
    """Return the function that plays this opponent, one in each process."""
    return chosen(name)[0].player()
