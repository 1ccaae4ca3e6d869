"""The games of every reading of Halim's evaluation against the web AI, at all pairs of depths.

The system's column is the lowest of the best ones, as the paper states of its option "deterministic". The web AI is
deterministic as well, so that its reply to a position is computed once for all readings.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from bot.agents.games import UNLIMITED
from bot.agents.papers.halim import ENDS, VIEWS, Reading
from bot.game import Board
from bot.lab.experiments.base import Task

OPEN_CHOICES: dict[str, tuple[Any, ...]] = {
    "lines": (0, 1, 2, 3),
    "discs": (1, 2, 3),
    "difference": (False, True),
    "distinct": (False, True),
    "plus": (False, True),
    "ends": tuple(ENDS),
    "view": VIEWS,
}
"""What the paper leaves open, as options of the agent `halim`; who starts and which tie is played, it states."""
DEPTH = 8
"""Largest depth of both sides in the published table."""
TRAINING_OPPONENT, TRAINING_SYSTEM = 5, 6
"""Largest depths of the cells that choose among the readings: 30 of 64. The other cells are held out."""
FINALISTS, QUICK_FINALISTS = 60, 2
"""Readings that play the whole table: those that explain the training cells best, and the recommended one."""
QUICK_STEP = 24
"""A quick run plays every 24th reading."""

_replies: dict[tuple[int, int, int], int] = {}


def readings() -> list[dict[str, Any]]:
    """Return all readings, the recommended one first."""
    return [dict(zip(OPEN_CHOICES, choice, strict=True)) for choice in product(*OPEN_CHOICES.values())]


def name_of(reading: dict[str, Any]) -> str:
    """Return the options that give this reading to the agent `halim`; empty for the recommended one."""
    default = Reading()
    changed = {key: value for key, value in reading.items() if value != getattr(default, key)}
    return ",".join(f"{key}={int(value) if isinstance(value, bool) else value}" for key, value in changed.items())


def is_training(opponent: int, system: int) -> bool:
    """Return whether a cell belongs to the training part."""
    return opponent <= TRAINING_OPPONENT and system <= TRAINING_SYSTEM


def tasks(quick: bool, _seed: int) -> list[Task]:
    """Return one task for each reading, the training cells (quick: every 24th reading)."""
    return [{"reading": reading, "part": "training"} for reading in readings()[:: QUICK_STEP if quick else 1]]


def cells_of(part: str) -> list[tuple[int, int]]:
    """Return the cells of a part as (opponent's depth, system's depth)."""
    depths = range(1, DEPTH + 1)
    return [cell for cell in product(depths, depths) if is_training(*cell) == (part == "training")]


def work(task: Task) -> dict[str, Any]:
    """Play the cells of one part; return the moves of each, in their order, and the system's nodes."""
    from bot.agents.kernels.rules import COUNTERS, NODES
    from bot.agents.papers.rules import CENTRE_LEFT_FIRST, with_order

    # Inside the search the order of the columns changes the work, not the values: the middle first prunes more.
    rules = with_order(Reading(**task["reading"]).rules(), CENTRE_LEFT_FIRST)
    counters = np.zeros(COUNTERS, dtype=np.int64)
    games = [_game(rules, system, opponent, counters) for opponent, system in cells_of(task["part"])]
    return {"moves": games, "nodes": int(counters[NODES])}


def _game(rules: Any, system: int, opponent: int, counters: Any) -> str:
    board, moves = Board(), ""
    while not board.is_over:
        column = _reply(board, opponent) if board.ply % 2 else lowest_best(board, system, rules, counters)
        moves += str(column)
        board = board.play(column)
    return moves


def lowest_best(board: Board, depth: int, rules: Any, counters: Any) -> int:
    """Return the lowest of the columns that are best at ``depth`` plies."""
    from bot.agents.kernels.rules import INFINITY
    from bot.agents.kernels.search import alpha_beta

    stop = np.zeros(1, dtype=np.uint8)
    best, chosen = -INFINITY, -1
    for column in board.legal_columns():
        child = board.play(column)
        below = alpha_beta(child.current, child.opponent, -1, depth - 1, -INFINITY, -best, rules, counters, stop)
        if -below > best:
            best, chosen = -below, column
    return chosen


def _reply(board: Board, depth: int) -> int:
    from bot.agents.papers.rmarcus import RMarcus

    key = depth, board.current, board.mask
    if key not in _replies:
        _replies[key] = RMarcus(f"rmarcus:{depth}", depth).choose(board, UNLIMITED).column
    return _replies[key]
