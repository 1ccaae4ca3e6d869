"""Algorithms on equal work: to a depth, and within a number of nodes."""

from __future__ import annotations

from typing import Any

from bot.agents.algorithms.catalogue import ALGORITHMS, search
from bot.engine.agent import Stop
from bot.engine.score import sign
from bot.lab.experiments.algorithms import perform
from bot.lab.positions import read_positions

POSITIONS = [position for position in read_positions() if position.ply in (12, 20)][::30]


def results(**row: Any) -> list[dict[str, Any]]:
    """Return the results of one algorithm in all positions."""
    rows = [{**row, "position": "".join(map(str, position.columns))} for position in POSITIONS]
    return perform({"rows": rows}, Stop())


def test_a_search_to_a_depth_counts_what_the_algorithm_counts() -> None:
    for algorithm in ALGORITHMS:
        for position, found in zip(POSITIONS, results(algorithm=algorithm, depth=2), strict=True):
            alone = search(algorithm, position.board, 2)
            assert (found["leaves"], found["nodes"], found["reached"]) == (alone.leaves, alone.nodes, 2)
            kept = sign(position.scores[alone.column] or 0) == sign(position.best)
            assert (found["kept"], found["decisive"]) == (kept, sign(position.worst) < sign(position.best))


def test_a_budget_pays_for_all_depths_together_and_at_least_for_one_ply() -> None:
    to_depth = [results(algorithm="minimax", depth=depth)[0]["nodes"] for depth in range(1, 5)]
    for reached in (1, 2, 3):
        spent = sum(to_depth[:reached])
        found = [results(algorithm="minimax", nodes=nodes)[0]["reached"] for nodes in (spent, spent - 1)]
        assert found == [reached, max(1, reached - 1)]
