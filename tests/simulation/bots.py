"""The opponents of the simulation: of the kinds that a course server may run, a number is the depth in plies.

Each maps a board and random bits to a column. All but `random` and `slipping-3` give the same answer each time, as bots
of courses do.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tests.course.foreign_course import CENTRE_FIRST, COLUMNS, AlphaBetaBot, Answer, Grid, open_columns


def at_random(grid: Grid, bits: int) -> int:
    """Return a column with room that depends on the random bits alone."""
    columns = open_columns(grid)
    return columns[bits % len(columns)]


def searching(depth: int, order: Sequence[int] = CENTRE_FIRST, slips: int = 0) -> Answer:
    """Return a bot that searches, and takes the first of equal columns; ``slips`` moves in a thousand are random."""
    found = cache(AlphaBetaBot(depth, order))
    return lambda grid, bits: at_random(grid, bits // 1000) if bits % 1000 < slips else found(grid)


OPEN: dict[str, Answer] = {
    "random": at_random,
    "centre-1": searching(1),
    "centre-3": searching(3),
    "left-3": searching(3, range(COLUMNS)),
}
"""Constants of the client may be tuned on these."""
HELD_OUT: dict[str, Answer] = {
    "edges-2": searching(2, (0, 6, 1, 5, 2, 4, 3)),
    "slipping-3": searching(3, (2, 5, 0, 3, 6, 1, 4), slips=50),
}
"""No constant of the client is tuned on these."""
BOTS = OPEN | HELD_OUT
