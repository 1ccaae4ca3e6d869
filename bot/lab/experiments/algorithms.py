"""Search algorithms on equal work: each row is one algorithm in one position of the judge's set.

With the label ``depth`` it searches to that depth; with ``nodes`` it deepens as long as the sum of all
depths stays within that number, at least to depth 1. MTD(f) and aspiration search begin at the value of the depth two
plies before, because values of even and odd depths differ.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import Any

from bot.agents.algorithms.catalogue import Searched, search
from bot.agents.kernels.rules import INFINITY
from bot.engine.agent import StopFlag
from bot.engine.score import sign
from bot.game import Board
from bot.lab.exact import exact_scores
from bot.lab.experiments.play import Result, Row


def perform(task: dict[str, Any], _stop: StopFlag) -> list[Result]:
    """Perform the rows of a task."""
    return [_perform(row) for row in task["rows"]]


def _perform(row: Row) -> Result:
    name, moves = str(row["algorithm"]), str(row["position"])
    board, scores = Board.from_moves(map(int, moves)), exact_scores(moves)
    known = [score for score in scores if score is not None]
    if "depth" in row:
        depth = int(row["depth"])
        found = _search(name, moves, depth)
    else:
        depth, found = _within(name, board, moves, int(row["nodes"]))
    best = sign(max(known))
    kept, decisive = sign(scores[found.column] or 0) == best, sign(min(known)) < best
    return {**asdict(found), "reached": depth, "kept": int(kept), "decisive": int(decisive)}


@lru_cache(maxsize=1024)
def _search(name: str, moves: str, depth: int) -> Searched:
    guess = _search("alpha-beta + table", moves, depth - 2).value if depth > 2 else 0
    return search(name, Board.from_moves(map(int, moves)), depth, guess)


def _within(name: str, board: Board, moves: str, budget: int) -> tuple[int, Searched]:
    """Return the last depth that the budget pays for, and its search."""
    found, spent = _search(name, moves, 1), 0
    reached = 1
    for depth in range(1, 43 - board.ply):
        deeper = _search(name, moves, depth)
        spent += deeper.nodes
        if spent > budget and depth > 1:
            break
        reached, found = depth, deeper
        if abs(_search("alpha-beta + table", moves, depth).value) >= INFINITY:
            break
    return reached, found
