"""The root of alpha-beta with memory: value and column for any window.

A. Plaat, J. Schaeffer, W. Pijls, A. de Bruin: Best-first fixed-depth minimax algorithms. Artificial Intelligence 87
(1996): AlphaBetaWithMemory, called MT where its window is empty.

The nodes below the root are `bot.agents.kernels.search.alpha_beta_with_memory`.
"""

from __future__ import annotations

from bot.agents.kernels.evaluation import Rules
from bot.agents.kernels.rules import ABORT, INFINITY, ORDER
from bot.agents.kernels.search import Counters, Flag, alpha_beta_with_memory, is_stopped, landing
from bot.agents.kernels.table import Table
from bot.engine.jit.compiling import kernel

NO_COLUMN = -1
"""The column where no move is better than a lost game."""


@kernel()
def search_root(
    current: int,
    other: int,
    depth: int,
    alpha: int,
    beta: int,
    rules: Rules,
    counters: Counters,
    table: Table,
    stop: Flag,
) -> tuple[int, int]:
    """Return the fail-soft value of the window (alpha, beta), and the first column that attains it.

    The side to move is the maximiser. The root itself is neither looked up nor stored.
    """
    best, column = -INFINITY, NO_COLUMN
    if is_stopped(counters, stop):
        return best, column
    for place in range(ORDER, ORDER + 7):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        low = max(alpha, best)
        value = -alpha_beta_with_memory(other, current | disc, -1, depth - 1, -beta, -low, rules, counters, table, stop)
        if counters[ABORT] != 0:
            break
        if value > best:
            best, column = value, rules[place]
        if best >= beta:
            break
    return best, column
