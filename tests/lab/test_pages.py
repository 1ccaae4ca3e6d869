"""Pages: ratings beside accuracy, printed tables beside ours, evidence, and what was noticed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.lab.experiments.sources import SOURCE, Sources

from bot.errors import UsageError
from bot.lab.experiments.compare import judge
from bot.lab.experiments.frame import Frame, frame_of
from bot.lab.experiments.pages import as_json, page, ratings, write_pages
from bot.lab.experiments.paper import Paper, Run, all_runs, papers
from bot.lab.experiments.plan import rows_of
from bot.lab.experiments.round_robin import agreement, standings
from bot.lab.experiments.run import run_experiment

FIELD = Run(
    title="All against all",
    field=["strong", "middle", "weak"],
    players={"one": "{one}", "other": "{other}"},
    grid={"first": ["one", "other"], "game": 10},
    judged="accuracy",
)
STRENGTH = {"strong": 3, "middle": 2, "weak": 1}


def round_robin() -> Frame:
    """Return games in which the stronger one always wins."""
    rows = list(rows_of(FIELD, quick=False))
    wins = [int(STRENGTH[str(row["one"])] > STRENGTH[str(row["other"])]) for row in rows]
    return frame_of(rows, [{"one.points": each, "other.points": 1 - each} for each in wins])


def accuracy() -> Frame:
    """Return answers that keep the outcome in 90, 80 and 50 of 100 positions."""
    run = Run(title="a", agents={"it": "{agent}"}, grid={"agent": list(STRENGTH), "position": 100}, exact=True)
    rows = list(rows_of(run, quick=False))
    right = {"strong": 90, "middle": 80, "weak": 50}
    kept = [int(int(row["position"]) < right[str(row["agent"])]) for row in rows]
    return frame_of(rows, [{"it.kept": each} for each in kept])


def test_ratings_stand_beside_the_exact_accuracy_of_the_same_agents() -> None:
    found = standings(round_robin(), accuracy())
    assert [each.agent for each in found] == ["strong", "middle", "weak"]
    assert [(each.points, each.games) for each in found] == [(40, 40), (20, 40), (0, 40)]
    assert [each.kept.value for each in found if each.kept] == [0.9, 0.8, 0.5]
    assert found[1].rating.elo == pytest.approx(0, abs=1e-6) and found[0].rating.elo > 200
    assert sum(each.rating.elo for each in found) == pytest.approx(0, abs=1e-6)
    assert agreement(found) == pytest.approx(1)


def test_an_agent_that_was_not_asked_has_a_rating_alone() -> None:
    judged = accuracy().where({"agent": ["strong", "weak"]})
    assert [each.kept is None for each in standings(round_robin(), judged)] == [False, True, False]
    assert agreement(standings(round_robin(), judged)) is None, "two agents always agree"
    table, text = ratings(round_robin(), None)
    assert "| `weak` |" in table and "| 0 of 40 | - |" in table and text == ""


def test_the_page_of_a_source_has_the_ratings_of_its_field() -> None:
    source = Paper(name="toy", source="Toy", cite="nobody", run={"field": FIELD, "accuracy": Run(title="a")})
    parts = page(source, [], {"field": round_robin(), "accuracy": accuracy()}, [])
    assert parts[2] == "## All against all"
    assert "| 20 of 40 | 0.8 (0.711 to 0.867; n = 100, position) |" in parts[3]
    assert parts[4] == "Spearman's correlation of rating and outcome kept: 1.00."


def written(sources: Sources, folder: Path) -> dict[str, object]:
    """Run the toy quickly, write the pages, and return its ledger by id."""
    sources("toy", SOURCE)
    run_experiment("games", folder, quick=True)
    write_pages(folder, ["toy"])
    return {each["id"]: each for each in json.loads((folder / "ledger.json").read_text(encoding="utf-8"))}


def test_the_ledger_has_all_sources_and_a_page_its_own(sources: Sources, tmp_path: Path) -> None:
    ledger = written(sources, tmp_path)
    assert list(ledger) == [statement.id for paper in papers().values() for statement in paper.says]
    assert {path.name for path in tmp_path.glob("*.md")} == {"toy.md", "README.md"}
    index = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| all | " in index and f"| {len(ledger)} |" in index


def test_verdict_and_evidence_come_from_the_same_numbers(sources: Sources, tmp_path: Path) -> None:
    ledger = written(sources, tmp_path)
    wins = ledger["toy-wins"]
    assert isinstance(wins, dict) and wins["verdict"] == "supported" and "stated above 0: as stated" in wins["evidence"]
    assert wins["findings"] == {"holds": 1} and wins["place"] == "1"


def test_a_statement_that_was_not_run_says_what_is_missing(sources: Sources) -> None:
    sources("toy", SOURCE)
    found = judge([papers()["toy"]], {})
    assert as_json(found[0])["evidence"] == "Not run: games." and found[0].verdict == "undecided"


def test_readings_are_counted_in_the_evidence() -> None:
    statement = {"id": "s", "at": "1", "text": "t", "run": "r", "values": ["value"], "above": 0, "readings": ["ties"]}
    source = Paper.model_validate({"name": "toy", "source": "Toy", "cite": "", "says": [statement]})
    ties = np.array(["a", "b", "c"], dtype=object)
    frame = Frame({"ties": ties}, {"n": np.ones(3), "value": np.array([1.0, 2, -1])}, {})
    found = judge([source], {"r": frame})[0]
    assert as_json(found)["evidence"] == "3 of 3 readings (ties): 2 as stated, 1 not as stated."
    assert as_json(found)["findings"] == {"holds": 2, "fails": 1}


def test_what_was_noticed_is_shown_with_its_numbers_and_left_out_without_them() -> None:
    noticed = [
        {"text": "Rows:", "run": "r", "values": ["n"], "each": "ties"},
        {"text": "Nothing:", "run": "r", "values": ["n"], "where": {"ties": "z"}},
        {"text": "Not run:", "run": "other", "values": ["n"]},
        {"text": "Words alone."},
    ]
    source = Paper.model_validate({"name": "toy", "source": "Toy", "cite": "", "noticed": noticed})
    frame = Frame({"ties": np.array(["a", "b", "b"], dtype=object)}, {"n": np.ones(3)}, {})
    assert page(source, [], {"r": frame}, [])[-1] == "- Rows: ties a: 1, ties b: 2.\n- Words alone."


def test_without_results_there_is_no_report(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There are no results"):
        write_pages(tmp_path)


def test_plots_are_drawn_where_their_run_was_made(sources: Sources, tmp_path: Path) -> None:
    plot = """
