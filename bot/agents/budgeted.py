"""An agent with a budget of its own, written after its name: ``mtdf@nodes=10000``, ``tommy-ab:12@time=0.1``."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from bot.agents.family import above_0, settings
from bot.engine.agent import NO_LIMIT_S, Agent, Derived, Limit

BUDGETS = {
    "time": above_0("Seconds of a move", float),
    "depth": above_0("Plies", int),
    "nodes": above_0("Positions visited", int),
    "leaves": above_0("Positions evaluated", int),
}
"""What a budget can limit."""
_SUFFIX = re.compile(r"@((?:time|depth|nodes|leaves)=[^@/\s]*)$")


def split_budget(name: str) -> tuple[str, Limit | None]:
    """Return an agent's name without its budget, and the budget as a limit; None if the name has none.

    Raises UsageError for a budget that cannot be read.
    """
    found = _SUFFIX.search(name)
    if found is None:
        return name, None
    limits = settings(BUDGETS, name, found[1].split(","))
    time_s = limits.pop("time", NO_LIMIT_S)
    return name[: found.start()], Limit(hard_s=time_s, think_s=time_s, **limits)


def budgeted(name: str, agent: Agent, budget: Limit) -> Agent:
    """Return an agent of this name that searches within its own budget as well as within the limit of each choice."""
    return Derived(name, (agent,), lambda board, limit, stop: agent.choose(board, _smaller(limit, budget), stop))


def _smaller(limit: Limit, budget: Limit) -> Limit:
    """Return the smaller of both limits in every respect; a budget by count alone leaves the time to its caller.

    A count then ends the search, not the time that the caller aims at: equal budgets search equal trees.
    """
    counts: dict[str, Any] = {}
    for name in ("depth", "nodes", "leaves"):
        given = filter(None, (getattr(limit, name), getattr(budget, name)))
        counts[name] = min(given, default=None)
    hard_s = min(limit.hard_s, budget.hard_s)
    think_s = limit.think_s
    if budget.hard_s < NO_LIMIT_S:
        think_s = budget.think_s
    elif budget.is_counted:
        think_s = hard_s
    return replace(limit, hard_s=hard_s, think_s=min(think_s, hard_s), **counts)
