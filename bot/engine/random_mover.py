"""The agent `random`, which plays as the course's bot did in January 2021."""

from __future__ import annotations

import random

from bot.agent import Decision, Limit, Stop
from bot.game import Board


class RandomMover:
    """Plays any legal column with equal probability."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:  # noqa: ARG002
        """See `Agent.choose`."""
        if board.is_over:
            raise ValueError("There is no move to choose: the game is over.")
        column = self._random.choice(board.legal_columns())
        return Decision(column, pv=(column,), source="random")
