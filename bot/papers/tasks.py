"""What a study has done: games between two agents, and questions to agents in one position.

A task says everything that decides its result. Nothing here knows how results are judged, so that a changed statement
repeats no task (`bot.papers.runs`).
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from bot.agents.games import UNLIMITED, ask, derived_seed, ready_agent
from bot.engine.agent import Agent, Decision
from bot.game import Board, PlayedGame, format_moves, parse_moves

KEPT = ("leaves", "nodes", "passes", "seconds")
"""What is kept of each decision; seconds are processor time of the thread that searches."""
Record = dict[str, Any]
"""What a task leaves, as JSON. Only what ends with ``seconds`` differs when it is performed again."""


@dataclass(frozen=True)
class Task:
    """Something that a run performs: a `Play` or an `Ask`."""

    agents: Mapping[str, str]
    """The agents' names by their roles; in a game the first one makes the first move after ``moves``."""
    moves: str = ""
    """Moves before, columns 1 to 7."""
    number: int = 0
    """Of tasks that are equal otherwise: another draw of what is random, or another measurement."""
    timed: bool = False
    """Whether its times count: then no answer is taken from memory."""
    labels: Mapping[str, Any] = field(default_factory=dict)
    """Further columns of its row."""

    @property
    def key(self) -> str:
        """Text that differs between any two tasks that differ."""
        return hashlib.sha256(json.dumps([type(self).__name__, vars(self)]).encode()).hexdigest()[:20]

    def perform(self) -> Record:
        """Return the result; it is the same whenever and wherever it is performed, but for times."""
        agents = {role: ready_agent(name, derived_seed(self.key, role)) for role, name in self.agents.items()}
        try:
            return self.carried_out(agents)
        finally:
            for agent in agents.values():
                agent.close()

    def carried_out(self, agents: Mapping[str, Agent]) -> Record:
        """Return the result with these agents, by their roles."""
        raise NotImplementedError

    def decided(self, role: str, agent: Agent, board: Board) -> Decision:
        """Return an agent's decision; one that depends on the position alone is known after the first time."""
        if getattr(agent, "repeats", False) and not self.timed:
            return remembered(self.agents[role], board)
        return decided(agent, board)


def decided(agent: Agent, board: Board) -> Decision:
    """Return an agent's decision with its processor time."""
    start = time.thread_time()
    decision = ask(agent, board, UNLIMITED)
    return replace(decision, seconds=round(time.thread_time() - start, 7))


@lru_cache(maxsize=200_000)
def remembered(name: str, board: Board) -> Decision:
    """Return the decision of an agent that repeats itself."""
    return decided(repeating(name), board)


@lru_cache(maxsize=1_000)
def repeating(name: str) -> Agent:
    """Return an agent that repeats itself; it keeps nothing between moves, so that all games can share it."""
    return ready_agent(name)


def work(role: str, decisions: Sequence[Decision]) -> Record:
    """Return the sums of what is kept of decisions."""
    found: Record = {}
    for name in KEPT:
        found[f"{role}_{name}"] = round(sum(getattr(each, name) or 0 for each in decisions), 7)
    return found


class Play(Task):
    """A game. Its row has ``moves`` and ``plies``, and for each role points, turns, leaves, nodes, passes, seconds, and
    the nodes of each of its moves."""

    def carried_out(self, agents: Mapping[str, Agent]) -> Record:
        """Play the game to its end."""
        columns = [*parse_moves(self.moves)]
        board, decisions, roles = Board.from_moves(columns), list[Decision](), [*agents]
        while not board.is_over:
            role = roles[len(decisions) % 2]
            decisions.append(self.decided(role, agents[role], board))
            columns.append(decisions[-1].column)
            board = board.play(columns[-1])
        game = PlayedGame.over(tuple(columns), opening=len(columns) - len(decisions))
        found: Record = {"moves": format_moves(columns), "plies": len(columns)}
        for place, role in enumerate(roles):
            own = decisions[place::2]
            found |= {f"{role}_points": game.points((game.opening + place) % 2), f"{role}_turns": len(own)}
            found |= work(role, own) | {f"{role}_each_nodes": [each.nodes for each in own]}
        return found


class Ask(Task):
    """A question. Its row has ``ply``, and for each role column (1 to 7), value, leaves, nodes, passes and seconds."""

    def carried_out(self, agents: Mapping[str, Agent]) -> Record:
        """Ask every agent for its move."""
        board = Board.from_moves(parse_moves(self.moves))
        found: Record = {"ply": board.ply}
        for role, agent in agents.items():
            decision = self.decided(role, agent, board)
            value = max(-1e12, min(1e12, decision.score or 0.0))  # infinite values, as JSON can hold them
            found |= {f"{role}_column": decision.column + 1, f"{role}_value": value, **work(role, [decision])}
        return found
