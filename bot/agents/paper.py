"""The agents of publications: fixed depth, deadline, counters, and a legal move in every case."""

from __future__ import annotations

import copy
import math
import random
import time
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bot.agents.growing_table import NO_TABLE
from bot.agents.kernels.arrays import Counters
from bot.agents.kernels.rules import ABORT, COUNTERS, INFINITY, LEAVES, MOST_LEAVES, MOST_NODES, NODES, PASSES
from bot.agents.program import LEFT_TO_RIGHT, Program
from bot.engine.agent import NO_LIMIT_S, Agent, Decision, Limit, StopFlag
from bot.engine.deadline import after
from bot.engine.jit.arrays import Flag
from bot.errors import GameOverError
from bot.game import Board
from bot.game.columns import CENTRE_FIRST

RESERVE_S = 0.05
"""Part of a time limit reserved for the shallow search that replaces an interrupted one, seconds."""
SHALLOW = 3
"""Depth of that search, in plies."""
TIES = {"lowest": LEFT_TO_RIGHT, "centre": CENTRE_FIRST, "random": LEFT_TO_RIGHT}
"""Orders of the columns, of which the first of equal ones is played; "random" plays any of them."""


Found = tuple[int, int]
"""The value for the side to move, and the column; -1 where the program finds none: the first of its order is played."""


class PaperAgent(Agent):
    """An agent that searches by alpha-beta to a fixed depth and plays the first best column of its order.

    If a time limit or a stop interrupts the search, a search of three plies replaces it, so that there is always a
    legal move. A limit of nodes or leaves is spent by searching to depths 1, 2, ... up to the agent's depth: the move
    is that of the last depth that was completed, at least of depth 1.

    A paper whose program searches or chooses in another way overrides `search` or `pick`.
    """

    deepens = False
    """Whether the program itself searches to depths 1, 2, ...; a decision then has the counters of the last depth."""
    exact = 1
    """How many of the best columns need exact values; see `bot.agents.kernels.search.search_root`."""

    def __init__(
        self,
        name: str,
        depth: int,
        program: Program,
        *,
        ties: str = "",
        seed: int | None = None,
        think_s: float | None = None,
        clock: int | None = None,
    ) -> None:
        """``ties``: a key of `TIES`, which of equal columns is played (without it: the first of the program's order).

        ``think_s``: seconds after which no further depth is started; None: the full depth is always searched.
        ``clock``: the same in nodes of all depths together, which a decision then counts.
        """
        self.name = name
        self.depth = depth
        self.program = replace(program, order=TIES[ties]) if ties else program
        self.is_random = ties == "random"
        if self.is_random:
            self.exact = 7
        self.think_s, self.clock = think_s or math.inf, clock or math.inf
        self.deepens = self.deepens or think_s is not None or clock is not None
        self.random = random.Random(seed)

    @property
    def repeats(self) -> bool:
        """Whether its answer depends on the position alone: without chance, clock and memory."""
        return not self.is_random and not self.deepens

    def search(self, board: Board, depth: int, counters: Counters, flag: Flag) -> Found:
        """Return what the paper's search finds to ``depth`` plies; it means nothing after counters[ABORT]."""
        from bot.agents.kernels.search import search_root

        values = np.empty(7, dtype=np.int64)
        program = self.program
        value, column = search_root(
            *(board.current, board.opponent, 1, depth, -program.bound, program.bound, self.exact_at(board), values),
            *(program.evaluate, program.rules, counters, NO_TABLE, flag),
        )
        if not counters[ABORT]:
            column = self.pick(board, values)
            value = values[column]
        return value, column

    def exact_at(self, _board: Board) -> int:
        """Return how many of the best columns need exact values in this position."""
        return self.exact

    def pick(self, board: Board, values: NDArray[np.int64]) -> int:
        """Return the column to be played."""
        best = values.max()
        columns = [column for column in self.program.order if board.can_play(column) and values[column] == best]
        return self.random.choice(columns) if self.is_random else columns[0]

    def warm_up(self) -> None:
        """Compile or load the kernels; leave the transposition table and the random numbers unchanged."""
        shared = {id(self.program): self.program, id(self.random): random.Random(0)}
        copy.deepcopy(self, shared).choose(Board(), Limit(hard_s=NO_LIMIT_S, depth=1))

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:
        """Return the paper's move; raise GameOverError on a finished board. See `bot.engine.agent.Agent`."""
        if board.is_over:
            raise GameOverError
        start = time.perf_counter()
        counters = np.zeros(COUNTERS, dtype=np.int64)
        counters[MOST_NODES], counters[MOST_LEAVES] = limit.nodes or 0, limit.leaves or 0
        depth = min(self.depth, limit.depth or self.depth)
        with after(limit.hard_s - RESERVE_S, partial(counters.__setitem__, ABORT, 1)):
            deepens = self.deepens or limit.is_counted
            found = self._searched(board, depth, deepens, counters, (stop or StopFlag()).flag)
        if found is None:
            counters[:] = 0
            shallow = 1 if limit.is_counted else min(depth, SHALLOW)
            found = self._searched(board, shallow, self.deepens, counters, StopFlag().flag)
        assert found is not None, "A search without a deadline always finds a move."
        (value, column), reached = found
        column = int(column) if column >= 0 else next(filter(board.can_play, self.program.order))
        score = float(value) if abs(value) < INFINITY else math.copysign(math.inf, value)
        return Decision(
            column,
            score,
            depth=reached,
            nodes=int(counters[NODES]),
            leaves=int(counters[LEAVES]),
            passes=int(counters[PASSES]) or None,
            pv=(column,),
            seconds=time.perf_counter() - start,
            source="search",
        )

    def _searched(
        self, board: Board, deepest: int, deepens: bool, counters: Counters, flag: Flag
    ) -> tuple[Found, int] | None:
        """Search to ``deepest`` plies, to smaller depths before if it ``deepens``.

        Returns what the last completed search found, and its depth.
        """
        start = time.perf_counter()
        found: tuple[Found, int] | None = None
        first = 1 if deepens else deepest
        for depth in range(first, deepest + 1):
            if self.deepens and self.clock == math.inf:
                next_depth(counters)
            deeper = self.search(board, depth, counters, flag)
            if counters[ABORT]:
                break
            found = deeper, depth
            if time.perf_counter() - start > self.think_s or counters[NODES] >= self.clock:
                break
        return found


def next_depth(counters: Counters) -> None:
    """Reset the counters for the next depth of an agent that deepens; what was spent leaves the limits."""
    for most, spent in ((MOST_NODES, NODES), (MOST_LEAVES, LEAVES)):
        if counters[most]:
            counters[most] = max(1, counters[most] - counters[spent])
    counters[:ABORT] = 0
