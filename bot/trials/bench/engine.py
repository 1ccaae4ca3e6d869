"""An engine's move times over whole games from random positions."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bot.agents.games import play_game
from bot.engine.agent import Agent, Decision, Limit, Stop
from bot.game import Board
from bot.lab.arena.openings import random_opening

LATEST_START = 20
"""Most random plies before a measured game begins."""
GROUPS = ((0, 7), (8, 11), (12, 15), (16, 23), (24, 41))
"""First and last ply of each row."""


@dataclass(frozen=True, slots=True)
class MoveTime:
    """The time of one move, and the number of discs before it."""

    ply: int
    seconds: float


class Stopwatch:
    """An agent whose moves are timed."""

    def __init__(self, agent: Agent) -> None:
        self.name = agent.name
        self.times: list[MoveTime] = []
        self._agent = agent

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:
        """See `Agent.choose`."""
        start = time.perf_counter()
        decision = self._agent.choose(board, limit, stop)
        self.times.append(MoveTime(board.ply, time.perf_counter() - start))
        return decision


def move_times(engine: Agent, opponent: Agent, games: int, seed: int, limit: Limit) -> Iterator[list[MoveTime]]:
    """Play ``games``, the engine moving first in every other one, and yield the engine's move times of each game."""
    for number in range(games):
        plies = random.Random(f"bench/{seed}/{number}").randint(0, LATEST_START)
        timed = Stopwatch(engine)
        players: tuple[Agent, Agent] = (timed, opponent) if number % 2 == 0 else (opponent, timed)
        play_game(*players, random_opening(plies, f"{seed}/{number}"), limit)
        yield timed.times


def rows_of(times: Sequence[MoveTime]) -> list[dict[str, Any]]:
    """Return a row for each group of plies that has moves, and one for all: median, 95 %, 99 %, worst, in seconds."""
    groups = [(f"ply {first}-{last}", first, last) for first, last in GROUPS]
    rows = []
    for name, first, last in [*groups, ("all", 0, 41)]:
        seconds = [move.seconds for move in times if first <= move.ply <= last]
        if not seconds:
            continue
        median, high, higher = np.percentile(seconds, [50, 95, 99])
        shares = {"median_s": float(median), "p95_s": float(high), "p99_s": float(higher)}
        rows.append({"name": name, "moves": len(seconds), **shares, "worst_s": max(seconds)})
    return rows
