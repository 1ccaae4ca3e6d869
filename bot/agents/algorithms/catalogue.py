"""The algorithms by name, each as one function from a position and a depth to value, column and work."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bot.agents.kernels.rules import ABORT, COUNTERS, INFINITY, LEAVES, NODES, PASSES, PRUNE
from bot.agents.papers.growing_table import entries_needed, new_table
from bot.agents.papers.rules import CENTRE_RIGHT_FIRST, Ends, Linear, make_rules
from bot.agents.papers.tommy import RULES as TOMMY
from bot.engine.agent import Stop
from bot.game import Board

Array = NDArray[np.int64]


MOST_ENTRIES = 1 << 20
"""Largest number of entries that a transposition table is made for."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What a search minimises and maximises: leaf values, values of finished games, column order."""

    rules: Array
    bound: int
    """All values lie in -bound..bound."""
    unpruned: Array
    """The rules of plain minimax."""

    @classmethod
    def of(cls, rules: Array, bound: int) -> Problem:
        """Return the problem of a paper's rules."""
        unpruned = rules.copy()
        unpruned[PRUNE] = 0
        return cls(rules, bound, unpruned)


HEURISTIC = Problem.of(TOMMY, INFINITY)
"""Tommy 2017's evaluation, infinite wins and column order."""
OUTCOME = Problem.of(make_rules(Linear(), Ends(won=1, lost=-1, draw_is_leaf=False), CENTRE_RIGHT_FIRST), 1)
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


@dataclass(slots=True)
class _Call:
    """One search: its position, and the arrays that a kernel works on."""

    board: Board
    depth: int
    problem: Problem
    guess: int
    table: Array
    counters: Array
    flag: NDArray[np.uint8]

    @property
    def position(self) -> tuple[int, int]:
        return self.board.current, self.board.opponent


_Search = Callable[[_Call], "tuple[int | None, int]"]
"""Returns value and column; the column is -1 where no move is better than a lost game."""


def _minimax(call: _Call) -> tuple[int | None, int]:
    return _without_table(call, call.problem.unpruned)


def _alpha_beta(call: _Call) -> tuple[int | None, int]:
    return _without_table(call, call.problem.rules)


def _without_table(call: _Call, rules: Array) -> tuple[int | None, int]:
    from bot.agents.algorithms.kernels.alpha_beta import alpha_beta_root

    found: tuple[int, int] = alpha_beta_root(
        *call.position, call.depth, call.problem.bound, rules, call.counters, call.flag
    )
    return found


def _alpha_beta_table(call: _Call) -> tuple[int | None, int]:
    from bot.agents.algorithms.kernels.root import search_root

    bound = call.problem.bound
    found: tuple[int, int] = search_root(
        *call.position, call.depth, -bound, bound, call.problem.rules, call.counters, call.table, call.flag
    )
    return found


def _pvs(call: _Call) -> tuple[int | None, int]:
    from bot.agents.algorithms.kernels.pvs import pvs_root

    problem = call.problem
    found: tuple[int, int] = pvs_root(
        *call.position, call.depth, problem.bound, problem.rules, call.counters, call.flag
    )
    return found


def _negascout(call: _Call) -> tuple[int | None, int]:
    from bot.agents.algorithms.kernels.negascout import negascout_root

    problem = call.problem
    found: tuple[int, int] = negascout_root(
        *call.position, call.depth, problem.bound, problem.rules, call.counters, call.table, call.flag
    )
    return found


def _mtd(call: _Call, first: int) -> tuple[int | None, int]:
    from bot.agents.algorithms.kernels.mtd import mtd

    problem = call.problem
    found: tuple[int, int] = mtd(
        *call.position, call.depth, first, problem.bound, problem.rules, call.counters, call.table, call.flag
    )
    return found


def _mtdf(call: _Call) -> tuple[int | None, int]:
    return _mtd(call, max(-call.problem.bound, min(call.problem.bound, call.guess)))


def _sss_star(call: _Call) -> tuple[int | None, int]:
    return _mtd(call, call.problem.bound)


def _dual_star(call: _Call) -> tuple[int | None, int]:
    return _mtd(call, -call.problem.bound)


def _best_node(call: _Call, *, exact: bool) -> tuple[int | None, int]:
    from bot.agents.algorithms.kernels.best_node import best_node

    problem = call.problem
    low, high, column = best_node(
        *call.position,
        call.depth,
        call.guess,
        int(exact),
        problem.bound,
        problem.rules,
        call.counters,
        call.table,
        call.flag,
    )
    return (int(low) if high - low == 1 else None), column


def _bns(call: _Call) -> tuple[int | None, int]:
    return _best_node(call, exact=False)


def _bns_value(call: _Call) -> tuple[int | None, int]:
    return _best_node(call, exact=True)


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A search algorithm: its name in tables, and its kernel."""

    name: str
    search: _Search
    keeps_table: bool = True
    """Whether it keeps bounds in a transposition table, which is new for each search."""
    same_until: str = ""
    """The algorithm that does the same and goes on until it knows the value; empty for those that know it."""


ALGORITHMS = (
    Algorithm("minimax", _minimax, keeps_table=False),
    Algorithm("alpha-beta", _alpha_beta, keeps_table=False),
    Algorithm("PVS", _pvs, keeps_table=False),
    Algorithm("alpha-beta + table", _alpha_beta_table),
    Algorithm("NegaScout + table", _negascout),
    Algorithm("MTD(f)", _mtdf),
    Algorithm("SSS*", _sss_star),
    Algorithm("DUAL*", _dual_star),
    Algorithm("BNS, value", _bns_value),
    Algorithm("BNS, move only", _bns, same_until="BNS, value"),
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
    name: str, board: Board, depth: int, *, problem: Problem = HEURISTIC, guess: int = 0, stop: Stop | None = None
) -> Searched:
    """Search an unfinished position to ``depth`` plies by the algorithm called ``name``.

    All algorithms return the same value, and the first column of the order that attains it. ``guess`` is the value at
    which MTD(f) and BNS begin. Raises StoppedError after ``stop``.
    """
    counters, flag = np.zeros(COUNTERS, dtype=np.int64), (stop or Stop()).flag
    algorithm = BY_NAME[name]
    table = empty_table(min(entries_needed(depth), MOST_ENTRIES) if algorithm.keeps_table else 0)
    call = _Call(board, depth, problem, guess, table, counters, flag)
    start = time.thread_time()
    value, column = algorithm.search(call)
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
    from bot.agents.algorithms.kernels.proof_number import claim_holds

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
