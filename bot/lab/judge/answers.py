"""What an agent answers in a given position."""

from __future__ import annotations

import time
from typing import NamedTuple

from bot.agents.games import UNLIMITED, close, derived_seed, ready_agent
from bot.agents.games import ask as ask_agent
from bot.errors import AgentError
from bot.game import Board


class Question(NamedTuple):
    """A position that an agent is asked for a move in."""

    agent: str
    columns: tuple[int, ...]
    """The moves (columns 0..6) that lead to the position."""
    number: int = 0
    """Number of the position in its set; with the seed it decides the agent's random choices."""
    seed: int = 0


class Answer(NamedTuple):
    """An agent's choice in one position."""

    column: int | None
    """Column 0..6; None where the agent failed to make a legal move."""
    seconds: float


def ask(question: Question) -> Answer:
    """Return the answer of a new agent, seeded by the position's number."""
    board = Board.from_moves(question.columns)
    agent = ready_agent(question.agent, derived_seed("judge", question.seed, question.number))
    start = time.perf_counter()
    try:
        found = ask_agent(agent, board, UNLIMITED)
        return Answer(found.column, found.seconds)
    except AgentError:
        return Answer(None, time.perf_counter() - start)
    finally:
        close(agent)
