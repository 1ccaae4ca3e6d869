"""The agents `depth1` to `depth8`: the course's bot, which searches a fixed number of plies by minimax."""

from __future__ import annotations

import random
import time

from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.engine.deadline import Deadline, deadline
from bot.engine.score import field_score
from bot.errors import GameOverError
from bot.game import CENTRE_FIRST, Board


class Minimax(Agent):
    """Searches ``depth`` plies and picks at random among the moves of exactly the best value.

    Equal seeds pick the same moves.
    """

    def __init__(self, depth: int, seed: int | None = None) -> None:
        self.name = f"depth{depth}"
        self._depth = depth
        self._random = random.Random(seed)

    def warm_up(self) -> None:
        """Load or compile the kernel."""
        self.choose(Board(), Limit(hard_s=60.0, depth=1))

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:
        """See `Agent.choose`. Ignores ``think_s``; when stopped, takes the best of the moves searched by then."""
        from bot.engine.kernels.minimax import WIN

        start = time.perf_counter()
        if board.is_over:
            raise GameOverError
        depth = self._depth if limit.depth is None else max(1, min(self._depth, limit.depth))
        with deadline(limit.hard_s, limit.hard_s, start, stop) as clock:
            best, columns, nodes = self.best_columns(board, depth, clock)
        column = self._random.choice(columns)
        is_searched = not clock.is_over  # else a column that was not finished in time may be better
        score = float(field_score(best, WIN)) if is_searched else None
        return Decision(
            column,
            score,
            proven=is_searched and abs(best) > WIN,
            depth=depth if is_searched else 0,
            nodes=nodes,
            seconds=time.perf_counter() - start,
            source="search",
        )

    @staticmethod
    def best_columns(board: Board, depth: int, clock: Deadline) -> tuple[int, list[int], int]:
        """Return the best value, every column that has exactly it, and the number of nodes searched."""
        import numpy as np

        from bot.engine.kernels.minimax import WIN, minimax

        nodes = np.zeros(1, dtype=np.int64)
        best = -2 * WIN
        columns: list[int] = []
        for column in CENTRE_FIRST:
            if not board.can_play(column):
                continue
            child = board.play(column)
            # The window opens just below the best value: equal values are exact, lower ones may stay bounds.
            value = -int(
                minimax(child.current, child.mask, child.ply, depth - 1, -2 * WIN, 1 - best, nodes, *clock.flags)
            )
            if clock.is_over:
                if not columns:
                    columns = [column]
                break
            if value > best:
                best, columns = value, []
            if value == best:
                columns.append(column)
        return best, columns, int(nodes[0])
