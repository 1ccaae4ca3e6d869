"""Compiling before the game: no kernel may compile on the move clock."""

from __future__ import annotations

import time

from bot.engine.agent import Agent


def warm_up(*agents: Agent) -> float:
    """Make all ``agents`` ready to move and return the seconds that it took.

    Compiling takes seconds; loading the kernels that an earlier run compiled takes a fraction of a second.
    """
    start = time.perf_counter()
    for agent in agents:
        prepare = getattr(agent, "warm_up", None)
        if prepare is not None:  # some agents have nothing to load or compile
            prepare()
    return time.perf_counter() - start
