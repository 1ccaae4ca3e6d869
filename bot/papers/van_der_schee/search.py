"""The search of van der Schee 2014 with the published program's defects (bot/papers/van_der_schee/notes.md).

Values are from the maximiser's view throughout, because one of the defects treats the two bounds differently.
"""

from __future__ import annotations

from bot.agents.kernels.arrays import Counters, Rules, Table
from bot.agents.kernels.rules import ABORT, INFINITY, LEAVES, MIRROR, ORDER
from bot.agents.kernels.search import (
    PAIR,
    TABLE_SEARCH,
    Evaluate,
    is_stopped,
    landing,
    leaf_value,
)
from bot.agents.kernels.table import LOWER, UPPER, bounds_of, claim, table_key
from bot.engine.jit.arrays import Flag
from bot.engine.jit.bits import FULL, four
from bot.engine.jit.compiling import kernel


@kernel(PAIR(*TABLE_SEARCH))
def published_minimax(
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
) -> tuple[int, int]:
    """Return the value and the column (-1: no column was better than the bound that the node started from).

    The defects: an upper bound from the table raises beta instead of lowering it, a value equal to the bound does not
    cut, and the table is read before the end of the game is tested.
    """
    if is_stopped(counters, stop):
        return 0, -1
    key = table_key(current, other, depth, side, rules[MIRROR])
    lower, upper = bounds_of(table, key)
    if lower >= beta:
        return lower, -1
    alpha = max(alpha, lower)
    if upper <= alpha:
        return upper, -1
    if upper != INFINITY:
        beta = max(beta, upper)
    winner = -side if four(other) else 0
    if winner != 0 or depth == 0 or current | other == FULL:
        counters[LEAVES] += 1
        return side * leaf_value(current, other, side, winner, depth, evaluate, rules), -1
    best, chosen = alpha if side > 0 else beta, -1
    for place in range(ORDER, ORDER + 7):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        low, high = (best, beta) if side > 0 else (alpha, best)
        value, _ = published_minimax(
            other, current | disc, -side, depth - 1, low, high, evaluate, rules, counters, table, stop
        )
        if side * value > side * best:
            best, chosen = value, rules[place]
        if (side > 0 and value > beta) or (side < 0 and value < alpha):
            break
    if counters[ABORT] == 0 and (best <= alpha or best >= beta):
        slot = claim(table, key)
        if slot >= 0:
            if best <= alpha:
                table[slot, UPPER] = best
            else:
                table[slot, LOWER] = best
    return best, chosen
