"""What a run performs: a game between two agents, or a question to agents in a position.

A task says everything that decides its result, and nothing else does: equal tasks are performed once, in whatever
study or run they stand. Labels only name its row. Nothing here knows how results are judged, so that a changed
statement repeats no task (`bot.lab.sources`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol

from bot.agents.games import UNLIMITED, Played, close, derived_seed, play_game, ready_agent
from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.game import Board

Labels = Mapping[str, "int | float | str"]
TaskResult = dict[str, Any]
"""What a task leaves, as JSON. Only names that end with ``seconds`` differ when it is performed again."""
COUNTS = ("leaves", "nodes", "passes")
REMEMBERED = 200_000
"""Most answers of deterministic agents that a process keeps."""
_known: dict[tuple[str, int, int], Decision] = {}


class PlannedTask(Protocol):
    """A frozen dataclass; its fields but for ``labels`` decide the result."""

    @property
    def labels(self) -> Labels:
        """The names of its row, which decide nothing."""

    def agent_names(self) -> list[str]:
        """Return the agents whose modules decide the result."""

    def perform(self, seed: str, stop: StopFlag) -> TaskResult:
        """Return the result; equal seeds give equal ones but for times."""


def decisive(task: Any) -> dict[str, Any]:
    """Return everything that decides a task's result, as JSON can hold it."""
    values = {each.name: getattr(task, each.name) for each in fields(task) if each.name != "labels"}
    return {"task": type(task).__name__, **values}


@dataclass(frozen=True)
class PlannedGame:
    """A game between the agents of two roles."""

    players: Mapping[str, str]
    """The agents' names by role."""
    first: str = ""
    """The role that moves first; without it the first of ``players``."""
    opening: str = ""
    """Columns 0 to 6 that are played before."""
    number: int = 0
    """Number of a game: where a player chooses at random, each is another draw."""
    repeat: int = 0
    """Number, from 1 on, of a game that is played again for its times. 0: known answers may be used."""
    by_move: bool = False
    """Whether the row has lists with the numbers of each move in place of sums: ``ply``, ``nodes``, ``seconds``."""
    labels: Labels = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Name who moves first: the order of ``players`` is no part of what a task says.

        Raises ValueError for other than two roles, for a role called first, and where none of the roles moves first.
        """
        object.__setattr__(self, "first", self.first or next(iter(self.players)))
        if len(self.players) != 2 or "first" in self.players or self.first not in self.players:
            raise ValueError(f"a game has two roles, one of which moves first, not {self.players} and {self.first}")

    def agent_names(self) -> list[str]:
        """Return both agents."""
        return list(self.players.values())

    def perform(self, seed: str, stop: StopFlag) -> TaskResult:
        """Play the game; the result is `result_of`."""
        one = self.first
        other = next(role for role in self.players if role != one)
        with self._player(one, f"{seed}/first") as first, self._player(other, f"{seed}/second") as second:
            played = play_game(first, second, map(int, self.opening), UNLIMITED, stop)
        return result_by_move(played) if self.by_move else result_of(played, (one, other))

    @contextmanager
    def _player(self, role: str, seed: str) -> Iterator[Agent]:
        name = self.players[role]
        agent = ready_agent(name, derived_seed(seed))
        remembers = self.repeat == 0 and getattr(agent, "repeats", False)
        try:
            yield TimedAgent(agent, name, remembers)
        finally:
            close(agent)


def result_of(played: Played, roles: tuple[str, str]) -> TaskResult:
    """Return a game's moves and, for each role and for the first mover, points (1, 0.5, 0) and sums of work."""
    found: TaskResult = {"moves": "".join(map(str, played.moves)), "plies": len(played.moves)}
    if played.forfeit:
        found["forfeit"] = played.forfeit
    found["first_points"] = played.result
    for player, role in enumerate(roles):
        seconds = played.of_player(player, played.seconds)
        found[f"{role}_points"] = abs(player - played.result)
        found[f"{role}_moves"] = len(seconds)
        found[f"{role}_seconds"] = round(sum(seconds), 7)
        for count in COUNTS:
            found[f"{role}_{count}"] = sum(played.of_player(player, getattr(played, count)))
    return found


def result_by_move(played: Played) -> TaskResult:
    """Return lists with a number for each move."""
    found: TaskResult = {"ply": list(range(played.opening, len(played.moves)))}
    if played.forfeit:
        found["forfeit"] = played.forfeit
    for name in (*COUNTS, "seconds"):
        found[name] = [each or 0 for each in getattr(played, name)]
    return found


@dataclass(frozen=True)
class PlannedQuestion:
    """A position in which the agents of all roles are asked for a move."""

    agents: Mapping[str, str]
    """The agents' names by role."""
    position: str
    """Columns 0 to 6 from the empty board."""
    labels: Labels = field(default_factory=dict)

    def agent_names(self) -> list[str]:
        """Return all agents."""
        return list(self.agents.values())

    def perform(self, seed: str, stop: StopFlag) -> TaskResult:
        """Return each role's column, its value in the agent's own units, and its work."""
        board = Board.from_moves(map(int, self.position))
        found: TaskResult = {"ply": board.ply}
        for role, name in self.agents.items():
            agent = ready_agent(name, derived_seed(seed, role))
            decision = TimedAgent(agent, name).choose(board, UNLIMITED, stop)
            close(agent)
            value = decision.score or 0.0
            found[f"{role}_column"] = decision.column
            found[f"{role}_value"] = max(-1e12, min(1e12, value))  # infinite values, as JSON can hold them
            found |= {f"{role}_{count}": getattr(decision, count) or 0 for count in (*COUNTS, "seconds")}
        return found


@dataclass
class TimedAgent(Agent):
    """An agent whose decisions carry the processor time of the thread that makes them, seconds.

    Where it ``remembers``, each position is asked once in a process: an agent without memory and chance repeats itself.
    """

    agent: Agent
    name: str
    remembers: bool = False

    def choose(self, board: Board, limit: Limit, stop: StopFlag | None = None) -> Decision:
        """Return the agent's decision."""
        key = (self.name, board.current, board.mask)
        if self.remembers and key in _known:
            return _known[key]
        start = time.thread_time()
        decision = self.agent.choose(board, limit, stop)
        decision = replace(decision, seconds=round(time.thread_time() - start, 7))
        if self.remembers:
            if len(_known) == REMEMBERED:
                _known.clear()
            _known[key] = decision
        return decision
