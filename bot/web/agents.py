"""The page's agents: every agent of engine and laboratory, with the controls that each of them offers."""

from __future__ import annotations

import math
import random
import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import count
from typing import Any

from bot.agents.budgeted import split_budget
from bot.agents.catalogue import AgentEntry, entries, entry, is_external
from bot.agents.family import PAPER_DEPTHS
from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.errors import UsageError
from bot.game import Board

FINITE_BOUND = 1_000_000.0
"""Stands in for the papers' infinite scores, which JSON cannot express."""

_SHARED = ("perfect", "mtdf", "alphabeta")
"""Agents that are slow to create and keep no state of a game, so all games share them."""
MAX_KEPT = 8
"""Agents that wait for their next move: those of two games between two agents from outside, each of which may be a
process with large tables, those of two more games, and two shared ones."""
_PAGE_OPTIONS = ("ties", "think")
"""Options that the page sets from its own controls for randomness and time."""
_RANDOM_TIE_S = 0.5
"""Maximum time for finding moves of equal score, seconds."""


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """An agent and its settings, as chosen on the page."""

    agent: str
    depth: int | None = None
    options: str = ""
    time_s: float = 2.0
    random: bool = False
    game: str = ""
    """The game's id, made by the page: an agent from outside has an object of its own for each."""


def page_agents(external: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Return the page's list of agents, one JSON object each; ``external`` are the page's names of its `AgentPool`."""
    fixed: dict[str, Any] = {"depth": None, "deepest": PAPER_DEPTHS[-1], "number": "depth"}
    fixed |= {"options": [], "chance": False}
    own = [{"name": name, "about": "an agent that this page was started with", **fixed} for name in external]
    return [
        {
            "name": entry.name,
            "about": entry.about,
            "depth": entry.depth,
            "deepest": entry.deepest,
            "number": entry.number.lower(),
            "options": [option for option in entry.options if option not in _PAGE_OPTIONS],
            "chance": entry.randomises,
        }
        for entry in entries()
        if entry.moves_everywhere
    ] + own


class AgentPool:
    """Makes agents by name, and keeps those that are asked again. Safe for many threads."""

    def __init__(self, external: Sequence[str] = ()) -> None:
        """``external`` are full names of agents that the page also offers, under names that hold no path."""
        self.external = _page_names(external)
        """Full names of the agents from outside by the names that the page shows and requests may use."""
        self._kept: list[tuple[str, str, Agent]] = []
        """Full name, game, and the agent, which no request uses now; the one used last stands last."""
        self._lock = threading.Lock()

    def _full_name(self, choice: AgentChoice) -> str:
        own = self.external.get(choice.agent)
        if own is None:
            return full_name(choice)
        if choice.depth is not None and choice.depth > PAPER_DEPTHS[-1]:
            raise UsageError(f"The depth is at most {PAPER_DEPTHS[-1]}.", "Choose a smaller number.")
        if choice.options:
            raise UsageError(f"The agent {choice.agent} takes no options here.", "Leave them out.")
        return own

    def choose(self, board: Board, choice: AgentChoice, stop: StopFlag | None = None) -> Decision:
        """Return the agent's move in an unfinished ``board``. Compiling does not count towards its time limit.

        Raises UsageError for an unknown agent, depth or option.
        """
        name = self._full_name(choice)
        user = choice.game if choice.agent in self.external else "all games" if name in _SHARED else ""
        agent = self._take(name, user, None if choice.random else 0, stop)
        limit = Limit(hard_s=choice.time_s, think_s=choice.time_s * 0.9, depth=choice.depth)
        decision = agent.choose(board, limit, stop)
        self._give_back(name, user, agent)
        if choice.random and decision.proven and name in _SHARED:
            return _random_tie(board, decision, choice.time_s - decision.seconds, stop)
        return decision

    def warm_up(self) -> None:
        """Load or compile the default agent, so that the first click does not wait for it."""
        self._give_back("perfect", "all games", self._take("perfect", "all games", 0))

    def _take(self, name: str, user: str, seed: int | None, stop: StopFlag | None = None) -> Agent:
        """Return the agent kept for ``user``, or a new one: another request may be using the one that was kept."""
        from bot.agents.games import ready_agent
        from bot.web.compiling import prepared

        with self._lock:
            for kept in self._kept:
                if kept[:2] == (name, user):
                    self._kept.remove(kept)
                    return kept[2]
        return prepared(name.partition(":")[0], lambda: ready_agent(name, seed), stop)

    def _give_back(self, name: str, user: str, agent: Agent) -> None:
        """Keep an agent for its user's next move, in place of the one unused for longest; without a user, close it."""
        from bot.agents.games import close

        if user:
            with self._lock:
                self._kept.append((name, user, agent))
                if len(self._kept) <= MAX_KEPT:
                    return
                agent = self._kept.pop(0)[2]
        close(agent)


def _page_names(names: Sequence[str]) -> dict[str, str]:
    """Return the full names by short ones: the class or the program, numbered where that name is taken."""
    from bot.agents.external.names import short_name

    shown: dict[str, str] = {}
    taken = {entry.name for entry in entries()}
    for name in names:
        shortest = short_name(split_budget(name)[0]) if is_external(name) else name
        plain = re.sub(r"[^\w.-]", "-", shortest)[:30]
        label = next(label for number in count(1) if (label := plain + f"-{number}" * (number > 1)) not in taken)
        shown[label] = name
        taken.add(label)
    return shown


def full_name(choice: AgentChoice) -> str:
    """Return the name for `make_agent`; raise UsageError for an unknown agent or a depth beyond its maximum."""
    known = entry(choice.agent)
    if choice.depth is not None and choice.depth > known.deepest:
        raise UsageError(
            f"The {known.number.lower()} of the agent {known.name} is at most {known.deepest:,}, not {choice.depth:,}.",
            "Choose a smaller number.",
        )
    return ",".join([known.full_name(choice.depth), *_options(known, choice)])


def _options(known: AgentEntry, choice: AgentChoice) -> list[str]:
    """Return the user's options, and the page's time and randomness for agents that take them as options."""
    options = [option.strip() for option in choice.options.split(",") if option.strip()]
    if options and not known.options:
        raise UsageError(f"The agent {known.name} takes no options, but got {choice.options}.", "Leave them out.")
    given = {option.partition("=")[0] for option in options}
    if "think" in known.options and "think" not in given:
        options.append(f"think={choice.time_s:g}")
    if "ties" in known.options and "ties" not in given:
        options.append(f"ties={'random' if choice.random else 'lowest'}")
    return options


def _random_tie(board: Board, decision: Decision, left_s: float, stop: StopFlag | None) -> Decision:
    """Return a random move among those that are proven, in the time left, to score the same as ``decision``."""
    from bot.web.analysis import column_bounds

    columns = column_bounds(board, max(0.0, min(left_s, _RANDOM_TIE_S)), stop)
    equal = [
        column
        for column, bounds in enumerate(columns)
        if bounds is not None and bounds.exact and bounds.lower == decision.score
    ]
    column = random.choice(equal or [decision.column])
    return decision if column == decision.column else replace(decision, column=column, pv=(column,))


def decision_json(decision: Decision) -> dict[str, Any]:
    """Return the decision as JSON fields: columns 0..6, every number finite."""
    return asdict(decision) | {"score": finite(decision.score)}


def finite(value: object) -> float | None:
    """Return a number clipped to +-`FINITE_BOUND`; None for anything that is not a number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return None
    return max(-FINITE_BOUND, min(FINITE_BOUND, float(value)))
