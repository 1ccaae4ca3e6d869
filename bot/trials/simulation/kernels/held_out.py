"""Compiled choices of the held-out opponents: a minimax search, players by rule and a playout player.

Parameters select depth, tie order, evaluation and defects. Every kernel that drops a disc removes it again.
"""

from __future__ import annotations

from bot.engine.jit.compiling import kernel
from bot.trials.simulation.kernels.held_out_rules import (
    BOT,
    COLUMNS,
    DEPTH,
    DIRECTIONS,
    FOUR_TEST,
    HASTE,
    ROWS,
    SLIP_PERMILLE,
    STUDENT,
    TIES,
    TURNING,
    Int8s,
    Int64s,
    count_discs,
    evaluate,
    landing_row,
    makes_four,
    random_state,
    scramble,
)

WIN = 1_000_000
"""Score of a won game; larger than every sum of evaluation terms."""
INFINITY = 1_000_000_000
# Values of FOUR_TEST: where the search checks for four in a row.
TEST_ALL, TEST_INNER, TEST_NONE = range(3)
# Values of TIES: which of several equally good columns is played, in the order of the search.
FIRST, LAST, ANY = range(3)
# Habits of the players by rule.
AVOID_OWN_COLUMN, FOLLOW_STUDENT = range(2)


@kernel(
    "int64(int8[:,::1], int64, int64, int64, int64, int64, int64,"
    " int64[::1], int64[:,::1], int64[:,::1], int64[:,::1], int64[:,::1], int64[::1])"
)
def search(
    cells: Int8s,
    row: int,
    column: int,
    player: int,
    left: int,
    alpha: int,
    beta: int,
    order: Int64s,
    windows: Int64s,
    values: Int64s,
    runs: Int64s,
    threats: Int64s,
    settings: Int64s,
) -> int:
    """Return the alpha-beta value, for the bot, of the player's disc on this cell, ``left`` more plies deep."""
    test = settings[FOUR_TEST]
    tested = test == TEST_ALL or (test == TEST_INNER and left > 0)
    if tested and makes_four(cells, row, column, player, settings[DIRECTIONS]):
        return int(-player * (WIN + settings[HASTE] * left))
    cells[row, column] = player
    worst = -player * INFINITY
    best = worst  # the student replies to the bot's disc with the minimum, the bot with the maximum
    if left > 0:
        for i in range(COLUMNS):
            reply = order[i]
            reply_row = landing_row(cells, reply)
            if reply_row < 0:
                continue
            value = search(
                cells, reply_row, reply, -player, left - 1, alpha, beta, order, windows, values, runs, threats, settings
            )
            if player == BOT:
                best = min(best, value)
                beta = min(beta, best)
            else:
                best = max(best, value)
                alpha = max(alpha, best)
            if alpha >= beta:
                break
    if best == worst:  # a leaf, or a full board
        best = evaluate(cells, windows, values, runs, threats, settings)
    cells[row, column] = 0
    return best


@kernel()
def choose_by_search(
    cells: Int8s,
    seed: int,
    order: Int64s,
    windows: Int64s,
    values: Int64s,
    runs: Int64s,
    threats: Int64s,
    settings: Int64s,
) -> int:
    """Return the column with the best minimax value; ties are resolved as the settings say."""
    state = random_state(cells, seed)
    slips = state % 1000 < settings[SLIP_PERMILLE]
    ties = ANY if slips else settings[TIES]
    turned = settings[TURNING] * count_discs(cells)
    best = -INFINITY
    chosen = -1
    equals = 0
    for i in range(COLUMNS):
        column = order[(i + turned) % COLUMNS]
        row = landing_row(cells, column)
        if row < 0:
            continue
        # A window one below the best value keeps equal values exact, which "last" and "any" need.
        value = 0
        if not slips:
            value = search(
                cells,
                row,
                column,
                BOT,
                settings[DEPTH] - 1,
                best - 1,
                INFINITY,
                order,
                windows,
                values,
                runs,
                threats,
                settings,
            )
        if value > best:
            best, chosen, equals = value, column, 1
        elif value == best:
            equals += 1
            state = scramble(state)
            if ties == LAST or (ties == ANY and state % equals == 0):
                chosen = column
    return chosen


@kernel()
def choose_by_rule(cells: Int8s, last: int, seed: int, order: Int64s, blocks_first: int, habit: int) -> int:
    """Win or block in the given order of preference; otherwise follow the habit."""
    for attempt in range(2):
        player = STUDENT if (attempt == 0) == (blocks_first == 1) else BOT
        for i in range(COLUMNS):
            row = landing_row(cells, order[i])
            if row >= 0 and makes_four(cells, row, order[i], player, 4):
                return int(order[i])
    if habit == FOLLOW_STUDENT:
        for i in range(COLUMNS):
            column = (max(last, 0) + i) % COLUMNS
            if landing_row(cells, column) >= 0:
                return column
    state = random_state(cells, seed)
    chosen = -1
    count = 0
    for allowed in range(2):  # a second pass admits the columns that the habit avoids
        for column in range(COLUMNS):
            row = landing_row(cells, column)
            below = row + 1
            if column == last:  # look beneath the disc that the student has just dropped
                below += 1
            if row < 0 or (allowed == 0 and below < ROWS and cells[below, column] == BOT):
                continue
            count += 1
            state = scramble(state)
            if state % count == 0:
                chosen = column
        if chosen >= 0:
            break
    return chosen


@kernel()
def choose_by_playouts(cells: Int8s, seed: int, playouts: int) -> int:
    """Return the column with the best result over random games, the same number for each column."""
    state = random_state(cells, seed)
    board = cells.copy()
    best = -INFINITY
    chosen = -1
    for column in range(COLUMNS):
        if landing_row(cells, column) < 0:
            continue
        total = 0
        for _ in range(playouts):
            board[:] = cells
            player = BOT
            move = column
            for _ply in range(ROWS * COLUMNS):
                row = landing_row(board, move)
                if makes_four(board, row, move, player, 4):
                    total -= player
                    break
                board[row, move] = player
                player = -player
                count = 0
                for c in range(COLUMNS):
                    if board[0, c] == 0:
                        count += 1
                if count == 0:
                    break
                state = scramble(state)
                pick = state % count
                for c in range(COLUMNS):
                    if board[0, c] == 0:
                        if pick == 0:
                            move = c
                            break
                        pick -= 1
        if total > best:
            best, chosen = total, column
    return chosen
