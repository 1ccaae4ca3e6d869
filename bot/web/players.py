"""Whom one can play against: every agent of engine and laboratory, with the controls that each of them has."""

from __future__ import annotations

import math
import random
import threading
from dataclasses import asdict, dataclass, replace
from typing import Any

from bot.agent import Agent, Decision, Limit, Stop
from bot.agents import AgentEntry, entries, entry
from bot.errors import UsageError
from bot.game import Board

BOUNDLESS = 1_000_000.0
"""Written for the papers' infinite values, which JSON has no number for."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What the page asks of an agent."""

    agent: str
    depth: int | None = None
    options: str = ""
    time_s: float = 2.0
    random: bool = False


_POOLED = ("perfect", "mtdf", "alphabeta")
_OWN_OPTIONS = ("ties", "think")
"""Options that the page sets itself, from its controls for chance and time."""


def players() -> list[dict[str, Any]]:
    """Return the page's list of agents, one JSON object each."""
    return [
        {
            "name": entry.name,
            "about": entry.about,
            "depth": entry.depth,
            "deepest": entry.deepest,
            "options": [option for option in entry.options if option not in _OWN_OPTIONS],
            "chance": entry.randomises,
        }
        for entry in entries()
        if entry.moves_everywhere
    ]


class Table:
    """The agents that sit at the page's table; threads may share it."""

    def __init__(self) -> None:
        self._idle: dict[str, list[Agent]] = {}
        self._lock = threading.Lock()

    def choose(self, board: Board, choice: Choice, stop: Stop | None = None) -> Decision:
        """The agent's move in an unfinished ``board``, its compiling not counted in its time.

        Raises UsageError for an agent, a depth or an option that does not exist.
        """
        name, limit = full_name(choice), _limit(choice)
        agent = self._take(name, None if choice.random else 0, stop)
        decision = agent.choose(board, limit, stop)
        if name in _POOLED:
            with self._lock:
                self._idle.setdefault(name, []).append(agent)
            if choice.random and decision.proven:
                return _among_equals(board, decision, choice.time_s - decision.seconds, stop)
        return decision

    def warm_up(self) -> None:
        """Load or compile what the first click will most likely need."""
        agent = self._take("perfect", 0)
        with self._lock:
            self._idle.setdefault("perfect", []).append(agent)

    def _take(self, name: str, seed: int | None, stop: Stop | None = None) -> Agent:
        from bot.lab.arena.duel import ready_agent
        from bot.web.compiling import prepared

        with self._lock:
            if self._idle.get(name):
                return self._idle[name].pop()
        return prepared(name.partition(":")[0], lambda: ready_agent(name, seed), stop)


def full_name(choice: Choice) -> str:
    """Return the name that `make_agent` knows; raise UsageError for an unknown agent or too large a depth."""
    known = entry(choice.agent)
    if known.depth is not None and choice.depth is not None and choice.depth > known.deepest:
        raise UsageError(f"The agent {known.name} searches at most {known.deepest} plies.", "Ask for a smaller depth.")
    return ",".join([known.full_name(choice.depth), *_options(known, choice)])


def _options(known: AgentEntry, choice: Choice) -> list[str]:
    """Return the user's options, and the page's time and chance as options of an agent that has them."""
    if not known.options:
        return []
    options = [option.strip() for option in choice.options.split(",") if option.strip()]
    given = {option.partition("=")[0] for option in options}
    if "think" in known.options and "think" not in given:
        options.append(f"think={choice.time_s:g}")
    if "ties" in known.options and "ties" not in given:
        options.append(f"ties={'random' if choice.random else 'lowest'}")
    return options


def _limit(choice: Choice) -> Limit:
    return Limit(hard_s=choice.time_s, think_s=choice.time_s * 0.9, depth=choice.depth)


def _among_equals(board: Board, decision: Decision, left_s: float, stop: Stop | None) -> Decision:
    """Another column of the same proven score, by chance, as far as the time allows."""
    from bot.web.analysis import column_bounds

    columns = column_bounds(board, max(0.0, min(left_s, 0.5)), stop)
    equal = [
        column
        for column, bounds in enumerate(columns)
        if bounds is not None and bounds.exact and bounds.lower == decision.score
    ]
    column = random.choice(equal or [decision.column])
    return decision if column == decision.column else replace(decision, column=column, pv=(column,))


def as_json(decision: Decision) -> dict[str, Any]:
    """The decision for the page: columns 0..6, numbers that JSON can hold."""
    told = asdict(decision)
    told["score"] = finite(decision.score)
    told["pv"] = list(decision.pv)
    return told


def finite(value: object) -> float | None:
    """``value`` if it is a number, an infinite one as plus or minus `BOUNDLESS`; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return None
    return max(-BOUNDLESS, min(BOUNDLESS, float(value)))
