"""The papers' searches, written once: alpha-beta, alpha-beta with memory and MTD(f), with counters.

Values inside are the side to move's view (negamax); ``side`` is +1 at the maximiser's nodes and -1 at the
minimiser's, because leaf values belong to the maximiser. The search polls ``stop`` and its own counter ABORT at
every node; a stopped search returns worthless values and enters nothing into the table.
"""

from __future__ import annotations

from numpy import int64, uint8
from numpy.typing import NDArray

from bot.kernels.bits import FULL, STRIDE, four
from bot.kernels.jit import kernel
from bot.lab.kernels.evaluation import Rules, evaluate
from bot.lab.kernels.rules import (
    ABORT,
    BLIND,
    DRAW_IS_LEAF,
    END_ADDS,
    HITS,
    INFINITY,
    LEAVES,
    LOST,
    LOST_PER_PLY,
    NO_VALUE,
    NODES,
    ORDER,
    PASSES,
    PRUNE,
    WON,
    WON_PER_PLY,
)
from bot.lab.kernels.table import KEY, LOWER, UPPER, Table, claim, slot_of, table_key

Counters = NDArray[int64]
Flag = NDArray[uint8]


@kernel()
def landing(mask: int, column: int) -> int:
    """The cell where a disc in ``column`` comes to rest, as a bit; 0 when the column is full."""
    return (mask + (1 << column * STRIDE)) & ~mask & FULL


@kernel()
def winner_of(current: int, other: int, side: int, rules: Rules) -> int:
    """+1 when the maximiser is seen to have four, -1 when the minimiser is, else 0."""
    if rules[BLIND] == 0:
        return -side if four(other) else 0
    if side < 0:
        return 0
    if four(current):
        return 1
    return -1 if four(other) else 0


@kernel()
def leaf_value(current: int, other: int, side: int, winner: int, depth: int, rules: Rules) -> int:
    """The side to move's value of a leaf: a finished game's, else the evaluation's."""
    mine, theirs = (current, other) if side > 0 else (other, current)
    if winner == 0:
        if mine | theirs == FULL and rules[DRAW_IS_LEAF] == 0:
            return 0
        return side * evaluate(mine, theirs, side, rules)
    value: int = rules[WON] + depth * rules[WON_PER_PLY] if winner > 0 else rules[LOST] + depth * rules[LOST_PER_PLY]
    if rules[END_ADDS]:
        value += evaluate(mine, theirs, side, rules)
    return side * value


@kernel("int64(int64, int64, int64, int64, int64, int64, int64[::1], int64[::1], uint8[::1])")
def alpha_beta(
    current: int,
    other: int,
    side: int,
    depth: int,
    alpha: int,
    beta: int,
    rules: Rules,
    counters: Counters,
    stop: Flag,
) -> int:
    """Fail-soft alpha-beta, or plain minimax when the rules switch pruning off."""
    counters[NODES] += 1
    if stop[0] != 0:
        counters[ABORT] = 1
    if counters[ABORT] != 0:
        return 0
    winner = winner_of(current, other, side, rules)
    if winner != 0 or depth == 0 or current | other == FULL:
        counters[LEAVES] += 1
        return leaf_value(current, other, side, winner, depth, rules)
    best = -INFINITY
    for place in range(ORDER, ORDER + 7):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        value = -alpha_beta(other, current | disc, -side, depth - 1, -beta, -alpha, rules, counters, stop)
        if value > best:
            best = value
            if rules[PRUNE]:
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
    return best


@kernel()
def search_columns(
    current: int,
    other: int,
    depth: int,
    bound: int,
    exact: int,
    rules: Rules,
    counters: Counters,
    stop: Flag,
    values: NDArray[int64],
) -> None:
    """Search the root's columns; the side to move is the maximiser.

    ``values[column]`` becomes the value, or NO_VALUE where the column is full or was not reached. The ``exact`` best
    values are exact (1 narrows the window as usual, 2 to the second best, 7 never); the others may be upper bounds.
    ``bound`` is the first window's half width; a value that reaches it ends the search.
    """
    counters[NODES] += 1
    values[:] = NO_VALUE
    best = second = -bound
    for place in range(ORDER, ORDER + 7):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        if best >= bound:
            break
        alpha = -bound
        if rules[PRUNE] and exact <= 2:
            alpha = best if exact == 1 else second
        value = -alpha_beta(other, current | disc, -1, depth - 1, -bound, -alpha, rules, counters, stop)
        if counters[ABORT] != 0:
            break
        values[rules[place]] = value
        if value > best:
            best, second = value, best
        elif value > second:
            second = value


