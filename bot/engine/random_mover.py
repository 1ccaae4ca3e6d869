"""The agent `random`, which plays as the course's bot did in January 2021."""

from __future__ import annotations

import random

from bot.engine.agent import Decision, Limit, Stop
from bot.errors import GameOverError
from bot.game import Board


class RandomMover:
    """Plays any legal column with equal probability."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:  # noqa: ARG002
        """See `Agent.choose`."""
        if board.is_over:
            raise GameOverError
        column = self._random.choice(board.legal_columns())
        return Decision(column, pv=(column,), source="random")
