"""Principal variation search, without a table.

T. A. Marsland, M. Campbell: Parallel search of strongly ordered game trees. Computing Surveys 14 (1982): PVS;
A. Reinefeld: An improvement to the scout tree search algorithm. ICCA Journal 6 (1983): NegaScout.

The first child is searched with the whole window. The others are searched with an empty window, which only asks whether
they are better; one that is better is searched again.
"""

from __future__ import annotations

from bot.agents.algorithms.kernels.root import NO_COLUMN
from bot.agents.kernels.evaluation import Rules
from bot.agents.kernels.rules import ABORT, INFINITY, LEAVES, ORDER
from bot.agents.kernels.search import Counters, Flag, is_stopped, landing, leaf_value, winner_of
from bot.engine.jit.bits import FULL
from bot.engine.jit.compiling import kernel


@kernel("int64(int64, int64, int64, int64, int64, int64, int64[::1], int64[::1], uint8[::1])")
def pvs(
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
    """Return the fail-soft value of a node for the side to move."""
    if is_stopped(counters, stop):
        return 0
    winner = winner_of(current, other, side, rules)
    if winner != 0 or depth == 0 or current | other == FULL:
        counters[LEAVES] += 1
        return leaf_value(current, other, side, winner, depth, rules)
    best = -INFINITY
    is_first = True
    for place in range(ORDER, ORDER + 7):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        low = max(alpha, best)
        high = beta if is_first else low + 1
        value = -pvs(other, current | disc, -side, depth - 1, -high, -low, rules, counters, stop)
        if not is_first and low < value < beta and depth > 1:
            value = -pvs(other, current | disc, -side, depth - 1, -beta, -value, rules, counters, stop)
        is_first = False
        best = max(best, value)
        if best >= beta:
            break
    return best


@kernel()
def pvs_root(
    current: int, other: int, depth: int, bound: int, rules: Rules, counters: Counters, stop: Flag
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
        value = -pvs(other, current | disc, -1, depth - 1, -high, -low, rules, counters, stop)
        if not is_first and low < value < bound and depth > 1:
            value = -pvs(other, current | disc, -1, depth - 1, -bound, -value, rules, counters, stop)
        is_first = False
        if counters[ABORT] != 0:
            break
        if value > best:
            best, column = value, rules[place]
        if best >= bound:
            break
    return best, column
