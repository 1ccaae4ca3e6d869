"""The agents `mtdf` and `alphabeta`: iterative deepening within a limit, by MTD(f) or with the full window.

Both use the kernel of `bot.engine.kernels.search`. It is imported where it is first needed, because importing it
compiles it, and an agent must be made without compiling anything.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.engine.deadline import Deadline, deadline
from bot.engine.forced import forced_decision, safe_columns
from bot.engine.score import field_score
from bot.game import Board

SURE_DEPTH = 12
"""Plies that are searched even after ``think_s``, as far as ``hard_s`` allows: a shallower move, on a busy machine,
would be a gamble."""


class TimedSearch(Agent):
    """An agent that deepens until its move is proven or its time is up.

    Threads may share it; it remembers no position. ``warm_up`` compiles it; without that, the first ``choose`` compiles
    on the move clock.
    """

    def __init__(self, name: str = "mtdf") -> None:
        """``name`` is that of the agent and of its search: "mtdf" or "alphabeta"."""
        self.name = name

    def warm_up(self) -> None:
        """Load or compile every kernel and run it once."""
        self.choose(Board(), Limit(hard_s=60.0, think_s=60.0, depth=4))

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:
        """See `Agent.choose`. A proven decision's score is exact: the fastest win, the slowest loss."""
        start = time.perf_counter()
        decision = forced_decision(board)
        if decision is None:
            search = IterativeDeepening(board, by_null_windows=self.name == "mtdf")
            decision = search.choose(limit, start, stop)
        return replace(decision, seconds=time.perf_counter() - start)


class _StoppedError(Exception):
    """A flag was set during an iteration, so its value is void."""


class IterativeDeepening:
    """The search of one position that has at least two moves which do not lose at once.

    It has a table of its own, so that a decision depends only on the position and the limit.
    """

    def __init__(self, board: Board, *, by_null_windows: bool = True) -> None:
        import numpy as np

        from bot.engine.kernels import search

        self._kernels: Any = search
        self._board = board
        self._by_null_windows = by_null_windows
        self._table = np.zeros(search.TABLE_SIZE, dtype=np.int64)
        self._workspace = np.zeros(search.WORKSPACE_WORDS, dtype=np.int64)
        self._deadline = Deadline()
        self._horizon = board.ply
        self._guesses = [0, 0]  # odd and even horizons see the last disc on different sides, so their values differ
        self._passes = 0
        column = safe_columns(board)[0]
        self._best = Decision(column, depth=0, source="search")

    def choose(self, limit: Limit, start: float, stop: StopFlag | None = None) -> Decision:
        """Deepen ply by ply until the move is proven or the time since ``start`` is up; always return a decision."""
        self._workspace[self._kernels.MOST_NODES] = limit.nodes or 0
        self._workspace[self._kernels.MOST_LEAVES] = limit.leaves or 0
        last_horizon = self._kernels.LAST_HORIZON
        last = last_horizon if limit.depth is None else min(last_horizon, self._board.ply + limit.depth)
        sure = min(last, self._board.ply + SURE_DEPTH)
        with deadline(limit.hard_s, limit.hard_s, start, stop) as self._deadline:
            finished = self._deepen_to(sure, None)
        if finished and not self._best.proven:
            # The next iteration takes about as long as all before it: one begun after half the time would not end.
            half_way = start + limit.think_s / 2
            with deadline(limit.hard_s, limit.think_s, start, stop) as self._deadline:
                self._deepen_to(last, half_way)
        return self._best

    def _deepen_to(self, last: int, latest_s: float | None) -> bool:
        """Search each horizon up to ``last``, beginning none after ``latest_s``; return False when stopped."""
        try:
            while self._horizon < last and not self._best.proven:
                if latest_s is not None and time.perf_counter() > latest_s:
                    break
                horizon = self._horizon + 1
                value, column = self.search_to(horizon, self._guesses[horizon & 1])
                self._guesses[horizon & 1] = value
                self._best = self._decision(value, column)
        except _StoppedError:
            return False
        return True

    def search_to(self, horizon: int, guess: int = 0) -> tuple[int, int]:
        """Return the value and a best column when every line is cut off at ``horizon``, an absolute ply.

        MTD(f) begins at ``guess``; alpha-beta ignores it.
        """
        self._horizon = horizon
        infinity = self._kernels.INFINITY
        value = self._mtdf(guess) if self._by_null_windows else self._search(-infinity, infinity)
        column = self._kernels.table_column(self._board.current, self._board.mask, self._table)
        if column == self._kernels.NO_COLUMN:  # all columns lose equally soon
            column = self._best.column
        return value, column

    def _mtdf(self, guess: int) -> int:
        """MTD(f) (Plaat et al. 1996): null windows that close in on the value from a guess.

        The table keeps the move of the last window that failed high, which is a best move.
        """
        lower, upper = -self._kernels.INFINITY, self._kernels.INFINITY
        value = guess
        while lower < upper:
            beta = max(value, lower + 1)
            value = self._search(beta - 1, beta)
            self._passes += 1
            if value < beta:
                upper = value
            else:
                lower = value
        return value

    def _search(self, alpha: int, beta: int) -> int:
        """Return the position's value, or a bound outside the window; raise _StoppedError when a flag is set."""
        board, arrays = self._board, (self._table, self._workspace, *self._deadline.flags)
        value = self._kernels.search(
            board.current, board.mask, board.ply, alpha, beta, self._horizon, *map(self._kernels.address, arrays)
        )
        if self._deadline.is_over:
            raise _StoppedError
        return int(value)

    def _decision(self, value: int, column: int) -> Decision:
        win = self._kernels.WIN
        return Decision(
            column,
            float(field_score(value, win)),
            proven=abs(value) > win or self._horizon >= self._kernels.LAST_HORIZON,
            depth=self._horizon - self._board.ply,
            nodes=int(self._workspace[self._kernels.NODES]),
            leaves=int(self._workspace[self._kernels.LEAVES]),
            passes=self._passes or None,
            source="search",
        )
