"""A Connect Four client that plays a university course's game server and does not lose.

The names below are the public Python API; `bot/README.md` introduces them. Importing this package loads nothing heavy:
numpy and the compiled engine follow when they are first needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bot.api import Analysis, Game, Move, Solution, agent, play_game, review, solve, solve_many
    from bot.engine.agent import Agent, Decision, Limit
    from bot.errors import BotError
    from bot.game import Board

__version__ = "2.0.0"

_HOMES = {
    "Board": "bot.game",
    "BotError": "bot.errors",
    "Agent": "bot.engine.agent",
    "Decision": "bot.engine.agent",
    "Limit": "bot.engine.agent",
    "Analysis": "bot.api",
    "Game": "bot.api",
    "Move": "bot.api",
    "Solution": "bot.api",
    "agent": "bot.api",
    "play_game": "bot.api",
    "review": "bot.api",
    "solve": "bot.api",
    "solve_many": "bot.api",
}
__all__ = [
    "Agent",
    "Analysis",
    "Board",
    "BotError",
    "Decision",
    "Game",
    "Limit",
    "Move",
    "Solution",
    "agent",
    "play_game",
    "review",
    "solve",
    "solve_many",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'bot' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
