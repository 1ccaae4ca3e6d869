"""The engines `mtdf` and `alphabeta`: the best move that a limit allows."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.engine.agent import Decision, Limit, Stop
from bot.engine.deadline import deadline_flag, time_left_s
from bot.engine.forced import forced_decision
from bot.game import Board

if TYPE_CHECKING:
    from bot.engine.deepening import Driver


class TimedSearch:
    """Deepens until its move is proven or its time is up. Holds nothing between moves; threads may share it.

    Compiled by ``warm_up``; without that, the first ``choose`` compiles on the move clock.
    """

    def __init__(self, driver: Driver) -> None:
        self.name: str = driver
        self._driver = driver

    def warm_up(self) -> None:
        """Load or compile every kernel and run it once."""
        self.choose(Board(), Limit(hard_s=60.0, think_s=60.0, depth=4))

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:
        """See `Agent.choose`. A proven decision's score is exact: the fastest win, the slowest loss."""
        start = time.perf_counter()
        decision = forced_decision(board)
        if decision is None:
            decision = self._search(board, limit, stop or Stop(), start)
        return replace(decision, seconds=time.perf_counter() - start)

    def _search(self, board: Board, limit: Limit, stop: Stop, start: float) -> Decision:
        from bot.engine.deepening import Deepening

        with deadline_flag(time_left_s(limit, limit.think_s, time.perf_counter() - start)) as deadline:
            # The next iteration takes about as long as all before it: begun later than half-way it would not end.
            return Deepening(board, self._driver, stop.flag, deadline).run(
                limit, lambda: time.perf_counter() - start < limit.think_s / 2
            )
