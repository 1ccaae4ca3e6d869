"""SSS*, DUAL* and MTD(f): one driver of searches with an empty window, which differ only in the first bound.

A. Plaat, J. Schaeffer, W. Pijls, A. de Bruin: Best-first fixed-depth minimax algorithms. Artificial Intelligence 87
(1996): the framework MTD. From the highest value down it is MT-SSS*, which expands the leaves of G. Stockman's SSS*
(Artificial Intelligence 12, 1979) in the same order as long as the table keeps all bounds; from the lowest value up
MT-DUAL*; from a guess MTD(f).
"""

from __future__ import annotations

from bot.agents.algorithms.kernels.root import NO_COLUMN, search_root
from bot.agents.kernels.evaluation import Rules
from bot.agents.kernels.rules import ABORT, PASSES
from bot.agents.kernels.search import Counters, Flag
from bot.agents.kernels.table import Table
from bot.engine.jit.compiling import kernel


@kernel()
def mtd(
    current: int,
    other: int,
    depth: int,
    first: int,
    bound: int,
    rules: Rules,
    counters: Counters,
    table: Table,
    stop: Flag,
) -> tuple[int, int]:
    """Return the value of the side to move, the maximiser, and the first column that attains it.

    ``first`` is the first value; all values lie in -bound..bound.
    """
    value, column = first, NO_COLUMN
    lower, upper = -bound, bound
    while lower < upper:
        beta = value + 1 if value == lower else value
        counters[PASSES] += 1
        value, better = search_root(current, other, depth, beta - 1, beta, rules, counters, table, stop)
        if counters[ABORT] != 0:
            break
        if value < beta:
            upper = value
        else:
            lower, column = value, better
    return value, column
