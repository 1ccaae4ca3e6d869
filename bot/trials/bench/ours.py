"""Our solver under test."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.engine.solver import Solver
from bot.game import Board, parse_moves
from bot.trials.bench.peer import TimedAnswer
from bot.trials.bench.positions import WAKING

Clock = Callable[[], float]
"""Returns seconds."""


class Ours:
    """The engine's solver. It clears its table itself, within the measured time."""

    clearing = "Clearing the table of bot is part of its time."

    def __init__(self, table_mb: int = 4, threads: int = 1, clock: Clock = time.perf_counter) -> None:
        self._solver, self._clock = Solver(table_mb, threads), clock
        self._solver.warm_up()
        self._waking = Board.from_moves(WAKING)

    def answer(self, question: str, moves: str) -> TimedAnswer:
        """Solve the position after ``moves`` for one of QUESTIONS. Raises BotError where there is none."""
        board, weak = Board.from_moves(parse_moves(moves)), question == "weak"
        for each in (True, False):
            self._solver.solve(self._waking, weak=each)
        start = self._clock()
        solved = self._solver.solve(board, weak=weak)
        seconds = self._clock() - start
        value = solved.outcome if weak else solved.score
        return TimedAnswer(value, solved.nodes, seconds)
