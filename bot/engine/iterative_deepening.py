"""Iterative deepening with two drivers, alpha-beta and MTD(f). Importing this module compiles the search.

The root is searched here in Python, with one kernel call for each move: seven calls per pass cost nothing beside the
search below them, and the best move is known without asking the table.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Literal

import numpy as np

from bot.engine.agent import Decision, Limit, Stop
from bot.engine.deadline import Deadline, deadline
from bot.engine.forced import forced_decision, safe_columns
from bot.engine.kernels.search import (
    INFINITY,
    LAST_HORIZON,
    LEAVES,
    MOST_LEAVES,
    MOST_NODES,
    NO_COLUMN,
    NODES,
    TABLE_SIZE,
    WIN,
    WORKSPACE_WORDS,
    Ints,
    search,
    table_column,
)
from bot.game import Board

Driver = Literal["alphabeta", "mtdf"]

SURE_DEPTH = 12
"""Plies that are searched even after ``think_s``, as far as ``hard_s`` allows. An idle machine needs 25 ms for them; on
a busy machine, a shallower move would be a gamble."""


class _StoppedError(Exception):
    """A flag was set during an iteration, so its values are void."""


def new_table() -> Ints:
    """Return an empty transposition table of 8 MB.

    Its first use costs about 10 ms of page faults, so tables are kept and used again.
    """
    return np.zeros(TABLE_SIZE, dtype=np.int64)


class IterativeDeepening:
    """The search of one position that has at least two moves which do not lose at once.

    It empties ``table`` first, so that a decision depends only on the position and the limit.
    """

    def __init__(self, board: Board, driver: Driver, table: Ints) -> None:
        self._board = board
        self._table = table
        self._table.fill(0)
        self._workspace = np.zeros(WORKSPACE_WORDS, dtype=np.int64)
        self._deadline = Deadline.never()
        self._search_root = self._alphabeta if driver == "alphabeta" else self._mtdf
        self._order = safe_columns(board)
        self._horizon = board.ply
        self._guesses = [0, 0]  # odd and even horizons see the last disc on different sides, so their values differ
        self.passes = 0
        self._best = Decision(self._order[0], depth=0, pv=(self._order[0],), source="search")

    def choose(self, limit: Limit, start: float, stop: Stop | None = None) -> Decision:
        """Deepen ply by ply until the move is proven or the time since ``start`` is up; always return a decision."""
        self._workspace[MOST_NODES] = limit.nodes or 0
        self._workspace[MOST_LEAVES] = limit.leaves or 0
        last = min(LAST_HORIZON, self._board.ply + max(1, limit.depth or LAST_HORIZON))
        sure = min(last, self._board.ply + SURE_DEPTH)
        with deadline(limit, limit.hard_s, start, stop) as self._deadline:
            finished = self._deepen_to(sure, None)
        if finished and not self._best.proven:
            # The next iteration takes about as long as all before it: one begun after half the time would not end.
            half_way = start + limit.think_s / 2
            with deadline(limit, limit.think_s, start, stop) as self._deadline:
                self._deepen_to(last, half_way)
        return replace(self._best, pv=self._principal_variation(self._best.column))

    def search_to(self, horizon: int, guess: int = 0) -> tuple[int, int]:
        """Return the value and a best column when every line is cut off at ``horizon``, an absolute ply.

        MTD(f) begins at ``guess``; alpha-beta ignores it.
        """
        self._horizon = horizon
        return self._search_root(guess)

    def _deepen_to(self, last: int, latest_s: float | None) -> bool:
        """Search each horizon up to ``last``, beginning none after ``latest_s``; return False when stopped."""
        try:
            while self._horizon < last and not self._best.proven:
                if latest_s is not None and time.perf_counter() > latest_s:
                    break
                horizon = self._horizon + 1
                value, column = self.search_to(horizon, self._guesses[horizon & 1])
                self._guesses[horizon & 1] = value
                self._order.sort(key=column.__ne__)
                self._best = self._decision(value, column)
        except _StoppedError:
            return False
        return True

    def _decision(self, value: int, column: int) -> Decision:
        decided = abs(value) > WIN
        score = value - WIN if value > WIN else value + WIN if value < -WIN else value
        return Decision(
            column,
            float(score),
            proven=decided or self._horizon >= LAST_HORIZON,
            depth=self._horizon - self._board.ply,
            nodes=int(self._workspace[NODES]),
            leaves=int(self._workspace[LEAVES]),
            passes=self.passes or None,
            pv=(column,),
            source="search",
        )

    def _child(self, column: int, alpha: int, beta: int) -> int:
        """Return the value of playing ``column``, in the root's view."""
        child = self._board.play(column)
        value = -search(
            child.current,
            child.mask,
            child.ply,
            -beta,
            -alpha,
            self._horizon,
            self._table,
            self._workspace,
            *self._deadline.flags,
        )
        if self._deadline.is_over:
            raise _StoppedError
        return int(value)

    def _alphabeta(self, _guess: int) -> tuple[int, int]:
        """Principal variation search: a full window for the first move, a null window for the others.

        A move that beats the best value in its null window is searched again.
        """
        best, best_column = -INFINITY, self._order[0]
        for column in self._order:
            if best == -INFINITY:
                value = self._child(column, -INFINITY, INFINITY)
            else:
                value = self._child(column, best, best + 1)
                if value > best:
                    value = self._child(column, best, INFINITY)
            if value > best:
                best, best_column = value, column
        return best, best_column

    def _mtdf(self, guess: int) -> tuple[int, int]:
        """MTD(f) (Plaat et al. 1996): null windows that close in on the value from a guess.

        The move is that of the last pass that failed high. There is one, because no value is as low as -INFINITY.
        """
        value, lower, upper = guess, -INFINITY, INFINITY
        best_column = self._order[0]
        while lower < upper:
            beta = max(value, lower + 1)
            value, column = self._null_window(beta)
            if value < beta:
                upper = value
            else:
                lower, best_column = value, column
                self._order.sort(key=column.__ne__)
        return value, best_column

    def _null_window(self, beta: int) -> tuple[int, int]:
        """Alpha-beta with memory on the window (beta - 1, beta): return a bound and the move that reaches it."""
        self.passes += 1
        best, best_column = -INFINITY, self._order[0]
        for column in self._order:
            value = self._child(column, beta - 1, beta)
            if value > best:
                best, best_column = value, column
                if value >= beta:
                    break
        return best, best_column

    def _principal_variation(self, column: int) -> tuple[int, ...]:
        """Return the expected line after ``column``: forced moves, else the table's moves, down to the horizon."""
        line = [column]
        board = self._board.play(column)
        while not board.is_over and (following := self._expected(board)) != NO_COLUMN:
            line.append(following)
            board = board.play(following)
        return tuple(line)

    def _expected(self, board: Board) -> int:
        forced = forced_decision(board)
        if forced is not None and (forced.proven or board.ply < self._horizon):
            return forced.column
        if board.ply >= self._horizon:
            return NO_COLUMN
        return int(table_column(board.current, board.mask, self._table))
