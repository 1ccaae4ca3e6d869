"""Compiled kernels of the open half's bots: naive rules, evaluation and search on a plain 6x7 array.

The bot's disc is -1 and the student's is 1. The differences between bots are passed as arrays, so that one compiled
search serves many bots: ``order``, the seven columns as the bot tries them; ``habits``, by the indices below;
``windows``, either empty or six weights of windows of four cells (with 1, 2, 3 discs of the bot and none of the
student, then the same for the student); ``table``, a weight per cell.
"""

from __future__ import annotations

import numpy as np

from bot.engine.jit.compiling import kernel
from bot.trials.simulation.opponents.foreign import BOT, COLUMNS, ROWS, Cells, Integers

PLIES = 3
"""Plies to search, the bot's own move included."""
WIN_SPEED, LOSS_SPEED, LATE_CHECK = 0, 1, 2
"""Indices into ``habits``: bonus per unused ply of the bot's win; extra penalty per unused ply of its loss; 1 if the
last ply is evaluated before anything looks for a win."""
WIN = 10_000_000
"""Value of a win, above every evaluation."""
BOUND = 1_000_000_000
"""Limit above every value."""
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps down and to the right from a cell to the next one of a line."""
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
def position_random(cells: Cells, seed: int) -> int:
    """Return a 32-bit hash of the seed and the position, the first random state of an answer."""
    state = next_random(seed & MASK)
    for row in range(ROWS):
        for column in range(COLUMNS):
            state = next_random(state ^ (cells[row, column] + 1))
    return state


@kernel()
def landing_row(cells: Cells, column: int) -> int:
    """Return the row in which a disc comes to rest; -1 in a full column."""
    row = ROWS - 1
    while row >= 0 and cells[row, column] != 0:
        row -= 1
    return row


@kernel()
def run_length(cells: Cells, row: int, column: int, down: int, right: int) -> int:
    """Return how many discs like the one at a cell follow it in one direction."""
    disc = cells[row, column]
    length = 0
    y, x = row + down, column + right
    while 0 <= y < ROWS and 0 <= x < COLUMNS and cells[y, x] == disc:
        length += 1
        y += down
        x += right
    return length


@kernel()
def completes_four(cells: Cells, row: int, column: int) -> bool:
    """Return whether the disc at a cell is part of four in a row."""
    for down, right in DIRECTIONS:
        if run_length(cells, row, column, down, right) + run_length(cells, row, column, -down, -right) >= 3:
            return True
    return False


@kernel()
def window_score(cells: Cells, windows: Integers, down: int, right: int) -> int:
    """Return the weight of all windows of four cells in one direction."""
    score = 0
    for row in range(ROWS - 3 * down):
        for column in range(max(0, -3 * right), COLUMNS - max(0, 3 * right)):
            total = 0
            discs = 0
            for step in range(4):
                disc = int(cells[row + step * down, column + step * right])
                total += disc
                discs += disc * disc
            if 0 < discs < 4 and abs(total) == discs:  # one side's discs only
                first = 3 if total > 0 else 0
                score += windows[first + discs - 1]
    return score


@kernel()
def evaluate(cells: Cells, windows: Integers, table: Integers) -> int:
    """Return the bot's score of a position in which the game goes on: windows and the table, by weight."""
    score = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            score -= table[row, column] * cells[row, column]
    if windows.size > 0:
        for down, right in DIRECTIONS:
            score += window_score(cells, windows, down, right)
    return score


@kernel()
def is_full(cells: Cells) -> bool:
    """Return whether no column takes another disc."""
    return bool(np.all(cells[0] != 0))


