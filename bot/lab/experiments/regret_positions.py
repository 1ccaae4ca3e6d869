"""The positions of reference games: exact scores of all columns, and the column that each agent chooses.

The papers' agents play reference games from random openings. In each position from ply 8 on, the solver scores all
columns and every agent chooses one.
"""

from __future__ import annotations

import random
from typing import Any

from bot.game import Board
from bot.lab.arena.games import UNLIMITED, Pairing, play_pairing, ready_agent
from bot.lab.arena.openings import random_opening
from bot.lab.experiments.base import Task

FAMILIES = (
    "tommy-ab",
    "vds",
    "vds-intended",
    "halim",
    "kang-h1",
    "kang-h2",
    "edap01",
    "edap01-intended",
    "rmarcus",
)
PLAYERS = ("tommy-ab:4", "vds-intended:4", "halim:4", "kang-h1:4", "kang-h2:4", "edap01-intended:5", "rmarcus:5")
"""Agents of the reference games."""
FIRST_PLY, QUICK_FIRST_PLY = 8, 16
GAMES = 9
OPENING = 6
"""Random plies before a reference game."""


def tasks(quick: bool, seed: int) -> list[Task]:
    """Return one task for each reference game."""
    depths, first_ply, games = ([2, 4, 6], QUICK_FIRST_PLY, 6) if quick else (list(range(1, 9)), FIRST_PLY, GAMES)
    return [{"game": game, "depths": depths, "first_ply": first_ply, "seed": seed} for game in range(games)]


def reference_game(seed: str) -> tuple[int, ...]:
    """Return the moves (columns 0..6) of a game of two of the papers' agents after six random plies."""
    names = random.Random(f"players/{seed}").sample(PLAYERS, 2)
    return play_pairing(Pairing(names[0], names[1], seed, random_opening(OPENING, seed))).moves


def work(task: Task) -> dict[str, Any]:
    """Return the exact scores, and each agent's column and time, in the positions of one game."""
    from bot.engine.solver import Solver

    solver = Solver()
    seed = f"{task['seed']}/{task['game']}"
    moves = reference_game(seed)
    names = ["random", *(f"{family}:{depth}" for family in FAMILIES for depth in task["depths"])]
    positions = []
    for ply in range(task["first_ply"], len(moves)):
        board = Board.from_moves(moves[:ply])
        decisions = {name: ready_agent(name, ply).choose(board, UNLIMITED) for name in names}
        positions.append(
            {
                "ply": ply,
                "scores": solver.column_scores(board),
                "picks": {name: decision.column for name, decision in decisions.items()},
                "nodes": {name: decision.nodes for name, decision in decisions.items()},
                "seconds": {name: round(decision.seconds, 7) for name, decision in decisions.items()},
            }
        )
    return {"moves": "".join(map(str, moves)), "positions": positions}
