"""Whom one can play against: every agent of engine and laboratory, with the controls that each of them has."""

from __future__ import annotations

import math
import random
import threading
from dataclasses import asdict, dataclass, replace
from typing import Any

from bot.engine import Agent, Decision, Limit, Stop
from bot.errors import UsageError
from bot.game import Board

DEFAULT_DEPTH = 4
DEEPEST_COURSE_BOT = 8
BOUNDLESS = 1_000_000.0
"""Written for the papers' infinite values, which JSON has no number for."""


@dataclass(frozen=True, slots=True)
class Player:
    """One entry of the page's list."""

    name: str
    about: str
    depth: int | None = None
    """The depth where none is asked for; None: the agent needs no depth, though it may be given one."""
    deepest: int = 42
    options: tuple[str, ...] = ()
    chance: bool = False
    """Whether it can choose at random among moves that it finds equal."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What the page asks of an agent."""

    agent: str
    depth: int | None = None
    options: str = ""
    time_s: float = 2.0
    random: bool = False


ENGINE = (
    Player("perfect", "the bot itself: book, exact solver, search with traps", chance=True),
    Player("mtdf", "the bot's search alone, MTD(f)", chance=True),
    Player("alphabeta", "the bot's search alone, alpha-beta", chance=True),
    Player("depth", "the course's own bot: minimax", depth=3, deepest=DEEPEST_COURSE_BOT, chance=True),
    Player("random", "any legal column", chance=True),
)
_POOLED = ("perfect", "mtdf", "alphabeta")


def players() -> list[Player]:
    """The engine's agents, then the papers'."""
    from bot.lab.agents import FAMILIES

    papers = [
        Player(
            family.name,
            f"{family.source}: {family.about}",
            depth=family.default_depth or DEFAULT_DEPTH,
            options=tuple(option for option in family.options if option not in ("ties", "think")),
            chance="ties" in family.options,
        )
        for family in FAMILIES
    ]
    return [*ENGINE, *papers]


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
        from bot.lab.duel import ready_agent
        from bot.web.compiling import prepared

        with self._lock:
            if self._idle.get(name):
                return self._idle[name].pop()
        return prepared(name.partition(":")[0], lambda: ready_agent(name, seed), stop)


def full_name(choice: Choice) -> str:
    """The name under which the registry knows the chosen agent; raises UsageError for an unknown one."""
    player = next((player for player in players() if player.name == choice.agent), None)
    if player is None:
        raise UsageError(f"There is no agent {choice.agent!r}.", "Choose one from the list.")
    if player.depth is None or player.name == "random":
        return player.name
    depth = choice.depth or player.depth
    if depth > player.deepest:
        raise UsageError(
            f"The agent {player.name} searches at most {player.deepest} plies.", "Ask for a smaller depth."
        )
    if player.name == "depth":
        return f"depth{depth}"
    return _with_options(f"{player.name}:{depth}", choice)


def _with_options(name: str, choice: Choice) -> str:
    """The name with the user's options, the time as the paper's own limit, and its own word for chance."""
    from bot.lab.agents import FAMILIES

    known = next(family.options for family in FAMILIES if family.name == choice.agent)
    options = [option.strip() for option in choice.options.split(",") if option.strip()]
    given = {option.partition("=")[0] for option in options}
    if "think" in known and "think" not in given:
        options.append(f"think={choice.time_s:g}")
    if "ties" in known and "ties" not in given:
        options.append(f"ties={'random' if choice.random else 'lowest'}")
    return ",".join([name, *options])


def _limit(choice: Choice) -> Limit:
    return Limit(hard_s=choice.time_s, think_s=choice.time_s * 0.9, depth=choice.depth)


def _among_equals(board: Board, decision: Decision, left_s: float, stop: Stop | None) -> Decision:
    """Another column of the same proven score, by chance, as far as the time allows."""
    from bot.web.analysis import column_values

    values = column_values(board, max(0.0, min(left_s, 0.5)), stop)
    equal = [
        column
        for column, value in enumerate(values)
        if value is not None and value.lower == value.upper == decision.score
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
