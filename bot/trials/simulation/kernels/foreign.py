"""Compiled play of the foreign bots: rules, evaluation, search and playouts on a plain array of 42 cells.

Cells are numbered row by row from the top left one. The bot's discs are -1, the student's 1, empty cells 0. What makes
a bot is passed as arrays, which `bot.trials.simulation.foreign` makes from its description:

order   columns as the bot tries them; a column may come twice
habits  by the indices below
fours   the lines of four that the bot sees, four cells each
groups  the cells that it evaluates together, up to four and then -1
scores  a group's points by [group, the bot's discs, the student's discs]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.engine.jit.compiling import kernel

Cells = NDArray[np.int8]
Integers = NDArray[np.int64]

BOT, STUDENT = -1, 1
COLUMNS, CELLS = 7, 42
DEPTH, PLAYOUTS, HASTE, LATE_CHECK, TAKES, BLOCKS, SLIPS, IS_RANDOM = range(8)
"""Indices into ``habits``: plies of search, the bot's own move included; random games for each column; whether a win
counts more the sooner it comes, and a loss less the later; whether the last ply is evaluated before anything looks for
a four; points of a move that makes four, and of one that blocks four; moves in a thousand that are random; whether
chance decides among equal columns."""
WIN = 1_000_000
"""Points of a win, above every evaluation."""
BOUND = 1_000_000_000
"""Above the points of every move."""
MASK = 0xFFFFFFFF
"""The low 32 bits."""


@kernel()
def next_random(state: int) -> int:
    """Return the 32-bit hash that follows ``state``."""
    x = (state + 0x9E3779B9) & MASK
    x = ((x ^ (x >> 16)) * 0x21F0AAAD) & MASK
    x = ((x ^ (x >> 15)) * 0x735A2D97) & MASK
    return x ^ (x >> 15)


@kernel()
def landing_cell(cells: Cells, column: int) -> int:
    """Return the cell in which a disc comes to rest; a negative number where the column is full."""
    cell = CELLS - COLUMNS + column
    while cell >= 0 and cells[cell] != 0:
        cell -= COLUMNS
    return cell


@kernel()
def has_four(cells: Cells, fours: Integers, disc: int) -> bool:
    """Return whether one of the lines that the bot sees holds four of these discs."""
    for line in range(fours.shape[0]):
        count = 0
        while count < 4 and cells[fours[line, count]] == disc:
            count += 1
        if count == 4:
            return True
    return False


@kernel()
def evaluate(cells: Cells, groups: Integers, scores: Integers) -> int:
    """Return the bot's points of a position: the sum over all groups."""
    total = 0
    for group in range(groups.shape[0]):
        own = 0
        theirs = 0
        for place in range(4):
            cell = groups[group, place]
            if cell >= 0:
                own += cells[cell] == BOT
                theirs += cells[cell] == STUDENT
        total += scores[group, own, theirs]
    return total


@kernel(
    "int64(int8[::1], int64, int64, int64, int64, int64[::1], int64[::1], int64[:,::1], int64[:,::1], int64[:,:,::1])"
)
def search(
    cells: Cells,
    mover: int,
    plies: int,
    alpha: int,
    beta: int,
    order: Integers,
    habits: Integers,
    fours: Integers,
    groups: Integers,
    scores: Integers,
) -> int:
    """Return the minimax value for ``mover`` of a position that it has just made, ``plies`` before the horizon.

    The value is exact between ``alpha`` and ``beta``; outside it may be a bound.
    """
    if (plies > 0 or not habits[LATE_CHECK]) and has_four(cells, fours, mover):
        return int(WIN + habits[HASTE] * plies)
    best = BOUND
    if plies > 0:
        for column in order:
            cell = landing_cell(cells, column)
            if cell < 0:
                continue
            cells[cell] = -mover
            value = -search(cells, -mover, plies - 1, -beta, -alpha, order, habits, fours, groups, scores)
            cells[cell] = 0
            best = min(best, value)
            beta = min(beta, best)
            if alpha >= beta:
                break
    if best == BOUND:  # the horizon, or a full board
        best = -mover * evaluate(cells, groups, scores)
    return best


@kernel()
def playout_points(cells: Cells, fours: Integers, playouts: int, state: int) -> int:
    """Play random games on from a position that the bot has just made; return 2 points a win and 1 a draw."""
    points = 0
    for _ in range(playouts):
        board = cells.copy()
        mover = BOT
        while not has_four(board, fours, mover):
            mover = -mover
            state = next_random(state)
            cell = -1
            for step in range(COLUMNS):  # the first free column from a random one on
                if cell < 0:
                    cell = landing_cell(board, (state + step) % COLUMNS)
            if cell < 0:
                points += 1
                mover = 0
                break
            board[cell] = mover
        if mover == BOT:
            points += 2
    return points


@kernel()
def chosen_column(
    cells: Cells, seed: int, order: Integers, habits: Integers, fours: Integers, groups: Integers, scores: Integers
) -> int:
    """Return the column that the bot plays: the first, or a random one, of those with the most points."""
    state = next_random(seed)
    for cell in range(CELLS):
        state = next_random(state ^ (cells[cell] + 1))
    slips = state % 1000 < habits[SLIPS]
    best = -BOUND
    chosen = -1
    equals = 0
    for column in order:
        cell = landing_cell(cells, column)
        if cell < 0:
            continue
        value = 0
        if not slips:
            cells[cell] = STUDENT
            value += habits[BLOCKS] * has_four(cells, fours, STUDENT)
            cells[cell] = BOT
            value += habits[TAKES] * has_four(cells, fours, BOT)
            if habits[DEPTH] > 0:  # a window one below the best value keeps equal values exact
                value += search(cells, BOT, habits[DEPTH] - 1, best - 1, BOUND, order, habits, fours, groups, scores)
            if habits[PLAYOUTS] > 0:
                value += playout_points(cells, fours, habits[PLAYOUTS], next_random(state + column))
            cells[cell] = 0
        if value > best:
            best, chosen, equals = value, column, 1
        elif value == best:
            equals += 1
            state = next_random(state)
            if (slips or habits[IS_RANDOM]) and state % equals == 0:
                chosen = column
    return chosen
