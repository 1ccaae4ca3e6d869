"""The opponents of the simulation: what an opponent is, as a description, and the function that plays it.

They are of the kinds that a course server may run. Constants of the client may be tuned on OPEN, which evaluate lines
of four and single cells. The client is measured against HELD_OUT and never tuned on them: they evaluate pairs and
threes, and prefer other columns. A number at the end of a name is the depth in plies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from tests.course.foreign_course import CENTRE_FIRST, COLUMNS, ROWS, Answer, Grid
from tests.simulation.kernel import chosen_column

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
