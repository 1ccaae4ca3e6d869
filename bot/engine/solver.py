"""The exact solver: scores, bounds under a deadline, all columns of a position."""

from __future__ import annotations

import time

import numpy as np

from bot.engine.agent import StopFlag
from bot.engine.deadline import deadline, seconds_until
from bot.engine.jit.addresses import address
from bot.engine.jit.compiling import direct
from bot.engine.kernels import solve as kernels
from bot.engine.kernels.solve import KEEP, OVER, RESUME, STOPPED
from bot.engine.kernels.workspace import LOWER, NODE_LIMIT, UPPER
from bot.engine.score import HIGHEST, LOWEST, Bounds, Solved, finished_score
from bot.game import CENTRE_FIRST, Board
from bot.game.board import COLUMNS, has_four

_solve = direct(kernels.solve)
TABLE_WORDS = 1 << 19
"""Length of the transposition table: its 4 MB fit the processor's cache."""
_QUICK_NODES = 4_000
"""Nodes that are searched before a timer thread is started: most positions need no more."""
_NO_LIMIT = 1 << 62
_OUTCOME = (-1, 1)


class Solver:
    """Solves positions one after another with one transposition table. The constructor only allocates.

    Not safe for several threads at once.
    """

    def __init__(self) -> None:
        self._table = np.zeros(TABLE_WORDS, dtype=np.int64)
        self._workspace = kernels.new_workspace(TABLE_WORDS, _NO_LIMIT)
        self._never = StopFlag().flag
        self._arrays_at = address(self._table), address(self._workspace)  # kept alive by this solver
        self._never_at = address(self._never)

    def __reduce__(self) -> tuple[type[Solver], tuple[()]]:
        """Return what makes a copy, a solver with an empty table: addresses hold for these arrays only."""
        return type(self), ()

    def warm_up(self) -> None:
        """Load or compile the kernels."""
        self.solve_columns(Board.from_moves([3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 4, 4, 4, 4, 1, 1, 1, 5]))

    @property
    def proven(self) -> Bounds:
        """Bounds that the current or last search has proven; safe to read from another thread."""
        return Bounds(self._workspace.item(LOWER), self._workspace.item(UPPER))

    def solve(
        self,
        board: Board,
        *,
        deadline_s: float | None = None,
        stop: StopFlag | None = None,
        weak: bool = False,
        window: tuple[int, int] = (LOWEST, HIGHEST),
        guess: int = 0,
        keep: bool = False,
    ) -> Solved:
        """Return the score of ``board`` for the side to move, or the bounds that are proven within ``deadline_s``.

        Parameters
        ----------
        deadline_s
            Seconds from now; None: no limit.
        stop
            A flag that ends the search; the bounds proven by then are returned.
        weak
            Prove only the outcome (the window -1..1).
        window
            Scores that matter: below the first and above the second, a bound is enough.
        guess
            The score at which the search begins.
        keep
            Keep the table of the last call, which saves work on neighbouring positions.

        Raises ValueError where either side has four in a row, or all cells are filled.
        """
        start = time.perf_counter()
        low, high = _OUTCOME if weak else window
        flag_at = self._never_at if stop is None else address(stop.flag)
        table_at, workspace_at = self._arrays_at
        mode = KEEP if keep else 0
        self._workspace[NODE_LIMIT] = _NO_LIMIT if deadline_s is None else _QUICK_NODES
        status, lower, upper, nodes = _solve(
            board.current, board.mask, guess, low, high, mode, table_at, workspace_at, flag_at, self._never_at
        )
        if status == STOPPED and deadline_s is not None and not (stop and stop.is_set):
            question = board.current, board.mask, guess, low, high
            self._workspace[NODE_LIMIT] = _NO_LIMIT
            with deadline(deadline_s, deadline_s, start, stop) as clock:
                _, lower, upper, nodes = _solve(*question, RESUME, *self._arrays_at, *map(address, clock.flags))
        if status == OVER:
            raise ValueError("the game is over")
        return Solved(lower, upper, nodes, time.perf_counter() - start)

    def solve_columns(
        self,
        board: Board,
        *,
        score: int | None = None,
        best_only: bool = False,
        keep: bool = False,
        deadline_s: float | None = None,
        stop: StopFlag | None = None,
    ) -> list[Solved | None]:
        """Return the bounds of every column's score for the side to move; None where the column is full.

        Parameters
        ----------
        score
            The score of ``board``, where it is known.
        best_only
            Prove the scores of the best columns, and of the others only that they are worse: a third of the time
            (commit d6b580c).
        keep, stop
            As in `solve`.
        deadline_s
            Seconds from now for all columns together; None: no limit.

        Raises ValueError on a finished position.
        """
        end = None if deadline_s is None else time.perf_counter() + deadline_s
        nodes = 0
        if best_only and score is None:
            own = self.solve(board, deadline_s=deadline_s, stop=stop, keep=keep)
            score, nodes, keep = own.upper, own.nodes, True
        if board.is_over or has_four(board.current):
            raise ValueError("the game is over")
        least = LOWEST if score is None else -score  # no child has a lower score for the side that moves there
        window = (least, least + 1) if best_only else (least, HIGHEST)
        guess = 0 if score is None else least
        columns: list[Solved | None] = [None] * COLUMNS
        for column in CENTRE_FIRST:  # the best column is likely in the middle; its score is a guess at the others'
            if not board.can_play(column):
                continue
            child = board.play(column)
            if child.is_over:
                result = -finished_score(child)
                columns[column] = Solved(result, result)
                continue
            left_s = seconds_until(end)
            solved = self.solve(child, deadline_s=left_s, stop=stop, window=window, guess=guess, keep=keep)
            columns[column] = Solved(-solved.upper, -max(solved.lower, least), nodes + solved.nodes, solved.seconds)
            keep, nodes = True, 0
            if score is None:
                guess = solved.upper
        return columns

    def column_scores(self, board: Board) -> list[int | None]:
        """Return the exact score of every column, None where it is full, without a time limit."""
        return [None if solved is None else solved.score for solved in self.solve_columns(board)]