@kernel("int64(int64, int64, int64, int64, int64, int64, int64[::1], int64[::1], int64[:, ::1], uint8[::1])")
def memory(
    current: int,
    other: int,
    side: int,
    depth: int,
    alpha: int,
    beta: int,
    rules: Rules,
    counters: Counters,
    table: Table,
    stop: Flag,
) -> int:
    """Alpha-beta with memory (Plaat): bounds from the table, of mirror images too; leaves are not entered."""
    counters[NODES] += 1
    if stop[0] != 0:
        counters[ABORT] = 1
    if counters[ABORT] != 0:
        return 0
    winner = winner_of(current, other, side, rules)
    if winner != 0 or depth == 0 or current | other == FULL:
        counters[LEAVES] += 1
        return leaf_value(current, other, side, winner, depth, rules)
    key = table_key(current, other, depth, side)
    slot = slot_of(table, key)
    if table[slot, KEY] == key:
        counters[HITS] += 1
        lower: int = table[slot, LOWER]
        upper: int = table[slot, UPPER]
        if lower >= beta:
            return lower
        if upper <= alpha:
            return upper
        alpha, beta = max(alpha, lower), min(beta, upper)
    best = -INFINITY
    for place in range(ORDER, ORDER + 7):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        low = max(alpha, best)
        value = -memory(other, current | disc, -side, depth - 1, -beta, -low, rules, counters, table, stop)
        best = max(best, value)
        if best >= beta:
            break
    if counters[ABORT] == 0:
        slot = claim(table, key)
        if slot >= 0:
            if best < beta:
                table[slot, UPPER] = best
            if best > alpha:
                table[slot, LOWER] = best
    return best


@kernel()
def null_window(
    current: int,
    other: int,
    side: int,
    depth: int,
    beta: int,
    rules: Rules,
    counters: Counters,
    table: Table,
    stop: Flag,
) -> tuple[int, int]:
    """One pass from the root with the window (beta - 1, beta): value and the first column that attains it.

    The root never answers from the table.
    """
    counters[NODES] += 1
    best = -INFINITY
    column = -1
    for place in range(ORDER, ORDER + 7):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        low = max(beta - 1, best)
        value = -memory(other, current | disc, -side, depth - 1, -beta, -low, rules, counters, table, stop)
        if value > best:
            best, column = value, rules[place]
        if best >= beta:
            break
    return best, column


@kernel()
def mtdf(
    current: int,
    other: int,
    side: int,
    depth: int,
    guess: int,
    rules: Rules,
    counters: Counters,
    table: Table,
    stop: Flag,
) -> tuple[int, int]:
    """MTD(f) (Plaat 1996): the value from the maximiser's view, and the side to move's column, or -1.

    The column is that of the last pass that was good for the side to move: failed high for the maximiser
    (``side`` 1), low for the minimiser (-1). With no such pass every move loses, and the column is -1.
    """
    value, chosen = guess, -1
    lower, upper = -INFINITY, INFINITY
    while lower < upper:
        beta = value + 1 if value == lower else value
        counters[PASSES] += 1
        # The minimiser's window (beta - 1, beta) is (-beta, 1 - beta) in his own view.
        own_beta = beta if side > 0 else 1 - beta
        found, column = null_window(current, other, side, depth, own_beta, rules, counters, table, stop)
        if counters[ABORT] != 0:
            break
        if found >= own_beta:
            chosen = column
        value = side * found
        if value < beta:
            upper = value
        else:
            lower = value
    return value, chosen
