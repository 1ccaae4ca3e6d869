"""Compiled rules and evaluations of the held-out opponents, on a 6 x 7 array.

Row 0 is the top row. The bot's discs are -1, the student's 1, empty cells 0. Parameters select evaluation terms and
defects, so that few kernels serve many bots.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.engine.jit.compiling import kernel

Int8s = NDArray[np.int8]
Int64s = NDArray[np.int64]

ROWS = 6
COLUMNS = 7
BOT = -1
STUDENT = 1
STEP_ROW = (0, 1, 1, 1)
STEP_COLUMN = (1, 0, 1, -1)
"""Directions 0 to 3: row, column, falling diagonal, rising diagonal. A bot that checks three misses the last."""

# Places in a searcher's settings.
DEPTH, HASTE, FOUR_TEST, DIRECTIONS, LIBERTY, TIES, SLIP_PERMILLE, TURNING, PARTS = range(9)
# Bits of PARTS: which terms the evaluation has.
WINDOWS, CELLS, RUNS, THREATS = 1, 2, 4, 8


@kernel()
def scramble(state: int) -> int:
    """Return the next state of the random generator: a 32-bit mixing function."""
    state = (state + 0x9E3779B9) & 0xFFFFFFFF
    state ^= state >> 15
    state = (state * 0x2C1B3C6D) & 0xFFFFFFFF
    state ^= state >> 12
    state = (state * 0x297A2D39) & 0xFFFFFFFF
    return state ^ (state >> 15)


@kernel()
def random_state(cells: Int8s, seed: int) -> int:
    """Return a random state that depends on the seed and on every cell, so that one seed serves a whole game."""
    state = scramble((seed ^ (seed >> 31)) & 0xFFFFFFFF)
    for row in range(ROWS):
        for column in range(COLUMNS):
            state = scramble(state ^ (cells[row, column] + 2))
    return state


@kernel()
def landing_row(cells: Int8s, column: int) -> int:
    """Return the row in which a disc dropped into the column comes to rest, or -1 if the column is full."""
    row = ROWS - 1
    while row >= 0 and cells[row, column] != 0:
        row -= 1
    return row


@kernel()
def count_discs(cells: Int8s) -> int:
    """Return the number of discs on the board."""
    count = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            if cells[row, column] != 0:
                count += 1
    return count


@kernel()
def makes_four(cells: Int8s, row: int, column: int, player: int, directions: int) -> bool:
    """Check whether a disc of the player on this cell completes four in a row; the cell itself is not read."""
    for direction in range(directions):
        count = 1
        for sign in (-1, 1):
            step_row, step_column = sign * STEP_ROW[direction], sign * STEP_COLUMN[direction]
            r, c = row + step_row, column + step_column
            while 0 <= r < ROWS and 0 <= c < COLUMNS and cells[r, c] == player:
                count += 1
                r += step_row
                c += step_column
        if count >= 4:
            return True
    return False


@kernel()
def score_windows(cells: Int8s, windows: Int64s, directions: int) -> int:
    """Sum the table's entry [own discs, student's discs] over all groups of four cells in line."""
    total = 0
    for direction in range(directions):
        step_row, step_column = STEP_ROW[direction], STEP_COLUMN[direction]
        for row in range(ROWS - 3 * step_row):
            for column in range(3 if step_column < 0 else 0, COLUMNS - 3 if step_column > 0 else COLUMNS):
                own = 0
                theirs = 0
                for i in range(4):
                    cell = cells[row + i * step_row, column + i * step_column]
                    if cell == BOT:
                        own += 1
                    elif cell == STUDENT:
                        theirs += 1
                total += windows[own, theirs]
    return total


@kernel()
def score_runs(cells: Int8s, runs: Int64s, directions: int) -> int:
    """Sum the table's entry [0 own or 1 student's, length] over the runs that start at each disc, open or not."""
    total = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            player = cells[row, column]
            if player == 0:
                continue
            for direction in range(directions):
                length = 1
                r, c = row + STEP_ROW[direction], column + STEP_COLUMN[direction]
                while length < 4 and r < ROWS and 0 <= c < COLUMNS and cells[r, c] == player:
                    length += 1
                    r += STEP_ROW[direction]
                    c += STEP_COLUMN[direction]
                total += runs[0 if player == BOT else 1, length]
    return total


@kernel()
def score_threats(cells: Int8s, threats: Int64s, directions: int) -> int:
    """Sum the table's entry [0 own or 1 student's, array row modulo 2] over the empty cells that complete a four."""
    total = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            if cells[row, column] == 0:
                if makes_four(cells, row, column, BOT, directions):
                    total += threats[0, row & 1]
                if makes_four(cells, row, column, STUDENT, directions):
                    total += threats[1, row & 1]
    return total


@kernel()
def count_liberties(cells: Int8s) -> int:
    """Return the empty neighbour cells of the bot's discs minus those of the student's discs."""
    total = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            player = cells[row, column]
            if player == 0:
                continue
            for r in range(max(row - 1, 0), min(row + 2, ROWS)):
                for c in range(max(column - 1, 0), min(column + 2, COLUMNS)):
                    if cells[r, c] == 0:
                        total -= player
    return total


@kernel()
def evaluate(cells: Int8s, windows: Int64s, values: Int64s, runs: Int64s, threats: Int64s, settings: Int64s) -> int:
    """Return the weighted sum of the evaluation terms in use; positive is good for the bot."""
    total = 0
    parts, directions = settings[PARTS], settings[DIRECTIONS]
    if parts & WINDOWS:
        total += score_windows(cells, windows, directions)
    if parts & CELLS:
        for row in range(ROWS):
            for column in range(COLUMNS):
                total -= cells[row, column] * values[row, column]
    if parts & RUNS:
        total += score_runs(cells, runs, directions)
    if parts & THREATS:
        total += score_threats(cells, threats, directions)
    if settings[LIBERTY] != 0:
        total += settings[LIBERTY] * count_liberties(cells)
    return total
