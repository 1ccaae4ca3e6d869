"""Compiling before the game: no kernel may compile on the move clock."""

from __future__ import annotations

import time
from typing import Protocol, runtime_checkable

from bot.engine.agent import Agent


@runtime_checkable
class Compiled(Protocol):
    """An agent that has something to load or compile before its first move."""

    def warm_up(self) -> None:
        """Make the first ``choose`` as fast as any other."""
        ...


def warm_up(*agents: Agent) -> float:
    """Make all ``agents`` ready to move and return the seconds that it took.

    Compiling takes seconds; loading the kernels that an earlier run compiled takes a fraction of a second.
    """
    start = time.perf_counter()
    for agent in agents:
        if isinstance(agent, Compiled):
            agent.warm_up()
    return time.perf_counter() - start
