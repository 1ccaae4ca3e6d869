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

__version__ = "3.0.0"

_HOMES = {
    "bot.api": "Analysis Game Move Solution agent play_game review solve solve_many",
    "bot.engine.agent": "Agent Decision Limit",
    "bot.errors": "BotError",
    "bot.game": "Board",
}
"""The public names by the module that has them."""
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
    for home, names in _HOMES.items():
        if name in names.split():
            from importlib import import_module

            return getattr(import_module(home), name)
    raise AttributeError(f"module 'bot' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
