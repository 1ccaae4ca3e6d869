"""The one search of the papers: alpha-beta with or without a table, and MTD(f) over it.

D. E. Knuth, R. W. Moore: An analysis of alpha-beta pruning. Artificial Intelligence 6 (1975): F0 is plain minimax, F2
alpha-beta, in the fail-soft form of J. P. Fishburn (SIGPLAN Notices 18, 1983). With a table: A. Plaat, J. Schaeffer,
W. Pijls, A. de Bruin: Best-first fixed-depth minimax algorithms. Artificial Intelligence 87 (1996),
AlphaBetaWithMemory, called MT where its window is empty.

Values are from the side to move's view (negamax). ``side`` is +1 at the maximiser's nodes and -1 at the minimiser's,
because leaf values are the maximiser's. Every search reads ``stop`` (shape (1,), uint8) and its own counter ABORT at
every node. The value of a stopped search is meaningless, and nothing of it enters the table.

Arrays: ``rules`` and ``counters`` (COUNTERS,), both int64, see `bot.agents.kernels.rules`; ``table`` int64,
see `bot.agents.kernels.table`. ``evaluate`` is the program's own kernel of leaf values, of the type EVALUATION. It is
called through a pointer, so that a new evaluation compiles nothing but itself; the search takes as long as with the
evaluation compiled into it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import types

from bot.agents.kernels.arrays import Counters, Rules, Table
from bot.agents.kernels.rules import (
    ABORT,
    DRAW_IS_LEAF,
    END_ADDS,
    INFINITY,
    LEAVES,
    LEAVES_TOO,
    LOST,
    LOST_PER_PLY,
    MIRROR,
    MOST_LEAVES,
    MOST_NODES,
    NO_VALUE,
    NODES,
    ONE_SIDED,
    ORDER,
    PASSES,
    PRUNE,
    ROOT,
    WON,
    WON_PER_PLY,
)
from bot.agents.kernels.table import LOWER, UPPER, bounds_of, claim, table_key
from bot.engine.jit.arrays import Flag, Words
from bot.engine.jit.bits import FULL, STRIDE, four
from bot.engine.jit.compiling import kernel

Evaluate = Callable[[int, int, int, Rules], int]
"""Returns a leaf's value for the maximiser from (its discs, the minimiser's, ``side``, the rules)."""
LEAF_SIGNATURE = types.int64(types.int64, types.int64, types.int64, types.int64[::1])
EVALUATION = types.FunctionType(LEAF_SIGNATURE)

NO_COLUMN = -1
"""The column where no move is better than a lost game."""
_ARRAY, _TABLE, _FLAG = types.int64[::1], types.int64[:, ::1], types.uint8[::1]
PAIR = types.UniTuple(types.int64, 2)  # type: ignore[no-untyped-call]
"""The type of value and column."""
TABLE_SEARCH = (*[types.int64] * 6, EVALUATION, _ARRAY, _ARRAY, _TABLE, _FLAG)
"""Types of six numbers, evaluation, rules, counters, table and stop, which most searches with a table take."""


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
def leaf_value(current: int, other: int, side: int, winner: int, depth: int, evaluate: Evaluate, rules: Rules) -> int:
    """Return a leaf's value for the side to move: that of the finished game, otherwise the evaluation's.

    ``winner`` is 1 where the maximiser has won, -1 where the minimiser has, else 0.
    """
    mine, theirs = (current, other) if side > 0 else (other, current)
    if winner == 0:
        if mine | theirs == FULL and rules[DRAW_IS_LEAF] == 0:
            return 0
        return side * evaluate(mine, theirs, side, rules)
    value: int = rules[WON] + depth * rules[WON_PER_PLY] if winner > 0 else rules[LOST] + depth * rules[LOST_PER_PLY]
    if rules[END_ADDS]:
        value += evaluate(mine, theirs, side, rules)
    return side * value


@kernel(types.int64(*[types.int64] * 6, EVALUATION, _ARRAY, _ARRAY, _TABLE, _FLAG))
def search(
    current: int,
    other: int,
    side: int,
    depth: int,
    alpha: int,
    beta: int,
    evaluate: Evaluate,
    rules: Rules,
    counters: Counters,
    table: Table,
    stop: Flag,
) -> int:
    """Return the fail-soft value of a node; without PRUNE in the rules, that of plain minimax.

    The table keeps bounds of inner nodes, and of leaves with LEAVES_TOO in the rules; a position and its mirror image
    share one entry. A table without rows keeps nothing.
    """
    if is_stopped(counters, stop):
        return 0
    winner = -side if four(other) else 0
    if rules[ONE_SIDED] and side < 0:
        winner = 0
    elif rules[ONE_SIDED] and four(current):
        winner = 1
    is_leaf = winner != 0 or depth == 0 or current | other == FULL
    if is_leaf and rules[LEAVES_TOO] == 0:
        counters[LEAVES] += 1
        return leaf_value(current, other, side, winner, depth, evaluate, rules)
    key = 0
    if len(table):
        key = table_key(current, other, depth, side, rules[MIRROR])
        lower, upper = bounds_of(table, key)
        if lower >= beta:
            return lower
        if upper <= alpha:
            return upper
        alpha, beta = max(alpha, lower), min(beta, upper)
        if alpha >= beta:  # both bounds are known and equal; never so in an empty window
            return alpha
    best, end = -INFINITY, ORDER + 7
    if is_leaf:
        counters[LEAVES] += 1
        best, end = leaf_value(current, other, side, winner, depth, evaluate, rules), ORDER
    for place in range(ORDER, end):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        low = max(alpha, best) if rules[PRUNE] else alpha
        value = -search(other, current | disc, -side, depth - 1, -beta, -low, evaluate, rules, counters, table, stop)
        best = max(best, value)
        if best >= beta and rules[PRUNE]:
            break
    if len(table) and counters[ABORT] == 0:
        slot = claim(table, key)
        if slot >= 0:
            if best < beta:
                table[slot, UPPER] = best
            if best > alpha:
                table[slot, LOWER] = best
    return best


@kernel(PAIR(*[types.int64] * 7, _ARRAY, EVALUATION, _ARRAY, _ARRAY, _TABLE, _FLAG))
def search_root(
    current: int,
    other: int,
    side: int,
    depth: int,
    alpha: int,
    beta: int,
    exact: int,
    values: Words,
    evaluate: Evaluate,
    rules: Rules,
    counters: Counters,
    table: Table,
    stop: Flag,
) -> tuple[int, int]:
    """Return the value of the root for the side to move, and the first column that attains it, or NO_COLUMN.

    ``values`` (shape (7,), int64) receives each column's value, or NO_VALUE where the column is full or was not
    searched. The best ``exact`` values are exact; the others may be upper bounds: 1 narrows the window to the best
    value as usual, 2 to the second best, 7 never. A value that reaches ``beta`` ends the search. The root itself is
    neither looked up in the table nor stored.
    """
    values[:] = NO_VALUE
    best = second = -INFINITY
    column = NO_COLUMN
    if is_stopped(counters, stop):
        return best, column
    for place in range(ROOT, ROOT + 7):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        low = alpha
        if rules[PRUNE] and exact == 1:
            low = max(alpha, best)
        elif rules[PRUNE] and exact == 2:
            low = max(alpha, second)
        value = -search(other, current | disc, -side, depth - 1, -beta, -low, evaluate, rules, counters, table, stop)
        if counters[ABORT] != 0:
            break
        values[rules[place]] = value
        if value > best:
            best, second, column = value, best, rules[place]
        elif value > second:
            second = value
        if best >= beta and rules[PRUNE]:
            break
    return best, column


@kernel(PAIR(*TABLE_SEARCH))
def mtd(
    current: int,
    other: int,
    side: int,
    depth: int,
    first: int,
    bound: int,
    evaluate: Evaluate,
    rules: Rules,
    counters: Counters,
    table: Table,
    stop: Flag,
) -> tuple[int, int]:
    """Search by passes with an empty window; return the maximiser's value and the side to move's column.

    Plaat's framework MTD: from ``first`` = ``bound``, the highest value, down it is MT-SSS*, which expands the leaves
    of G. Stockman's SSS* (Artificial Intelligence 12, 1979) in the same order as long as the table keeps all bounds;
    from the lowest value up it is MT-DUAL*; from a guess it is MTD(f).

    The column comes from the last pass that was good for the side to move: one that failed high for the maximiser
    (``side`` 1) or low for the minimiser (-1). Without such a pass every move loses, and the column is NO_COLUMN.
    """
    values = np.empty(7, dtype=np.int64)
    value, chosen = first, NO_COLUMN
    lower, upper = -bound, bound
    while lower < upper:
        beta = value + 1 if value == lower else value
        counters[PASSES] += 1
        # From the minimiser's view the window (beta - 1, beta) is (-beta, 1 - beta).
        own_beta = beta if side > 0 else 1 - beta
        window = own_beta - 1, own_beta
        found, column = search_root(
            current, other, side, depth, *window, 1, values, evaluate, rules, counters, table, stop
        )
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
