"""The foreign bots: what a bot is, as a description, and the function that plays it.

They share no rule, evaluation or search with the engine: `bot.trials.simulation.kernels.foreign` has its own, on plain
cells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

ROWS, COLUMNS = 6, 7
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Rows down and columns to the right from a cell of a line to its next one; the last makes a rising diagonal."""
SEEDS = 2**31
"""A bot reduces a seed to this range, which fits the kernels' integers."""

Cells = NDArray[np.int8]
"""Shape (6, 7), row 0 on top: 1 the student's discs, -1 the bot's, 0 empty. The bot is to move."""
Group = tuple[int, ...]
"""Up to four cells, numbered row by row from the top left one."""
Points = Mapping[tuple[int, int], int]
"""The bot's points of a group by its number of the bot's and of the student's discs; 0 for all others."""
Evaluation = tuple[tuple[Group, Points], ...]
"""What a bot adds up where its search ends."""
Order = tuple[int, ...]
"""Columns, the most preferred one first."""
Player = Callable[[Cells, int, int], int]
"""``player(cells, last, seed)``: a legal column 0..6. ``last`` is the student's last column, -1 before the first;
``seed`` is a non-negative integer that decides every random choice. Equal arguments give equal columns."""


def lines(length: int, steps: Sequence[tuple[int, int]] = STEPS, columns: int = COLUMNS) -> tuple[Group, ...]:
    """Return all lines of ``length`` cells in the directions ``steps``, within the first ``columns`` columns."""
    found: list[Group] = []
    for row, column, (down, right) in product(range(ROWS), range(columns), steps):
        last_row, last_column = row + down * (length - 1), column + right * (length - 1)
        if last_row < ROWS and 0 <= last_column < columns:
            first, step = COLUMNS * row + column, COLUMNS * down + right
            found.append(tuple(first + step * place for place in range(length)))
    return tuple(found)


def scored(groups: Sequence[Group], points: Points) -> Evaluation:
    """Return an evaluation that gives these points to each of the groups."""
    return tuple((group, points) for group in groups)


def as_it_is(order: Order, discs: int, last: int) -> Order:  # noqa: ARG001
    """Return the order unchanged."""
    return order


@dataclass(frozen=True, slots=True)
class ForeignBot:
    """A bot at the server, independent of the engine: it plays the column with the most points.

    Of equal columns it plays the first in its order. Without a search, only its reflexes give points.
    """

    name: str
    description: str
    """One sentence: how it chooses."""
    order: Order
    arrange: Callable[[Order, int, int], Order] = as_it_is
    """Returns the order for a choice: takes the order, the number of discs, and the student's last column or -1."""
    depth: int = 0
    """Plies of search, its own move included; 0: none."""
    evaluation: Evaluation = ()
    playouts: int = 0
    """Random games for each column, two points a win and one a draw."""
    takes: int = 0
    """Reflex: points of a move that makes four."""
    blocks: int = 0
    """Reflex: points of a move that keeps the student from making four in this column."""
    hurries: bool = False
    """Whether its search prefers faster wins and slower losses; otherwise it may pass over an immediate win."""
    checks_late: bool = False
    """Whether its search evaluates the last ply before it looks for a four there."""
    fours: tuple[Group, ...] = lines(4)
    """The lines in which it sees a four."""
    slips_permille: int = 0
    """Moves in a thousand that are random."""
    is_random: bool = False
    """Whether chance decides among equal columns."""

    @property
    def is_deterministic(self) -> bool:
        """Whether equal positions, with an equal last column, always get equal answers."""
        return not (self.is_random or self.slips_permille or self.playouts)

    def player(self) -> Player:
        """Return the function that plays the bot."""
        from bot.trials.simulation.kernels.foreign import chosen_column

        in_the_kernels_order = (
            self.depth,
            self.playouts,
            self.hurries,
            self.checks_late,
            self.takes,
            self.blocks,
            self.slips_permille,
            self.is_random,
        )
        habits = np.array(in_the_kernels_order, dtype=np.int64)
        fours = np.array(self.fours, dtype=np.int64)
        groups = np.full((len(self.evaluation), 4), -1, dtype=np.int64)
        scores = np.zeros((len(self.evaluation), 5, 5), dtype=np.int64)
        for number, (group, points) in enumerate(self.evaluation):
            groups[number, : len(group)] = group
            for (own, theirs), score in points.items():
                scores[number, own, theirs] = score

        def play(cells: Cells, last: int, seed: int) -> int:
            own = np.array(cells, dtype=np.int8, order="C").ravel()  # a copy, which the kernel may change
            order = self.arrange(self.order, int(np.count_nonzero(own)), last)
            columns = np.array(order, dtype=np.int64)
            return int(chosen_column(own, seed % SEEDS, columns, habits, fours, groups, scores))

        return play
