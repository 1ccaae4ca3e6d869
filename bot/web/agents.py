"""The page's agents: every agent of engine and laboratory, with the controls that each of them offers."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from bot.agents.catalogue import EXTERNAL, families, family_called, is_external
from bot.agents.family import Family, split_budget
from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.errors import GameOverError, UsageError
from bot.game import Board
from bot.web.bodies import MoveRequest
from bot.web.jobs import prepared

MAX_KEPT = 6
"""Agents from outside that wait for their next move: those of two games between two of them, and of two more games.
Each may be a process with large tables."""


class AgentPool:
    """Makes agents by name, and keeps those from outside for the next move of their game. Safe for many threads."""

    def __init__(self, external: Sequence[str] = ()) -> None:
        """``external`` are full names of agents that the page also offers, under names that hold no path."""
        self._external = _page_names(external)
        self._kept: dict[tuple[str, str], Agent] = {}
        """By full name and game, the agents that no request uses now; the one used last stands last."""
        self._lock = threading.Lock()

    @property
    def own(self) -> str | None:
        """The full name of the agent that has a place of its own: the first one from outside."""
        return next(iter(self._external.values()), None)

    def as_json(self) -> list[dict[str, Any]]:
        """Return the page's list of agents: the one with a place of its own first, the others from outside last."""
        from bot.agents.external.names import without_folders

        agents = []
        for known in (*families(), *map(_external_entry, self._external)):
            if known.moves_everywhere:
                fields = {name: getattr(known, name) for name in ("name", "about", "depth", "deepest")}
                fields["number"] = known.number.lower()
                fields["own"] = known.name == next(iter(self._external), None)
                fields["title"] = without_folders(self._external.get(known.name, known.name))
                agents.append(fields)
        return sorted(agents, key=lambda fields: not fields["own"])

    def choose(self, request: MoveRequest, stop: StopFlag | None = None) -> Decision:
        """Return the agent's move. Compiling does not count towards its time limit.

        Raises UsageError for a finished game, and for an unknown agent, depth or option.
        """
        from bot.agents.games import ready_agent

        board = Board.from_moves(request.moves)
        if board.is_over:
            raise GameOverError
        outside = self._external.get(request.agent)
        known = family_called(request.agent) if outside is None else _external_entry(request.agent)
        name = full_name(known, request)  # settings are checked for agents from outside too
        if outside is not None:
            name = outside
        agent = self._kept.pop((name, request.game), None)
        if agent is None:
            seed = None if request.random else 0
            agent = prepared(name.partition(":")[0], partial(ready_agent, name, seed), stop)
        limit = Limit(hard_s=request.time_s, think_s=request.time_s * 0.9, depth=request.depth)
        decision = agent.choose(board, limit, stop)
        if outside is not None and request.game:
            self._keep((name, request.game), agent)
        else:
            agent.close()
        return decision

    def _keep(self, key: tuple[str, str], agent: Agent) -> None:
        """Keep an agent for its game's next move, in place of the one unused for longest."""
        with self._lock:
            unused = self._kept.pop(key, None)
            self._kept[key] = agent
            if len(self._kept) > MAX_KEPT:
                unused = self._kept.pop(next(iter(self._kept)))
        if unused is not None:
            unused.close()


def warm_up() -> None:
    """Load or compile the levels, then the default agent, so that the first click does not wait for them."""
    from bot.agents.games import ready_agent

    prepared("level", partial(ready_agent, "level:1"))
    prepared("perfect", partial(ready_agent, "perfect"))


def _page_names(names: Sequence[str]) -> dict[str, str]:
    """Return the full names by short ones: the class or the program, numbered where that name is taken."""
    from bot.agents.external.names import short_name

    shown: dict[str, str] = {}
    taken = {known.name for known in families()}
    for name in names:
        shortest = short_name(split_budget(name)[0]) if is_external(name) else name
        label = plain = re.sub(r"[^\w.-]", "-", shortest)[:30]
        number = 1
        while label in taken:
            number += 1
            label = f"{plain}-{number}"
        shown[label] = name
        taken.add(label)
    return shown


def _external_entry(label: str) -> Family:
    return replace(EXTERNAL, name=label, about="an agent that this page was started with")


def full_name(known: Family, request: MoveRequest) -> str:
    """Return the name for `make_agent`, with the page's time and randomness for agents that take them as options.

    Raises UsageError for options where the agent takes none.
    """
    options = [option.strip() for option in request.options.split(",") if option.strip()]
    if options and not known.options:
        raise UsageError(f"The agent {known.name} takes no options, but got {request.options}.", "Leave them out.")
    ties = "random" if request.random else "lowest"
    given = {option.partition("=")[0] for option in options}
    for name, setting in (("think", f"think={request.time_s:g}"), ("ties", f"ties={ties}")):
        if name in known.options and name not in given:
            options.append(setting)
    return ",".join([known.full_name(request.depth), *options])
