"""The opponents of the simulation: what an opponent is, as a description, and its compiled play.

They are of the kinds that a course server may run. Constants of the client may be tuned on OPEN, which evaluate lines
of four and single cells. The client is measured against HELD_OUT and never tuned on them: they evaluate pairs and
threes, and prefer other columns. A number at the end of a name is the depth in plies.

Compiled functions get the discs of both sides, the opponent's (BOT) and the student's, as the bits of two integers: bit
0 is the top left cell, then row by row. Their ``traits`` are an opponent's description: columns in the order in which
it tries them, the fours that it sees, its evaluation, then its numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from bot.engine.jit.bits import popcount
from tests.course import foreign_course
from tests.course.foreign_course import CENTRE_FIRST, COLUMNS, ROWS, Answer, Grid

Discs = NDArray[np.int64]
CELLS = ROWS * COLUMNS
BOT = 0
"""Index of the opponent's discs; the student's are at 1."""
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
def landing_cell(discs: Discs, column: int) -> int:
    """Return the bit of the cell in which a disc comes to rest; 0 where the column is full."""
    cell = 1 << (CELLS - COLUMNS + column)
    while cell & (discs[0] | discs[1]):
        cell >>= COLUMNS
    return cell


@numba.njit(cache=True)
def evaluate(discs: Discs, evaluation: Any) -> int:
    """Return the opponent's points of a position: the sum over all groups."""
    total = 0
    for group, own, theirs, points in evaluation:
        if popcount(group & discs[0]) == own and popcount(group & discs[1]) == theirs:
            total += points
    return total


# A recursive function can be cached only with its types, and calls itself by these.
@numba.njit(
    "int64(int64[::1], int64, int64, int64, int64, Tuple((int64[::1], int64[::1], int64[:,::1], int64, int64, int64,"
    "int64)))",
    cache=True,
)
def search(discs: Discs, mover: int, plies: int, alpha: int, beta: int, traits: Any) -> int:
    """Return the minimax value for ``mover`` of a position that it has just made, ``plies`` before the horizon.

    The value is exact between ``alpha`` and ``beta``; outside it may be a bound.
    """
    order, fours, evaluation, _depth, hurries, _slips, _is_random = traits
    for four in fours:
        if discs[mover] & four == four:
            return int(WIN + hurries * plies)
    best = BOUND
    if plies > 0:
        for column in order:
            cell = landing_cell(discs, column)
            if cell == 0:
                continue
            discs[1 - mover] ^= cell
            value = -search(discs, 1 - mover, plies - 1, -beta, -alpha, traits)
            discs[1 - mover] ^= cell
            best = min(best, value)
            beta = min(beta, best)
            if alpha >= beta:
                break
    if best == BOUND:  # the horizon, or a full board
        points = evaluate(discs, evaluation)
        best = points if mover == BOT else -points
    return best


@numba.njit(cache=True)
def chosen_column(discs: Discs, seed: int, traits: Any) -> int:
    """Return the column that is played: the first, or a random one, of those with the most points."""
    order, _fours, _evaluation, depth, _hurries, slips, is_random = traits
    state = next_random(seed)
    for cell in range(CELLS):
        state = next_random(state ^ (1 + (discs[1] >> cell & 1) - (discs[0] >> cell & 1)))
    slips = state % 1000 < slips
    best = -BOUND
    chosen = -1
    equals = 0
    for column in order:
        cell = landing_cell(discs, column)
        if cell == 0:
            continue
        value = 0
        if depth > 0 and not slips:  # a window one below the best value keeps equal values exact
            discs[BOT] ^= cell
            value = search(discs, BOT, depth - 1, best - 1, BOUND, traits)
            discs[BOT] ^= cell
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
Points = Mapping[tuple[int, int], int]
"""Points of a group by its number of the opponent's and of the student's discs; 0 for all others."""
Evaluation = list[tuple[int, int, int, int]]
"""What an opponent adds up where its search ends: a group's bits, its discs of both sides, and the points for them."""


def lines(length: int, steps: Sequence[tuple[int, int]] = STEPS) -> tuple[int, ...]:
    """Return the bits of all lines of ``length`` cells in the directions ``steps``."""
    found = []
    for row, column, (down, right) in product(range(ROWS), range(COLUMNS), steps):
        if row + down * (length - 1) < ROWS and 0 <= column + right * (length - 1) < COLUMNS:
            found.append(sum(1 << COLUMNS * (row + down * i) + column + right * i for i in range(length)))
    return tuple(found)


FOURS = lines(4)


def scored(groups: Sequence[int], points: Points) -> Evaluation:
    """Return an evaluation that gives these points to each of the groups."""
    return [(group, *discs, each) for group in groups for discs, each in points.items()]


def of_cells(points: Sequence[int]) -> Evaluation:
    """Return an evaluation of single cells, from the top left one on; the student's discs count against it."""
    return [row for cell, each in enumerate(points) for row in scored([1 << cell], {(1, 0): each, (0, 1): -each})]


def threats(even: Points, odd: Points) -> Evaluation:
    """Return an evaluation of three discs by the row of the fourth cell of their line, counted from 1 at the bottom.

    Whether the fourth cell is empty is not asked.
    """
    found: Evaluation = []
    for four, cell in product(FOURS, range(CELLS)):
        if four >> cell & 1:
            found += scored([four ^ 1 << cell], odd if cell // COLUMNS % 2 else even)
    return found


@dataclass(frozen=True)
class Bot:
    """An opponent: it plays the column with the most points, of equal columns the first in its order."""

    name: str
    order: tuple[int, ...] = tuple(range(COLUMNS))
    """Columns, the most preferred one first."""
    depth: int = 0
    """Plies of search, its own move included; 0: none."""
    evaluation: Sequence[tuple[int, int, int, int]] = ((0, 0, 0, 0),)
    hurries: bool = False
    """Whether its search prefers faster wins and slower losses; otherwise it may pass over an immediate win."""
    fours: Sequence[int] = FOURS
    """The lines in which it sees a four."""
    slips: int = 0
    """Moves in a thousand that are random."""
    is_random: bool = False
    """Whether chance decides among equal columns."""

    def player(self) -> Answer:
        """Return the function that plays the opponent; what does not depend on the seed is remembered."""
        arrays = np.array(self.order), np.array(self.fours), np.array(self.evaluation)
        traits = *arrays, self.depth, int(self.hurries), self.slips, int(self.is_random)

        @cache
        def play(grid: Grid, seed: int) -> int:
            cells, bits = np.array(grid).ravel(), 1 << np.arange(CELLS)
            discs = [bits[cells == disc].sum() for disc in (foreign_course.BOT, foreign_course.STUDENT)]
            return int(chosen_column(np.array(discs), seed, traits))

        is_stochastic = self.is_random or self.slips
        return lambda grid, seed: play(grid, seed if is_stochastic else 0)


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
    Bot(
        "o-table-3",
        CENTRE_FIRST,
        depth=3,
        evaluation=of_cells([sum(four >> cell & 1 for four in FOURS) for cell in range(CELLS)]),
        hurries=True,
    ),
)
HELD_OUT = (
    # Scores threes by the parity of the row of the missing disc, as the second player would; 1 move in 20 is random.
    Bot(
        "h-slipping-5",
        (2, 5, 0, 3, 6, 1, 4),
        depth=5,
        evaluation=threats(even={(3, 0): 30, (0, 3): -10}, odd={(3, 0): 10, (0, 3): -30}),
        hurries=True,
        slips=50,
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
