"""What an agent answers in given positions: the work of `bot judge`."""

from __future__ import annotations

import hashlib
import time
from typing import NamedTuple

from bot.agents.games import UNLIMITED, close, ready_agent
from bot.errors import BotError
from bot.game import Board
from bot.lab.arena.games import derived_seed


class Answer(NamedTuple):
    """An agent's choice in one position."""

    column: int | None
    """Column 0..6; None where the agent failed to make a legal move."""
    seconds: float


class Piece(NamedTuple):
    """Some of an agent's positions: input of one independent piece of work."""

    agent: str
    moves: tuple[tuple[int, ...], ...]
    """The moves (columns 0..6) that lead to each position."""
    first: int = 0
    """Number of the first position in its set; with the seed it decides the agent's random choices."""
    seed: int = 0

    @property
    def key(self) -> str:
        """A text that identifies the piece among all others."""
        return f"{self.agent} {self.first} {hashlib.sha256(repr(self).encode()).hexdigest()[:16]}"


def ask(piece: Piece) -> list[Answer]:
    """Return the agent's answers. Every position has a new agent, seeded by the position's number."""
    answers = []
    for number, columns in enumerate(piece.moves, start=piece.first):
        board = Board.from_moves(columns)
        agent = ready_agent(piece.agent, derived_seed("judge", piece.seed, number))
        start = time.perf_counter()
        try:
            found = agent.choose(board, UNLIMITED)
            answers.append(Answer(found.column if board.can_play(found.column) else None, found.seconds))
        except BotError:
            answers.append(Answer(None, time.perf_counter() - start))
        finally:
            close(agent)
    return answers
