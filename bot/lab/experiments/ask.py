"""The work of a task: ask its agents in its positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bot.agents.games import UNLIMITED, ready_agent
from bot.agents.kernels.rules import COUNTERS
from bot.engine.agent import StopFlag
from bot.engine.score import sign
from bot.game import Board
from bot.lab.arena.games import derived_seed
from bot.lab.experiments.play import COUNTS, Result, Timed

Scores = Sequence[float | None]
"""A score for each column, for the side to move; None where it is full."""


def perform(task: dict[str, Any], stop: StopFlag, scores_of: Callable[[str], Scores] | None = None) -> list[Result]:
    """Ask the agents of a task; with ``scores_of`` its columns' scores, say what the agents' columns are worth."""
    return [
        ask(str(row["position"]), names, task["exact"], scores_of, stop)
        for row, names in zip(task["rows"], task["agents"], strict=True)
    ]


def ask(
    moves: str, names: dict[str, str], exact: bool | str, scores_of: Callable[[str], Scores] | None, stop: StopFlag
) -> Result:
    """Ask all agents in the position after ``moves``; where ``exact`` is a role, its values are the columns' scores."""
    board = Board.from_moves(map(int, moves))
    scores = scores_of(moves) if scores_of else _values(names[exact], board) if isinstance(exact, str) else None
    found: Result = {"ply": board.ply}
    for role, name in names.items():
        decision = Timed(ready_agent(name, derived_seed(moves)), name).choose(board, UNLIMITED, stop)
        answer = {count: getattr(decision, count) or 0 for count in (*COUNTS, "seconds")}
        # Infinite values as JSON can hold them: above every evaluation.
        answer |= {"column": decision.column, "value": max(-1e12, min(1e12, decision.score or 0.0))}
        if scores is not None:
            outcome = sign if scores_of else float
            best = max(score for score in scores if score is not None)
            lost = (outcome(best) - outcome(scores[decision.column] or 0)) / 2
            answer |= {"kept": int(lost == 0), "regret": lost}
        found |= {f"{role}.{name}": number for name, number in answer.items()}
    return found


def _values(name: str, board: Board) -> Scores:
    """Return the values that a paper's agent gives the columns."""
    agent: Any = ready_agent(name, 0)
    values = agent.values(board, agent.depth, np.zeros(COUNTERS, dtype=np.int64), np.zeros(1, dtype=np.uint8))
    return [float(value) for value in values]