@kernel(
    "int64(int8[:,::1], int64, int64, int64, int64, int64, int64, int64[::1], int64[::1], int64[:,::1])",
)
def minimax(
    cells: Cells,
    row: int,
    column: int,
    mover: int,
    plies: int,
    alpha: int,
    beta: int,
    habits: Integers,
    windows: Integers,
    table: Integers,
) -> int:
    """Return the value for the bot after ``mover`` has played a cell, ``plies`` plies before the horizon."""
    if plies == 0 and habits[LATE_CHECK]:
        return evaluate(cells, windows, table)
    if completes_four(cells, row, column):
        if mover == BOT:
            return int(WIN + habits[WIN_SPEED] * plies)
        return int(-WIN - habits[LOSS_SPEED] * plies)
    if row == 0 and is_full(cells):
        return 0
    if plies == 0:
        return evaluate(cells, windows, table)
    best = BOUND if mover == BOT else -BOUND
    for reply in (3, 2, 4, 1, 5, 0, 6):  # prunes well; ties are decided at the root
        reply_row = landing_row(cells, reply)
        if reply_row < 0:
            continue
        cells[reply_row, reply] = -mover
        score = minimax(cells, reply_row, reply, -mover, plies - 1, alpha, beta, habits, windows, table)
        cells[reply_row, reply] = 0
        if mover == BOT:
            best = min(best, score)
            beta = min(beta, best)
        else:
            best = max(best, score)
            alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


@kernel()
def random_column(cells: Cells, state: int) -> int:
    """Return a legal column, each equally likely over the states."""
    free = 0
    for column in range(COLUMNS):
        if cells[0, column] == 0:
            free += 1
    skip = state % free
    column = 0
    while cells[0, column] != 0 or skip > 0:
        if cells[0, column] == 0:
            skip -= 1
        column += 1
    return column


@kernel()
def searched_column(
    cells: Cells, order: Integers, habits: Integers, windows: Integers, table: Integers, is_random: bool, seed: int
) -> int:
    """Return the column that a minimax bot plays; ``is_random``: whether chance decides among equal columns.

    The window starts just below the best value: an equal value is exact, a smaller one may be a bound.
    """
    state = position_random(cells, seed)
    best = -BOUND
    chosen = -1
    equals = 0
    for index in range(COLUMNS):
        column = order[index]
        row = landing_row(cells, column)
        if row < 0:
            continue
        cells[row, column] = BOT
        score = minimax(cells, row, column, BOT, PLIES - 1, best - 1, BOUND, habits, windows, table)
        cells[row, column] = 0
        if chosen < 0 or score > best:
            best, chosen, equals = score, column, 1
        elif score == best:
            equals += 1
            state = next_random(state)
            if is_random and state % equals == 0:
                chosen = column
    return chosen


@kernel()
def ruled_column(cells: Cells, order: Integers, first: int, second: int) -> int:
    """Return the first column that completes four for ``first``, else for ``second``, else the first open one."""
    for disc in (first, second):
        for index in range(COLUMNS):
            column = order[index]
            row = landing_row(cells, column)
            if row >= 0:
                cells[row, column] = disc
                completes = completes_four(cells, row, column)
                cells[row, column] = 0
                if completes:
                    return int(column)
    for index in range(COLUMNS):
        if cells[0, order[index]] == 0:
            return int(order[index])
    return -1


@kernel()
def sampled_column(cells: Cells, order: Integers, playouts: int, seed: int) -> int:
    """Return the column with the best result over uniformly random playouts, ``playouts`` for each column."""
    state = position_random(cells, seed)
    board = cells.copy()
    best = -1
    chosen = -1
    for index in range(COLUMNS):
        if cells[0, order[index]] != 0:
            continue
        points = 0
        for _ in range(playouts):
            board[:] = cells
            column = order[index]
            mover = BOT
            while True:
                row = landing_row(board, column)
                board[row, column] = mover
                if completes_four(board, row, column):
                    if mover == BOT:
                        points += 2
                    break
                if row == 0 and is_full(board):
                    points += 1
                    break
                mover = -mover
                state = next_random(state)
                column = random_column(board, state)
        if points > best:
            best, chosen = points, order[index]
    return chosen
