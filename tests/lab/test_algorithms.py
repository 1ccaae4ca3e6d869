"""Algorithms on equal work: to a depth, and within a number of nodes or leaves."""

from __future__ import annotations

from typing import Any

import pytest

from bot.agents.algorithms.catalogue import ALGORITHMS, search
from bot.agents.kernels.rules import INFINITY
from bot.engine.agent import Stop
from bot.engine.score import sign
from bot.game import Board
from bot.lab.experiments.algorithms import perform
from bot.lab.experiments.paper import all_runs
from bot.lab.experiments.plan import Row, rows_of
from bot.lab.positions import read_positions

POSITIONS = [position for position in read_positions() if position.ply in (12, 20)][::30]


def result(**row: Any) -> dict[str, Any]:
    return perform({"rows": [row]}, Stop())[0]


def text(columns: tuple[int, ...]) -> str:
    return "".join(map(str, columns))


@pytest.mark.parametrize("algorithm", list(ALGORITHMS))
def test_a_search_to_a_depth_counts_what_the_algorithm_counts(algorithm: str) -> None:
    for position in POSITIONS:
        found = result(algorithm=algorithm, depth=2, position=text(position.columns))
        alone = search(algorithm, position.board, 2)
        assert (found["leaves"], found["nodes"], found["reached"]) == (alone.leaves, alone.nodes, 2)
        kept = sign(position.scores[alone.column] or 0) == sign(position.best)
        assert (found["kept"], found["decisive"]) == (kept, sign(position.worst) < sign(position.best))


@pytest.mark.parametrize("algorithm", ["minimax", "alpha-beta", "MTD(f)"])
def test_a_budget_pays_for_all_depths_together_and_for_no_further_one(algorithm: str) -> None:
    for position in POSITIONS:
        reached = result(algorithm=algorithm, nodes=3000, position=text(position.columns))["reached"]
        spent = [
            result(algorithm=algorithm, depth=depth, position=text(position.columns))["nodes"]
            for depth in range(1, reached + 2)
        ]
        is_decided = abs(search(algorithm, position.board, reached).value) >= INFINITY
        assert sum(spent[:-1]) <= 3000 and (sum(spent) > 3000 or is_decided)


def test_more_work_reaches_deeper_and_less_than_a_ply_still_moves() -> None:
    moves = text(POSITIONS[0].columns)
    reached = [result(algorithm="alpha-beta", nodes=nodes, position=moves)["reached"] for nodes in (1, 1000, 10_000)]
    assert reached[0] == 1 and reached[0] < reached[1] < reached[2]


def test_every_row_of_the_joint_runs_names_an_algorithm_that_exists() -> None:
    for name in ("algorithms", "algorithms-nodes"):
        rows: list[Row] = list(rows_of(all_runs()[name], quick=False))
        assert {row["algorithm"] for row in rows} <= ALGORITHMS.keys()
        assert not Board.from_moves(map(int, str(rows[0]["position"]))).is_over
