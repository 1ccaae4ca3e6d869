"""Best node search: find the best move by separating it from the others, without computing its value.

D. Rutko: Fuzzified tree search in real domain games. MICAI 2011, Lecture Notes in Computer Science 7094:
BNS. The remaining moves are compared with a separation value by searches with an empty window, until one is left.

The paper leaves the first separation values open. Here the first is a guess; the next ones step away from it by twice
as much each time, until the best value lies between two of them; then the paper's formula divides that interval.
"""

from __future__ import annotations

import numpy as np
from numba import types

from bot.agents.kernels.rules import ABORT, ORDER, PASSES
from bot.agents.kernels.search import (
    NO_COLUMN,
    TABLE_SEARCH,
    Counters,
    Evaluate,
    Flag,
    Rules,
    is_stopped,
    landing,
    search,
)
from bot.agents.kernels.table import Table
from bot.engine.jit.compiling import kernel

FIRST_STEP = 16
"""Distance of the second separation value from the guess: about the value of two discs in an open window."""
LARGEST_STEP = 1 << 14
"""Step after which the next separation value is that of a decided game."""


@kernel()
def separation(low: int, high: int, candidates: int) -> int:
    """Return the paper's next separation value in the interval from ``low`` to ``high``."""
    return min(high - 1, max(low + 1, low + (high - low) * (candidates - 1) // candidates))


@kernel(types.UniTuple(types.int64, 3)(*TABLE_SEARCH))  # type: ignore[no-untyped-call]
def best_node(
    current: int,
    other: int,
    depth: int,
    guess: int,
    exact: int,
    bound: int,
    evaluate: Evaluate,
    rules: Rules,
    counters: Counters,
    table: Table,
    stop: Flag,
) -> tuple[int, int, int]:
    """Return bounds ``low <= value < high`` of the side to move's value, and the best column.

    The side to move is the maximiser; all values lie in -bound..bound. With ``exact`` the search goes on until the
    value is known: ``low`` is the value. Otherwise it ends when one move is left; if several are equal to the end, the
    column is the first of them.
    """
    low, high, column = -bound, bound + 1, NO_COLUMN
    remaining = np.ones(7, dtype=np.bool_)
    candidates = 0
    for place in range(ORDER, ORDER + 7):
        remaining[rules[place]] = landing(current | other, rules[place]) != 0
        candidates += remaining[rules[place]]
    test, step = min(max(guess, 1 - bound), bound), FIRST_STEP
    while high - low > 1 and (exact != 0 or candidates > 1 or column == NO_COLUMN):
        if is_stopped(counters, stop):
            break
        counters[PASSES] += 1
        better = np.zeros(7, dtype=np.bool_)
        count = 0
        for place in range(ORDER, ORDER + 7):
            if not remaining[rules[place]]:
                continue
            disc = landing(current | other, rules[place])
            value = -search(
                other, current | disc, -1, depth - 1, -test, 1 - test, evaluate, rules, counters, table, None, stop
            )
            if value >= test:
                better[rules[place]] = True
                count += 1
        if counters[ABORT] != 0:
            break
        if count > 0:
            low, candidates = test, count
            remaining[:] = better
            for place in range(ORDER + 6, ORDER - 1, -1):
                if better[rules[place]]:
                    column = rules[place]
        else:
            high = test
        if low > -bound and high <= bound:
            test = separation(low, high, max(candidates, 2))
        else:  # the best value is not yet between two separation values
            far = bound if step > LARGEST_STEP else step
            test = min(low + far, bound) if count > 0 else max(high - far, 1 - bound)
            step *= 2
    return low, high, column
