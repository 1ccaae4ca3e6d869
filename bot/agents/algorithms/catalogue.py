"""The algorithms by name, each as one function from a position and a depth to value, column and work."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module

import numpy as np

from bot.agents.growing_table import NO_TABLE, entries_needed, new_table
from bot.agents.kernels.arrays import Table
from bot.agents.kernels.rules import COUNTERS, INFINITY, LEAVES, NODES, PASSES
from bot.agents.program import Program
from bot.game import Board

MOST_ENTRIES = 1 << 20
"""Largest number of entries that a transposition table is made for."""
ALL = 2 * INFINITY
"""The width of all values: no guess is further than this from the highest or the lowest."""
ASPIRATION = 50
"""Half width of the first window of aspiration search: about the value of five pairs of discs in open windows."""


@dataclass(frozen=True, slots=True)
class Searched:
    """The result of a search to a fixed depth, for the side to move."""

    value: int
    """The minimax value."""
    column: int
    leaves: int
    """Positions evaluated."""
    nodes: int
    """Positions visited, once for each visit."""
    passes: int
    """Searches with an empty window, of the algorithms that repeat them."""
    seconds: float
    """Processor time of the search, without emptying the table."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """What a search algorithm is made of."""

    first: int | None = None
    """Where passes with an empty window begin, counted from the guess; None: the root is searched with one window."""
    half_width: int = ALL
    """That window's half width around the guess; a search that fails on one side is repeated with that side open."""
    prune: bool = True
    table: bool = False
    """Whether it keeps bounds in a transposition table, which is new for each search."""
    scout: bool = False


ALGORITHMS = {
    "minimax": Algorithm(prune=False),
    "alpha-beta": Algorithm(),
    "PVS": Algorithm(scout=True),
    "alpha-beta + table": Algorithm(table=True),
    "NegaScout + table": Algorithm(table=True, scout=True),
    "aspiration NegaScout + table": Algorithm(half_width=ASPIRATION, table=True, scout=True),
    "MTD(f)": Algorithm(0, table=True),
}
"""All searches to a fixed depth, by their names in tables."""


@cache
def _table(entries: int) -> Table:
    """Return the table for at least ``entries`` entries, which every search empties first."""
    return new_table(entries)


def search(name: str, board: Board, depth: int, guess: int = 0) -> Searched:
    """Search an unfinished position to ``depth`` plies by the algorithm called ``name``.

    The evaluation, the infinite values of won games and the order of the columns are Tommy 2017's. All algorithms
    return the same value, and the first column of the order that attains it. ``guess`` is the value at which MTD(f)
    and aspiration search begin.
    """
    from bot.agents.kernels.search import mtd, search_root

    program: Program = import_module("bot.papers.tommy.program").PROGRAM
    algorithm = ALGORITHMS[name]
    table = _table(min(entries_needed(depth), MOST_ENTRIES))
    table.fill(0)
    rules, counters = replace(program, prune=algorithm.prune).rules, np.zeros(COUNTERS, dtype=np.int64)
    position, arrays = (board.current, board.opponent, 1, depth), (program.leaf, rules, counters)
    flag = np.zeros(1, dtype=np.uint8)
    start = time.thread_time()
    if algorithm.first is not None:
        first = max(-INFINITY, min(INFINITY, guess + algorithm.first))
        value, column = mtd(*position, first, INFINITY, *arrays, table, flag)
    else:
        values, memory = np.empty(7, np.int64), table if algorithm.table else NO_TABLE
        low, high = max(-INFINITY, guess - algorithm.half_width), min(INFINITY, guess + algorithm.half_width)
        while True:
            value, column = search_root(*position, low, high, 1, values, *arrays, memory, algorithm.scout, flag)
            if (low < value or low == -INFINITY) and (value < high or high == INFINITY):
                break
            low, high = (-INFINITY, value + 1) if value <= low else (value - 1, INFINITY)  # it failed
    seconds = time.thread_time() - start
    if column < 0:  # every move loses
        column = next(filter(board.can_play, program.order))
    leaves, nodes, passes = (int(counters[count]) for count in (LEAVES, NODES, PASSES))
    return Searched(int(value), int(column), leaves, nodes, passes, seconds)
