"""The agents `mtdf` and `alphabeta`: the best move that a limit allows.

Kept apart from `bot.engine.iterative_deepening` because importing that module compiles the search, and an agent must be
made without compiling anything.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.engine.agent import Decision, Limit, Stop
from bot.engine.forced import forced_decision
from bot.game import Board

if TYPE_CHECKING:
    from bot.engine.iterative_deepening import Driver
    from bot.engine.kernels.search import Ints


class TimedSearch:
    """An agent that deepens until its move is proven or its time is up.

    Threads may share it; it remembers no position. ``warm_up`` compiles it; without that, the first ``choose`` compiles
    on the move clock.
    """

    def __init__(self, driver: Driver) -> None:
        self.name: str = driver
        self._driver = driver
        self._spare_tables: list[Ints] = []

    def warm_up(self) -> None:
        """Load or compile every kernel and run it once."""
        self.choose(Board(), Limit(hard_s=60.0, think_s=60.0, depth=4))

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:
        """See `Agent.choose`. A proven decision's score is exact: the fastest win, the slowest loss."""
        start = time.perf_counter()
        decision = forced_decision(board)
        if decision is None:
            from bot.engine.iterative_deepening import IterativeDeepening, new_table

            table = self._spare_tables.pop() if self._spare_tables else new_table()
            decision = IterativeDeepening(board, self._driver, table).choose(limit, start, stop)
            self._spare_tables.append(table)
        return replace(decision, seconds=time.perf_counter() - start)
