"""An agent with a budget of its own, written after its name: ``mtdf@nodes=10000``, ``tommy-ab:12@time=0.1``."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import Any

from bot.engine.agent import MAX_COUNT, NO_LIMIT_S, Agent, Derived, Limit
from bot.errors import UsageError

BUDGETS = ("time", "depth", "nodes", "leaves")
"""What a budget can limit: seconds, plies, positions visited, positions evaluated."""
_SUFFIX = re.compile(r"@((?:time|depth|nodes|leaves)=[^@/\s]*)$")


def split_budget(name: str) -> tuple[str, Limit | None]:
    """Return an agent's name without its budget, and the budget as a limit; None if the name has none.

    Raises UsageError for a budget that cannot be read.
    """
    found = _SUFFIX.search(name)
    if found is None:
        return name, None
    limits: dict[str, Any] = {}
    for pair in found[1].split(","):
        key, _, text = pair.partition("=")
        if key not in BUDGETS or key in limits:
            raise UsageError(f"{pair!r} in {name!r} is not a budget.", f"Each of {', '.join(BUDGETS)} may stand once.")
        with suppress(ValueError):
            limits[key] = float(text) if key == "time" else int(text)
        most = NO_LIMIT_S if key == "time" else MAX_COUNT
        if not 0 < limits.setdefault(key, 0) < most:
            hint = f"Write seconds above 0 (@time=0.1) or a whole number (@nodes=1000), below {most:,.0f}."
            raise UsageError(f"The budget {pair!r} in {name!r} cannot be read.", hint)
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
