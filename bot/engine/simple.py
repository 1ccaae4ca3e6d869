"""Agents without search: `random`, as the course's bot of January 2021 plays, and `scripted:COLUMNS`, for tests."""

from __future__ import annotations

import random

from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.errors import GameOverError
from bot.game import Board, parse_moves


class RandomMover(Agent):
    """Plays any legal column with equal probability."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:  # noqa: ARG002
        """See `Agent.choose`."""
        if board.is_over:
            raise GameOverError
        column = self._random.choice(board.legal_columns())
        return Decision(column, source="random")


class Scripted(Agent):
    """Plays the listed columns in turn where they are legal, else the leftmost legal one.

    Its n-th disc of a game follows the script's n-th column, so that every game begins at the start of the script.
    """

    def __init__(self, script: str) -> None:
        self._columns = parse_moves(script)
        self.name = f"scripted:{script}"

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:  # noqa: ARG002
        """See `Agent.choose`."""
        number = board.ply // 2
        legal = board.legal_columns()
        if not legal:
            raise GameOverError
        column = legal[0]
        if number < len(self._columns) and self._columns[number] in legal:
            column = self._columns[number]
        return Decision(column, source="script")
