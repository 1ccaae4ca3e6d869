"""The work of a task: play its games; the results as rows of numbers.

A task says everything that decides its results, so that nothing here depends on how sources are written or judged.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from bot.agents.games import UNLIMITED, close, play_game, ready_agent
from bot.engine.agent import Agent, Decision, Limit, StopFlag
from bot.game import Board
from bot.lab.arena.games import derived_seed
from bot.lab.positions import random_opening

COUNTS = ("leaves", "nodes", "passes")
ENDS = {"won": 1.0, "drawn": 0.5, "lost": 0.0}
"""Points of a game."""
GAME, REPEAT = "game", "repeat"
"""Labels of seeded games, each of which is a draw, and of games that are repeated for their times."""
Row = Mapping[str, int | float | str]
Result = dict[str, Any]
"""What a row leaves: numbers and texts by name, such as ``X.leaves`` for the leaves of role X.

Names that end with ``seconds`` alone differ when the row is performed again. Where there is a number for each move, it
is a list of them.
"""
REMEMBERED = 200_000
"""Most answers of deterministic agents that a process keeps."""
_known: dict[tuple[str, int, int], Decision] = {}


@dataclass
class Timed:
    """An agent whose decisions carry the processor time of the thread that makes them, seconds.

    Where ``remembers``, it is asked once for each position: a program without memory and chance repeats itself.
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


def perform(task: dict[str, Any], stop: StopFlag) -> list[Result]:
    """Play the games of a task; equal rows give equal games but for times."""
    return [play(task, row, names, stop) for row, names in zip(task["rows"], task["agents"], strict=True)]


def play(task: dict[str, Any], row: Row, names: dict[str, str], stop: StopFlag) -> Result:
    """Play one game."""
    first = str(row.get("first", next(iter(names))))
    second = next(role for role in names if role != first)
    opening, drawn = str(row.get("opening", "")), f"{task['seed']}/{task['run']}/{row.get(GAME, 0)}"
    columns = (
        random_opening(int(opening.split()[1]), drawn) if opening.startswith("random") else tuple(map(int, opening))
    )
    seed = f"{task['seed']}/{task['run']}/"
    if GAME in row:  # otherwise the same for all, as a deterministic game is
        seed += "/".join(f"{label}={value}" for label, value in row.items())
    with _player(names[first], f"{seed}/first", row) as one, _player(names[second], f"{seed}/second", row) as other:
        played = play_game(one, other, columns, UNLIMITED, stop)
    found: Result = {"moves": "".join(map(str, played.moves)), "plies": len(played.moves)}
    if played.forfeit:
        found["forfeit"] = played.forfeit
    if task["moves"]:
        plies = list(range(played.opening, len(played.moves)))
        return {"ply": plies, **{name: [each or 0 for each in getattr(played, name)] for name in (*COUNTS, "seconds")}}
    for player, role in ((0, first), (1, second), (0, "first")):
        points = abs(player - played.result)
        work = {name: sum(played.of_player(player, getattr(played, name))) for name in COUNTS}
        seconds = played.of_player(player, played.seconds)
        work |= {"seconds": round(sum(seconds), 7), "moves": len(seconds), "points": points}
        work |= {name: int(points == worth) for name, worth in ENDS.items()}
        found |= {f"{role}.{name}": value for name, value in work.items()}
        if role == next(iter(names)):
            found["result"] = "LDW"[int(2 * points)]
    return found


@contextmanager
def _player(name: str, seed: str, row: Row) -> Iterator[Agent]:
    agent = ready_agent(name, derived_seed(seed))
    remembers = getattr(agent, "repeats", False) or (GAME not in row and not getattr(agent, "deepens", False))
    try:
        yield Timed(agent, name, remembers and REPEAT not in row)
    finally:
        close(agent)
