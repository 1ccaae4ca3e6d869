"""The searches that the papers share: alpha-beta, alpha-beta with memory, and MTD(f), with counters.

Values are from the side to move's view (negamax). ``side`` is +1 at the maximiser's nodes and -1 at the minimiser's,
because leaf values are the maximiser's. Every search reads ``stop`` (shape (1,), uint8) and its own counter ABORT at
every node. The value of a stopped search is meaningless, and nothing of it enters the table.

Arrays: ``rules`` (LENGTH,) and ``counters`` (COUNTERS,), both int64, see `bot.agents.kernels.rules`; ``table``
int64, see `bot.agents.kernels.table`.
"""

from __future__ import annotations

from numpy import int64, uint8
from numpy.typing import NDArray

from bot.agents.kernels.evaluation import Rules, evaluate
from bot.agents.kernels.rules import (
    ABORT,
    BLIND,
    DRAW_IS_LEAF,
    END_ADDS,
    HITS,
    INFINITY,
    LEAVES,
    LOST,
    LOST_PER_PLY,
    MOST_LEAVES,
    MOST_NODES,
    NO_VALUE,
    NODES,
    ORDER,
    PASSES,
    PRUNE,
    WON,
    WON_PER_PLY,
)
from bot.agents.kernels.table import KEY, LOWER, UPPER, Table, claim, slot_of, table_key
from bot.engine.jit.bits import FULL, STRIDE, four
from bot.engine.jit.compiling import kernel

Counters = NDArray[int64]
Flag = NDArray[uint8]


@kernel()
def is_stopped(counters: Counters, stop: Flag) -> bool:
    """Count a node and return whether the search must end: by ``stop``, by ABORT, or because a count is reached."""
    if stop[0] != 0 or 0 < counters[MOST_NODES] <= counters[NODES] or 0 < counters[MOST_LEAVES] <= counters[LEAVES]:
        counters[ABORT] = 1
    if counters[ABORT] != 0:
        return True
    counters[NODES] += 1
    return False


@kernel()
def landing(mask: int, column: int) -> int:
    """Return the bit of the lowest empty cell of ``column``; 0 when the column is full."""
    return (mask + (1 << column * STRIDE)) & ~mask & FULL


@kernel()
def winner_of(current: int, other: int, side: int, rules: Rules) -> int:
    """Return +1 when the maximiser has four in a row, -1 when the minimiser has, else 0; BLIND is the exception."""
    if rules[BLIND] == 0:
        return -side if four(other) else 0
    if side < 0:
        return 0
    if four(current):
        return 1
    return -1 if four(other) else 0


@kernel()
def leaf_value(current: int, other: int, side: int, winner: int, depth: int, rules: Rules) -> int:
    """Return a leaf's value for the side to move: that of the finished game, otherwise the evaluation's."""
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
    """Return the value of fail-soft alpha-beta, or of plain minimax when the rules switch pruning off."""
    if is_stopped(counters, stop):
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
    """Search the columns of the root, where the side to move is the maximiser, and write their values.

    ``values`` (shape (7,), int64) receives each column's value, or NO_VALUE where the column is full or was not
    searched. The best ``exact`` values are exact; the others may be upper bounds: 1 narrows the window to the best
    value as usual, 2 to the second best, 7 never. ``bound`` is the half width of the first window; a value that reaches
    it ends the search.
    """
    values[:] = NO_VALUE
    if is_stopped(counters, stop):
        return
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
def alpha_beta_with_memory(
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
    """Return the value of Plaat's alpha-beta with memory; the table keeps bounds of inner nodes only.

    A position and its mirror image share one entry.
    """
    if is_stopped(counters, stop):
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
        if alpha >= beta:  # both bounds are known and equal; never so in an empty window
            return alpha
    best = -INFINITY
    for place in range(ORDER, ORDER + 7):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        low = max(alpha, best)
        value = -alpha_beta_with_memory(
            other, current | disc, -side, depth - 1, -beta, -low, rules, counters, table, stop
        )
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
    """Search the root with the window (beta - 1, beta); return the value and the first column that attains it.

    The root itself is not looked up in the table.
    """
    best = -INFINITY
    column = -1
    if is_stopped(counters, stop):
        return best, column
    for place in range(ORDER, ORDER + 7):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        low = max(beta - 1, best)
        value = -alpha_beta_with_memory(
            other, current | disc, -side, depth - 1, -beta, -low, rules, counters, table, stop
        )
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
    """Search by MTD(f) (Plaat 1996); return the maximiser's value and the side to move's column, or -1.

    ``guess`` is the first guess of the value. The column comes from the last pass that was good for the side to move:
    one that failed high for the maximiser (``side`` 1) or low for the minimiser (-1). Without such a pass every move
    loses, and the column is -1.
    """
    value, chosen = guess, -1
    lower, upper = -INFINITY, INFINITY
    while lower < upper:
        beta = value + 1 if value == lower else value
        counters[PASSES] += 1
        # From the minimiser's view the window (beta - 1, beta) is (-beta, 1 - beta).
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
