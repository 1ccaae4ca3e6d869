"""The search of the EDAP01 report: a won position is not always the end (bot/lab/README.md#edap01-agent)."""

from __future__ import annotations

from numba import types
from numpy import int64
from numpy.typing import NDArray

from bot.agents.kernels.rules import ABORT, INFINITY, LEAVES, NO_VALUE, ORDER
from bot.agents.kernels.search import EVALUATION, Counters, Evaluate, Flag, Rules, is_stopped, landing, leaf_value
from bot.engine.jit.bits import FULL, four
from bot.engine.jit.compiling import kernel


@kernel(types.int64(*[types.int64] * 6, EVALUATION, types.int64[::1], types.int64[::1], types.uint8[::1]))
def published(
    current: int,
    other: int,
    side: int,
    depth: int,
    alpha: int,
    beta: int,
    evaluate: Evaluate,
    rules: Rules,
    counters: Counters,
    stop: Flag,
) -> int:
    """Return the value of alpha-beta in which only the maximiser's nodes test for four in a row, of either side."""
    if is_stopped(counters, stop):
        return 0
    winner = 0
    if side > 0:
        winner = 1 if four(current) else -1 if four(other) else 0
    if winner != 0 or depth == 0 or current | other == FULL:
        counters[LEAVES] += 1
        return leaf_value(current, other, side, winner, depth, evaluate, rules)
    best = -INFINITY
    for place in range(ORDER, ORDER + 7):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        low = max(alpha, best)
        value = -published(other, current | disc, -side, depth - 1, -beta, -low, evaluate, rules, counters, stop)
        best = max(best, value)
        if best >= beta:
            break
    return best


@kernel(
    types.void(*[types.int64] * 4, EVALUATION, types.int64[::1], types.int64[::1], types.uint8[::1], types.int64[::1])
)
def published_columns(
    current: int,
    other: int,
    depth: int,
    bound: int,
    evaluate: Evaluate,
    rules: Rules,
    counters: Counters,
    stop: Flag,
    values: NDArray[int64],
) -> None:
    """Write the value of each column, NO_VALUE where it is full or follows one that reaches ``bound``."""
    values[:] = NO_VALUE
    if is_stopped(counters, stop):
        return
    for place in range(ORDER, ORDER + 7):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        value = -published(other, current | disc, -1, depth - 1, -bound, bound, evaluate, rules, counters, stop)
        if counters[ABORT] != 0:
            return
        values[rules[place]] = value
        if value >= bound:
            return
