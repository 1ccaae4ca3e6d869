"""NegaScout with a transposition table.

A. Reinefeld: An improvement to the scout tree search algorithm. ICCA Journal 6 (1983); with a table as in
A. Plaat et al.: Best-first fixed-depth minimax algorithms. Artificial Intelligence 87 (1996).

As `pvs.py`, with bounds of inner nodes looked up and stored as in `alpha_beta_with_memory`.
"""

from __future__ import annotations

from bot.agents.algorithms.kernels.root import NO_COLUMN
from bot.agents.kernels.evaluation import Rules
from bot.agents.kernels.rules import ABORT, HITS, INFINITY, LEAVES, ORDER
from bot.agents.kernels.search import Counters, Flag, is_stopped, landing, leaf_value, winner_of
from bot.agents.kernels.table import KEY, LOWER, UPPER, Table, claim, slot_of, table_key
from bot.engine.jit.bits import FULL
from bot.engine.jit.compiling import kernel


@kernel("int64(int64, int64, int64, int64, int64, int64, int64[::1], int64[::1], int64[:, ::1], uint8[::1])")
def negascout(
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
    """Return the fail-soft value of a node for the side to move."""
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
        if alpha >= beta:
            return alpha
    best = -INFINITY
    is_first = True
    for place in range(ORDER, ORDER + 7):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        low = max(alpha, best)
        high = beta if is_first else low + 1
        value = -negascout(other, current | disc, -side, depth - 1, -high, -low, rules, counters, table, stop)
        if not is_first and low < value < beta and depth > 1:
            value = -negascout(other, current | disc, -side, depth - 1, -beta, -value, rules, counters, table, stop)
        is_first = False
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
def negascout_root(
    current: int, other: int, depth: int, bound: int, rules: Rules, counters: Counters, table: Table, stop: Flag
) -> tuple[int, int]:
    """Return the value of the side to move, the maximiser, and the first column that attains it.

    All values lie in -bound..bound.
    """
    best, column = -INFINITY, NO_COLUMN
    if is_stopped(counters, stop):
        return best, column
    is_first = True
    for place in range(ORDER, ORDER + 7):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        low = max(-bound, best)
        high = bound if is_first else low + 1
        value = -negascout(other, current | disc, -1, depth - 1, -high, -low, rules, counters, table, stop)
        if not is_first and low < value < bound and depth > 1:
            value = -negascout(other, current | disc, -1, depth - 1, -bound, -value, rules, counters, table, stop)
        is_first = False
        if counters[ABORT] != 0:
            break
        if value > best:
            best, column = value, rules[place]
        if best >= bound:
            break
    return best, column
