"""The committed results: quick runs of the publications' experiments find the same, with the work of before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import bot.lab
from bot.agents.algorithms.catalogue import ALGORITHMS, search
from bot.engine.agent import Stop
from bot.engine.score import sign
from bot.lab.experiments.algorithms import perform
from bot.lab.experiments.compare import judge
from bot.lab.experiments.paper import all_runs, papers
from bot.lab.experiments.run import run_experiment, saved
from bot.lab.judge.leaderboard import field
from bot.lab.positions import read_positions

RESULTS = Path(bot.lab.__file__).parent / "results"
COMMITTED = {entry["id"]: entry["verdict"] for entry in json.loads((RESULTS / "ledger.json").read_text())}
QUICK: dict[str, tuple[int, str]] = {
    "edap01-ends": (20, "edap01-search"),
    "edap01-orders": (178_152, "edap01-order-matters edap01-order-helps edap01-limit"),
    "kang-moves": (3_195_184, "kang-early kang-pruning kang-neither-alone"),
    "kang-figures": (4_291_044, "kang-nodes-fall kang-nodes-time"),
    "vds-search": (289_867, "vds-value vds-column vds-pruning"),
    "vds-games": (254_073, ""),
    "tommy-orders": (415_614, "tommy-weights tommy-order-saves"),
    "halim-pruning": (19_145, "halim-pruning"),
    "halim-random": (44_093, "halim-ties"),
    "algorithms": (88_980, "edap01-pruning"),
}
"""Of quick runs the nodes of all searches, and the statements that they decide as the whole runs do."""


@pytest.mark.parametrize("name", QUICK)
def test_a_quick_run_repeats_the_work_and_the_verdicts_of_the_committed_results(name: str, tmp_path: Path) -> None:
    nodes, statements = QUICK[name]
    run_experiment(name, tmp_path, quick=True)
    frame = saved(name, tmp_path)
    assert frame is not None
    assert sum(column.sum() for label, column in frame.numbers.items() if label.endswith("nodes")) == nodes
    found = {each.statement.id: each.verdict for each in judge(list(papers().values()), {name: frame})}
    assert [found[each] for each in statements.split()] == [COMMITTED[each] for each in statements.split()]


def test_without_runs_exact_scores_and_printed_tables_decide_as_committed() -> None:
    judged = judge(list(papers().values()), {})
    assert [each.statement.id for each in judged] == list(COMMITTED)
    for each in judged:
        assert each.paper.cite and each.statement.at and each.statement.text
        assert each.verdict == ("undecided" if each.missing else COMMITTED[each.statement.id]), each.statement.id
    assert all(run.title for run in all_runs().values())


def test_the_leaderboard_has_the_whole_field_the_best_first() -> None:
    results = json.loads((RESULTS / "judge.json").read_text())
    decisive = {each["agent"]: each["decisive"]["value"] for each in results}
    assert decisive.keys() == {*field()} and [*decisive.values()] == sorted(decisive.values(), reverse=True)
    assert decisive["perfect"] == 1 and decisive["random"] < decisive["tommy-ab:4"]


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
