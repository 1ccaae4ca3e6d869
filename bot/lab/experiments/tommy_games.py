"""The games of Tommy's Table 1, timed in processor time: other programs on the machine do not lengthen it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from bot.agents.games import UNLIMITED, Played, play_game, ready_agent
from bot.engine.agent import Agent, Decision, Limit, Stop
from bot.game import Board
from bot.lab.arena.ctrl_c import stop_on_interrupt
from bot.lab.experiments.base import Task
from bot.lab.experiments.records import record


@dataclass
class Timed:
    """An agent whose decisions carry the processor time of the thread that makes them, seconds."""

    agent: Agent
    name: str

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:
        """Return the agent's decision."""
        start = time.thread_time()
        decision = self.agent.choose(board, limit, stop)
        return replace(decision, seconds=time.thread_time() - start)


def work(task: Task) -> dict[str, Any]:
    """Play the games of a task."""
    with stop_on_interrupt() as stop:
        return {"games": [record(_play(game, stop)) for game in task["games"]]}


def _play(game: dict[str, Any], stop: Stop) -> Played:
    first, second = (Timed(ready_agent(game[player]), game[player]) for player in ("first", "second"))
    return play_game(first, second, tuple(map(int, game.get("opening", ""))), UNLIMITED, stop)
