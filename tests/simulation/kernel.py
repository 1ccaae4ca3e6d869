"""Compiled play of the opponents: rules, evaluation and search on a plain array of 42 cells, with nothing of the bot's.

Cells are numbered row by row from the top left one. The opponent's discs are -1, the student's 1, empty cells 0.
``traits`` are what makes an opponent (`tests.simulation.bots` makes them from its description):

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

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.int8]
BOT, STUDENT = -1, 1
COLUMNS, CELLS = 7, 42
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
