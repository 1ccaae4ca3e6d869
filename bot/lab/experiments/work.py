"""The work of a task: play its games, or ask its agents in its positions; the results as rows of numbers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from bot.agents.games import UNLIMITED, Played, close, play_game, ready_agent
from bot.engine.agent import Agent, Decision, Limit, Stop
from bot.engine.score import sign
from bot.game import Board
from bot.lab.arena.ctrl_c import stop_on_interrupt
from bot.lab.arena.games import derived_seed
from bot.lab.exact import exact_scores as exact_scores  # noqa: PLC0414 (for other modules of this folder)
from bot.lab.experiments.paper import Run
from bot.lab.experiments.plan import GAME, Row, Task, agents_of
from bot.lab.positions import random_opening

COUNTS = ("leaves", "nodes", "passes", "seconds")
Result = dict[str, Any]
"""What a row leaves: of a game its moves, its result and both sides' work; of a position each agent's answer."""
REMEMBERED = 200_000
"""Answers of deterministic agents that a process keeps: those that were asked for last."""
_known: dict[tuple[str, int, int], Decision] = {}


@dataclass
class Timed:
    """An agent whose decisions carry the processor time of the thread that makes them, seconds.

    Where ``remembers``, it is asked once for each position: a program without memory and chance repeats itself.
    """

    agent: Agent
    name: str
    remembers: bool

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:
        """Return the agent's decision."""
        key = (self.name, board.current, board.mask)
        if self.remembers and key in _known:
            _known[key] = _known.pop(key)  # the latest answer stays longest
            return _known[key]
        start = time.thread_time()
        decision = self.agent.choose(board, limit, stop)
        decision = replace(decision, seconds=round(time.thread_time() - start, 7))
        if self.remembers:
            _known[key] = decision
            if len(_known) > REMEMBERED:
                del _known[next(iter(_known))]
        return decision


def perform(run: Run, task: Task) -> list[Result]:
    """Perform the rows of a task."""
    with stop_on_interrupt() as stop:
        if run.players:
            return [play(run, row, task, stop) for row in task["rows"]]
        return [ask(run, row, stop) for row in task["rows"]]


def play(run: Run, row: Row, task: Task, stop: Stop) -> Result:
    """Play one game; equal rows give equal games but for times."""
    names = agents_of(run, row)
    first = str(row.get("first", next(iter(names))))
    second = next(role for role in names if role != first)
    seed = seed_of(task, row)
    opening = str(row.get("opening", ""))
    if opening.startswith("random"):
        drawn = f"{task['seed']}/{task['run']}/{row.get(GAME, 0)}"
        columns = random_opening(int(opening.split()[1]), drawn)
    else:
        columns = tuple(map(int, opening))
    with _player(names[first], f"{seed}/first", run) as one, _player(names[second], f"{seed}/second", run) as other:
        played = play_game(one, other, columns, UNLIMITED, stop)
    return _record(run, played, {first: 0, second: 1})


def seed_of(task: Task, row: Row) -> str:
    """Return the seed of a game: another one for every value of ``game``, and without that label always the same."""
    cell = "/".join(f"{label}={value}" for label, value in row.items()) if GAME in row else ""
    return f"{task['seed']}/{task['run']}/{cell}"


@contextmanager
def _player(name: str, seed: str, run: Run) -> Iterator[Agent]:
    agent = ready_agent(name, derived_seed(seed))
    remembers = getattr(agent, "repeats", False) or (GAME not in run.grid and not getattr(agent, "deepens", False))
    try:
        yield Timed(agent, name, remembers and "repeat" not in run.grid)
    finally:
        close(agent)


def _record(run: Run, played: Played, players: dict[str, int]) -> Result:
    found: Result = {"moves": "".join(map(str, played.moves)), "opening": played.opening, "result": played.result}
    if played.forfeit:
        found["forfeit"] = played.forfeit
    lists = (played.leaves, played.nodes, played.passes, played.seconds)
    if run.moves:
        return {**found, **{name: [count or 0 for count in counts] for name, counts in zip(COUNTS, lists, strict=True)}}
    for role, player in players.items():
        counts = [played.of_player(player, counts) for counts in lists]
        found[role] = [*(round(sum(count), 7) for count in counts), len(counts[-1])]
    return found


def ask(run: Run, row: Row, stop: Stop) -> Result:
    """Ask all agents in one position; with ``exact`` of the run, say what their columns are worth."""
    board = Board.from_moves(map(int, str(row["position"])))
    scores = _scores(run, row, board)
    found: Result = {"ply": board.ply}
    for role, name in agents_of(run, row).items():
        agent = ready_agent(name, derived_seed(row["position"]))
        decision = Timed(agent, name, remembers=False).choose(board, UNLIMITED, stop)
        counts = (decision.leaves, decision.nodes, decision.passes, decision.seconds)
        found[role] = [decision.column, _finite(decision.score), *(count or 0 for count in counts)]
        if scores is not None:
            outcome = sign if run.exact is True else float
            best = max(score for score in scores if score is not None)
            lost = (outcome(best) - outcome(scores[decision.column] or 0)) / 2
            found[role] += [int(lost == 0), lost]
    return found


def _scores(run: Run, row: Row, board: Board) -> Sequence[float | None] | None:
    """Return the columns' scores: by the solver, or the values of the run's own judge."""
    if not isinstance(run.exact, str):
        return exact_scores(str(row["position"])) if run.exact else None
    import numpy as np

    from bot.agents.kernels.rules import COUNTERS

    agent: Any = ready_agent(agents_of(run, row)[run.exact], 0)
    values = agent.values(board, agent.depth, np.zeros(COUNTERS, dtype=np.int64), np.zeros(1, dtype=np.uint8))
    return [float(value) for value in values]


def _finite(value: float | None) -> float:
    """Return a value as JSON can hold it: infinite ones as +-1e12, above every evaluation."""
    return max(-1e12, min(1e12, value or 0.0))
