"""The algorithms by name, each as one function from a position and a depth to value, column and work."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bot.agents.growing_table import entries_needed, new_table
from bot.agents.kernels.rules import ABORT, COUNTERS, LEAVES, NODES, PASSES
from bot.agents.kernels.windows import linear
from bot.agents.papers import tommy
from bot.agents.program import CENTRE_RIGHT_FIRST, Ends, Program
from bot.engine.agent import Stop
from bot.game import Board

Array = NDArray[np.int64]


MOST_ENTRIES = 1 << 20
"""Largest number of entries that a transposition table is made for."""
ASPIRATION = 50
"""Half width of the first window of aspiration search: about the value of five pairs of discs in open windows."""


HEURISTIC = tommy.PROGRAM
"""Tommy 2017's evaluation, infinite wins and column order."""
OUTCOME = Program(linear, Ends(won=1, lost=-1, draw_is_leaf=False), order=CENTRE_RIGHT_FIRST, bound=1)
"""Win, draw or loss (1, 0, -1), if the depth reaches the end of the game; leaves before it count 0."""


@dataclass(frozen=True, slots=True)
class Searched:
    """The result of a search to a fixed depth, for the side to move."""

    value: int | None
    """The minimax value; None where the algorithm does not compute it."""
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
    """A search algorithm: its name in tables, and what it is made of."""

    name: str
    driver: Literal["root", "aspiration", "mtd", "bns"] = "root"
    """One search of the root, one with a window around the guess, passes with an empty window, or best node search."""
    prune: bool = True
    table: bool = False
    """Whether it keeps bounds in a transposition table, which is new for each search."""
    scout: bool = False
    first: Literal["guess", "highest", "lowest"] = "guess"
    """Where the passes begin."""
    exact: bool = True
    """Whether best node search goes on until the value is known, or only until one move is left."""


ALGORITHMS = (
    Algorithm("minimax", prune=False),
    Algorithm("alpha-beta"),
    Algorithm("PVS", scout=True),
    Algorithm("alpha-beta + table", table=True),
    Algorithm("NegaScout + table", table=True, scout=True),
    Algorithm("aspiration NegaScout + table", "aspiration", table=True, scout=True),
    Algorithm("MTD(f)", "mtd", table=True),
    Algorithm("SSS*", "mtd", table=True, first="highest"),
    Algorithm("DUAL*", "mtd", table=True, first="lowest"),
    Algorithm("BNS, value", "bns", table=True),
    Algorithm("BNS, move only", "bns", table=True, exact=False),
)
"""All searches to a fixed depth."""
BY_NAME = {algorithm.name: algorithm for algorithm in ALGORITHMS}


@cache
def _table(size: int) -> Array:
    return new_table(size)


def empty_table(entries: int) -> Array:
    """Return an empty table for at least ``entries`` entries; each size has one, which the next call empties."""
    table = _table(1 << max(0, entries - 1).bit_length())
    table.fill(0)
    return table


class StoppedError(Exception):
    """A search was stopped before it had a result."""


def search(
    name: str, board: Board, depth: int, *, program: Program = HEURISTIC, guess: int = 0, stop: Stop | None = None
) -> Searched:
    """Search an unfinished position to ``depth`` plies by the algorithm called ``name``.

    All algorithms return the same value, and the first column of the order that attains it. ``guess`` is the value at
    which MTD(f) and BNS begin. Raises StoppedError after ``stop``.
    """
    from bot.agents.kernels.best_node import best_node
    from bot.agents.kernels.search import mtd, search_root

    algorithm, bound = BY_NAME[name], program.bound
    mine, theirs, leaf, rules = board.current, board.opponent, program.evaluate, program.rules
    if not algorithm.prune:
        rules = replace(program, prune=False).rules
    counters, flag = np.zeros(COUNTERS, dtype=np.int64), (stop or Stop()).flag
    table = empty_table(min(entries_needed(depth), MOST_ENTRIES)) if algorithm.table else np.empty((0, 3), np.int64)
    start = time.thread_time()
    value: int | None
    if algorithm.driver == "bns":
        goal = int(algorithm.exact)
        low, high, column = best_node(mine, theirs, depth, guess, goal, bound, leaf, rules, counters, table, flag)
        value = int(low) if high - low == 1 else None
    elif algorithm.driver == "mtd":
        first = {"guess": max(-bound, min(bound, guess)), "highest": bound, "lowest": -bound}[algorithm.first]
        value, column = mtd(mine, theirs, 1, depth, first, bound, leaf, rules, counters, table, flag)
    else:
        values, memory, scout = np.empty(7, np.int64), table if algorithm.table else None, algorithm.scout or None
        low, high = -bound, bound
        if algorithm.driver == "aspiration":
            low, high = max(-bound, guess - ASPIRATION), min(bound, guess + ASPIRATION)
        while True:
            window = depth, low, high, 1
            value, column = search_root(mine, theirs, 1, *window, values, leaf, rules, counters, memory, scout, flag)
            if counters[ABORT] or ((low < value or low == -bound) and (value < high or high == bound)):
                break
            low, high = (-bound, int(value) + 1) if value <= low else (int(value) - 1, bound)  # it failed
    seconds = time.thread_time() - start
    if counters[ABORT]:
        raise StoppedError
    if column < 0:  # every move loses
        column = next(column for column in CENTRE_RIGHT_FIRST if board.can_play(column))
    leaves, nodes, passes = (int(counters[count]) for count in (LEAVES, NODES, PASSES))
    return Searched(None if value is None else int(value), int(column), leaves, nodes, passes, seconds)


def proven_outcome(board: Board, *, entries: int = MOST_ENTRIES, stop: Stop | None = None) -> Searched | None:
    """Return the outcome of an unfinished position by proof-number search (1 win, 0 draw, -1 loss), without a column.

    Asks whether the side to move wins, then whether it draws, each with a new table. Returns None where a table of
    ``entries`` is too small, or after ``stop``. Leaves are not counted.
    """
    from bot.agents.kernels.proof_number import claim_holds

    counters, flag = np.zeros(COUNTERS, dtype=np.int64), (stop or Stop()).flag
    seconds = 0.0
    for value in (1, 0):
        table = empty_table(entries)
        start = time.thread_time()
        holds = claim_holds(board.current, board.opponent, 1 - value, OUTCOME.rules, counters, table, flag)
        seconds += time.thread_time() - start
        if counters[ABORT]:
            return None
        if holds:
            break
    else:
        value = -1
    return Searched(value, -1, 0, int(counters[NODES]), int(counters[PASSES]), seconds)
