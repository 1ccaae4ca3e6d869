"""Search algorithms on equal work: each row is one algorithm in one position of the judge's set.

With the label ``depth`` it searches to that depth; with ``nodes`` or ``leaves`` it deepens as long as the sum of all
depths stays within that number, at least to depth 1; with ``proof`` it proves the outcome. MTD(f), aspiration search
and best node search begin at the value of the depth two plies before, because values of even and odd depths differ.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from bot.agents.algorithms.catalogue import HEURISTIC, OUTCOME, Searched, proven_outcome, search
from bot.agents.kernels.rules import INFINITY
from bot.engine.agent import Stop
from bot.engine.score import sign
from bot.game import Board
from bot.lab.arena.ctrl_c import stop_on_interrupt
from bot.lab.experiments.ask_exact import exact_scores
from bot.lab.experiments.play import Result, Row

PROVER = "df-pn"


def perform(task: dict[str, Any]) -> list[Result]:
    """Perform the rows of a task."""
    with stop_on_interrupt() as stop:
        return [_perform(row, stop) for row in task["rows"]]


def _perform(row: Row, stop: Stop) -> Result:
    name, moves = str(row["algorithm"]), str(row["position"])
    board, scores = Board.from_moves(map(int, moves)), exact_scores(moves)
    best = max(score for score in scores if score is not None)
    if "proof" in row:
        return _proof(name, board, best, stop)
    if "depth" in row:
        depth = int(row["depth"])
        found = _search(name, moves, depth)
    else:
        work = "nodes" if "nodes" in row else "leaves"
        depth, found = _within(name, board, moves, work, int(row[work]))
    kept = sign(scores[found.column] or 0) == sign(best)
    worst = min(score for score in scores if score is not None)
    return {**_counts(found), "reached": depth, "kept": int(kept), "decisive": int(sign(worst) < sign(best))}


def _counts(found: Searched) -> dict[str, Any]:
    return {name: getattr(found, name) for name in ("leaves", "nodes", "passes", "seconds")}


@lru_cache(maxsize=1024)
def _search(name: str, moves: str, depth: int) -> Searched:
    guess = _search("alpha-beta + table", moves, depth - 2).value if depth > 2 else 0
    return search(name, Board.from_moves(map(int, moves)), depth, guess=guess or 0, program=HEURISTIC)


def _within(name: str, board: Board, moves: str, work: str, budget: int) -> tuple[int, Searched]:
    """Return the last depth that the budget pays for, and its search."""
    found, spent = _search(name, moves, 1), 0
    reached = 1
    for depth in range(1, 43 - board.ply):
        deeper = _search(name, moves, depth)
        spent += getattr(deeper, work)
        if spent > budget and depth > 1:
            break
        reached, found = depth, deeper
        if abs(_search("alpha-beta + table", moves, depth).value or 0) >= INFINITY:
            break
    return reached, found


def _proof(name: str, board: Board, best: int, stop: Stop) -> Result:
    """Prove the outcome; ``proven`` is 0 where the prover's table was too small."""
    if name == PROVER:
        found = proven_outcome(board, stop=stop)
    else:
        found = search(name, board, 42 - board.ply, program=OUTCOME, stop=stop)
    if found is None:
        return {"leaves": 0, "nodes": 0, "passes": 0, "seconds": 0.0, "proven": 0}
    assert found.value in (None, sign(best)), f"{name} contradicts the exact solver."
    return {**_counts(found), "proven": 1}
