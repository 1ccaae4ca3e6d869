"""Plain minimax and alpha-beta, without a table.

D. E. Knuth, R. W. Moore: An analysis of alpha-beta pruning. Artificial Intelligence 6 (1975): F0 is plain
minimax, F2 alpha-beta, in the fail-soft form of J. P. Fishburn (SIGPLAN Notices 18, 1983).

The nodes below the root are `bot.agents.kernels.search.alpha_beta`; PRUNE of the rules decides which of the two it is.
"""

from __future__ import annotations

from bot.agents.algorithms.kernels.root import NO_COLUMN
from bot.agents.kernels.evaluation import Rules
from bot.agents.kernels.rules import ABORT, INFINITY, ORDER, PRUNE
from bot.agents.kernels.search import Counters, Flag, alpha_beta, is_stopped, landing
from bot.engine.jit.compiling import kernel


@kernel()
def alpha_beta_root(
    current: int, other: int, depth: int, bound: int, rules: Rules, counters: Counters, stop: Flag
) -> tuple[int, int]:
    """Return the value of the side to move, the maximiser, and the first column that attains it.

    All values lie in -bound..bound.
    """
    best, column = -INFINITY, NO_COLUMN
    if is_stopped(counters, stop):
        return best, column
    for place in range(ORDER, ORDER + 7):
        disc = landing(current | other, rules[place])
        if disc == 0:
            continue
        low = max(-bound, best) if rules[PRUNE] else -bound
        value = -alpha_beta(other, current | disc, -1, depth - 1, -bound, -low, rules, counters, stop)
        if counters[ABORT] != 0:
            break
        if value > best:
            best, column = value, rules[place]
        if best >= bound and rules[PRUNE]:
            break
    return best, column
