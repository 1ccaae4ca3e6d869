"""A Connect Four client that plays a university course's game server and does not lose.

The names below are the public Python API; `bot/README.md` introduces them. Importing this package loads nothing heavy:
numpy and the compiled engine follow when they are first needed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # the module typing takes time to import, in which Ctrl-C would show a traceback
    from typing import Any

    from bot.api import Analysis, Game, Move, Solution, agent, play_game, review, solve, solve_many
    from bot.engine.agent import Agent, Decision, Limit
    from bot.errors import BotError
    from bot.game import Board

__version__ = "5.0.0"

_MODULES = ("bot.errors", "bot.game", "bot.engine.agent", "bot.api")
"""The modules that have the public names; the lighter ones come first."""
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
    if name in __all__:
        from importlib import import_module

        for module in map(import_module, _MODULES):
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module 'bot' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
