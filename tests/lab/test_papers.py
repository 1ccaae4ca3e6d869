"""The committed results: quick runs of the publications' experiments find the same, with the work of before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bot.lab
from bot.lab.experiments.compare import judge
from bot.lab.experiments.paper import all_runs, papers
from bot.lab.experiments.run import run_experiment, saved
from bot.lab.judge.leaderboard import field

RESULTS = Path(bot.lab.__file__).parent / "results"
COMMITTED = {entry["id"]: entry["verdict"] for entry in json.loads((RESULTS / "ledger.json").read_text())}
WORK = ("nodes", "kept", "decisive", "reached")
QUICK: dict[str, tuple[int, str]] = {
    "edap01-ends": (20, "edap01-search"),
    "edap01-orders": (178_224, "edap01-order-matters edap01-order-helps edap01-limit"),
    "kang-moves": (3_195_289, "kang-early kang-pruning kang-neither-alone"),
    "kang-figures": (4_291_044, "kang-nodes-fall kang-nodes-time"),
    "vds-search": (290_157, "vds-value vds-column vds-pruning"),
    "vds-games": (254_073, ""),
    "tommy-orders": (415_614, "tommy-weights tommy-order-saves"),
    "halim-pruning": (19_145, "halim-pruning"),
    "halim-random": (44_093, "halim-ties"),
    "algorithms-nodes": (38_310, ""),
    "algorithms": (90_636, "edap01-pruning"),
}
"""Of quick runs the sum of WORK over all rows, and the statements that they decide as the whole runs do."""


@pytest.mark.parametrize("name", QUICK)
def test_a_quick_run_repeats_the_work_and_the_verdicts_of_the_committed_results(name: str, tmp_path: Path) -> None:
    work, statements = QUICK[name]
    run_experiment(name, tmp_path, quick=True)
    frame = saved(name, tmp_path)
    assert frame is not None
    assert sum(column.sum() for label, column in frame.numbers.items() if label.endswith(WORK)) == work
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