[[plot]]
title = "Won by game"
kind = "lines"
run = "games"
x = "game"
series = { X = "X.won / n", O = "O.won / n" }

[[plot]]
title = "Won by side"
kind = "lines"
run = "games"
x = "game"
series = { X = "X.won / n" }

[[plot]]
title = "Every reading"
kind = "strip"
table = "games"
y = "moves"
"""
    sources("toy", SOURCE + plot)
    run_experiment("games", tmp_path, quick=True)
    write_pages(tmp_path, ["toy"])
    for number, title in ((1, "Won by game"), (2, "Won by side"), (3, "Every reading")):
        assert title in (tmp_path / f"toy-{number}.svg").read_text(encoding="utf-8")
        assert f"![{title}](toy-{number}.svg)" in (tmp_path / "toy.md").read_text(encoding="utf-8")
    first = (tmp_path / "toy-1.svg").read_bytes()
    write_pages(tmp_path, ["toy"])
    assert first == (tmp_path / "toy-1.svg").read_bytes(), "the same results give the same picture"


def test_without_matplotlib_the_pages_have_no_plots(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    sources("toy", SOURCE + '\n[[plot]]\ntitle = "P"\nkind = "lines"\nrun = "games"\nx = "game"\nseries = {X = "n"}\n')
    run_experiment("games", tmp_path, quick=True)
    write_pages(tmp_path, ["toy"])
    assert "svg" not in (tmp_path / "toy.md").read_text(encoding="utf-8")


def test_every_source_has_a_title_and_every_run_belongs_to_one() -> None:
    assert all(paper.source and paper.cite for paper in papers().values())
    assert all(run.title for run in all_runs().values())
