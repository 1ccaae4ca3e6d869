"""Positions in which the published program of van der Schee is compared with a sound search over the same leaves."""

from __future__ import annotations

from typing import Any

import numpy as np

from bot.engine.agent import Limit
from bot.game import Board
from bot.lab.arena.games import match_pairings
from bot.lab.arena.openings import random_opening
from bot.lab.experiments.base import Task
from bot.lab.experiments.records import pairing_json, play

DEPTHS = (1, 2, 3, 4, 5, 6)
BLOCK = 25
"""Positions in one task."""
RANDOM_PLIES = 4
"""Random plies before the agents of a game start to choose."""
POSITIONS = "slips"
"""Part of the seed of the positions; another text would give other positions than the committed results."""
STACKED = "46656254475"
"""Moves (columns 1-7) to a position in which the first player has stacked threats."""


def tasks(quick: bool, seed: int) -> list[Task]:
    """Return blocks of positions and games of the published against the intended program, by depth; and examples."""
    blocks, games = (2, 20) if quick else (16, 100)
    values = [
        {"kind": "values", "depth": depth, "number": number, "seed": seed}
        for depth in DEPTHS
        for number in range(blocks)
    ]
    matches = [
        {"kind": "game", "depth": depth, "number": number, "games": [_game(depth, number, seed)]}
        for depth in DEPTHS
        for number in range(games)
    ]
    return [{"kind": "threats"}, *values, *matches]


def _game(depth: int, number: int, seed: int) -> dict[str, Any]:
    pairing = match_pairings(f"vds:{depth}", f"vds-intended:{depth}", number + 1, seed, RANDOM_PLIES)[-1]
    return pairing_json(pairing.first, pairing.second, pairing.seed, pairing.opening)


def work(task: Task) -> dict[str, Any]:
    """Judge one block of positions, play one game, or score the position with stacked threats."""
    if "games" in task:
        return play(task)
    if task["kind"] == "threats":
        return stacked_threats()
    wrong = poor = calls = sound_calls = 0
    for number in range(BLOCK):
        place = task["number"] * BLOCK + number
        board = Board.from_moves(random_opening(place % 30, f"{POSITIONS}/{task['seed']}/{place}"))
        value, column, nodes = published(board, task["depth"])
        exact, sound_nodes = sound(board, task["depth"])
        wrong += value != max(exact.values())
        poor += exact[column] != max(exact.values())
        calls, sound_calls = calls + nodes, sound_calls + sound_nodes
    return {"wrong": wrong, "poor": poor, "calls": calls, "sound_calls": sound_calls}


def stacked_threats() -> dict[str, Any]:
    """Return the first player's score as published and as intended, after the moves `STACKED`."""
    from bot.agents.kernels.evaluation import schee_score

    board = Board.from_moves(int(column) - 1 for column in STACKED)
    discs = (board.opponent, board.current) if board.ply % 2 else (board.current, board.opponent)
    published, intended = (int(schee_score(*discs, reading)) for reading in (0, 1))
    return {"published": published, "intended": intended}


def published(board: Board, depth: int) -> tuple[int, int, int]:
    """Return value, column and calls of the last depth of the published program."""
    from bot.agents.papers.van_der_schee import VanDerSchee

    decision = VanDerSchee("published", depth).choose(board, Limit(hard_s=np.inf))
    return int(decision.score or 0), decision.column, decision.nodes or 0


def sound(board: Board, depth: int) -> tuple[dict[int, int], int]:
    """Return each column's minimax value with the published leaf value, and the calls of MTD(f) without the defects."""
    from bot.agents.kernels.rules import COUNTERS, INFINITY, NODES
    from bot.agents.kernels.search import mtdf, search_columns
    from bot.agents.papers.growing_table import entries_needed, new_table
    from bot.agents.papers.van_der_schee import FIRST_GUESS, PUBLISHED

    discs, values, stop = (board.current, board.opponent), np.empty(7, dtype=np.int64), np.zeros(1, dtype=np.uint8)
    search_columns(*discs, depth, INFINITY, 7, PUBLISHED, np.zeros(COUNTERS, dtype=np.int64), stop, values)
    table, guess = new_table(2 * entries_needed(depth)), FIRST_GUESS
    for now in range(1, depth + 1):
        counters = np.zeros(COUNTERS, dtype=np.int64)
        guess, _ = mtdf(*discs, 1, now, guess, PUBLISHED, counters, table, stop)
    return {column: int(values[column]) for column in board.legal_columns()}, int(counters[NODES])
