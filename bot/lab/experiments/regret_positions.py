"""The positions of reference games: exact scores of all columns, and the column that each agent chooses.

The papers' agents play reference games from random openings. In each position from ply 8 on, the solver scores all
columns and every agent chooses one.
"""

from __future__ import annotations

import random
from typing import Any

from bot.agents.games import UNLIMITED, ready_agent
from bot.engine.agent import Decision
from bot.game import Board
from bot.lab.arena.games import Pairing, play_pairing
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
GAMES = 24
"""Reference games."""
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


def _decisions(board: Board, seed: int, depths: list[int]) -> dict[str, Decision]:
    """Return every agent's decision in one position.

    The first search of a family is repeated and not counted: it pays for loading the family's code and data, so that
    depth 1 would seem slower than depth 2.
    """
    decisions = {"random": ready_agent("random", seed).choose(board, UNLIMITED)}
    for family in FAMILIES:
        ready_agent(f"{family}:1", seed).choose(board, UNLIMITED)
        for depth in depths:
            decisions[f"{family}:{depth}"] = ready_agent(f"{family}:{depth}", seed).choose(board, UNLIMITED)
    return decisions


def work(task: Task) -> dict[str, Any]:
    """Return the exact scores, and each agent's column and time, in the positions of one game."""
    from bot.engine.solver import Solver

    solver = Solver()
    seed = f"{task['seed']}/{task['game']}"
    moves = reference_game(seed)
    positions = []
    for ply in range(task["first_ply"], len(moves)):
        board = Board.from_moves(moves[:ply])
        decisions = _decisions(board, ply, task["depths"])
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
