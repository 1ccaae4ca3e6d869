"""Experiments: measurements, resuming after a kill, and the files they write."""

from __future__ import annotations

import csv
import json
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from bot.lab.experiments.base import Cell, Results, Task
from bot.lab.experiments.catalogue import EXPERIMENTS, find
from bot.lab.experiments.ledger.catalogue import CLAIMS
from bot.lab.experiments.manifest import SUFFIX, read_manifest, without_times
from bot.lab.experiments.records import play
from bot.lab.experiments.runner import run_experiment
from bot.lab.experiments.store import Store, fingerprint, key_of, load

from bot.cli.app import run
from bot.errors import ExitCode
from bot.game import Board
from bot.lab.experiments import (
    defects_positions,
    halim,
    kang,
    ordering,
    regret,
    regret_positions,
    runner,
    streak,
    tommy,
    tommy_openings,
)


def results_of(tasks: list[Task], work: Any) -> Results:
    return [(task, json.loads(json.dumps(work(task)))) for task in tasks]


def test_tommys_table_agrees_in_every_count_and_result() -> None:
    results = results_of(tommy.tasks(True, 0), play)
    counted = [cell for cell in tommy.cells(results) if cell.column in ("leaves X", "leaves O", "passes", "results")]
    assert len(counted) == 24
    assert all(cell.difference in (0, "equal") for cell in counted)
    fewer = {cell.row: cell.measured for cell in tommy.cells(results) if cell.column == "O fewer leaves by (%)"}
    assert fewer["depth 10"] == 90.23


def test_only_the_fixed_list_of_columns_gives_the_published_leaves() -> None:
    assert ordering.mean_leaves(5, ordering.by_list) == 12242.0
    assert ordering.mean_leaves(5, ordering.by_weight) < 0.9 * 12242
    assert list(ordering.by_weight(Board.from_moves([4]))) == [4, 3, 2, 5, 1, 6, 0]


@pytest.mark.slow
def test_halims_recommended_reading_has_the_totals_of_the_reading_notes() -> None:
    recommended = [task for task in halim.tasks(True, 0) if task["option"] == halim.RECOMMENDED]
    totals = halim.totals(halim.table(results_of(recommended, play)))
    assert (totals["wins"], totals["losses"], totals["draws"]) == (37, 15, 12)
    assert round(totals["mean plies of a win"], 2) == 23.49
    assert round(totals["mean plies of a loss"], 2) == 26.00
    assert [totals[f"wins at depth {depth}"] for depth in range(1, 9)] == [0, 2, 5, 7, 5, 5, 6, 7]


def test_halims_outcomes_are_those_of_the_system() -> None:
    assert halim.outcome("0102030") == "W7" and halim.outcome("60102030") == "L8"
    assert halim.outcome("0102030", second=True) == "L7" and halim.outcome("60102030", second=True) == "W8"


def test_halims_published_totals() -> None:
    totals = halim.totals(halim.published())
    assert (totals["wins"], totals["losses"], totals["draws"]) == (36, 23, 5)
    assert round(totals["mean plies of a win"], 2) == 23.89
    assert round(totals["mean plies of a loss"], 2) == 32.43 != halim.PUBLISHED_LOSS_MEAN
    assert [totals[f"wins at depth {depth}"] for depth in range(1, 9)] == [1, 3, 1, 4, 5, 8, 7, 7]


def test_kangs_games_are_counted_by_starting_player_and_repeated_ones_once() -> None:
    task = next(task for task in kang.TABLE_9.tasks(True, 1) if task["cell"] == "depth 2")
    result = play(task)
    assert [game["first"] for game in task["games"]] == [task["games"][number % 2]["first"] for number in range(4)]
    assert len({game["first"] for game in task["games"]}) == 2
    doubled = [(task, result), (task, result)]
    once, twice = (kang.record(results, "depth 2") for results in ([(task, result)], doubled))
    assert once.games == 4 and twice.games == 8 and once.score == twice.score
    assert kang.sample_size([(task, result)], "depth 2") == kang.sample_size(doubled, "depth 2") <= 4
    parts = [kang.record(doubled, "depth 2", part) for part in ("started", "replied")]
    assert sum(part.won for part in parts) == twice.won and [part.games for part in parts] == [4, 4]
    assert kang.basis(doubled, "depth 2") == f"{kang.sample_size(doubled, 'depth 2')} different of 8 games"
    first = next(task for task in kang.TABLE_6.tasks(True, 1) if task["cell"] == "4-2")
    assert {(game["first"], game["second"]) for game in first["games"]} == {
        ("kang-h1:4,random=3", "kang-h1:2,random=3")
    }


def test_kangs_cells_cover_the_published_tables() -> None:
    orders = len(kang.TIES)
    counts = {6: 32, 7: 4 * orders, 8: 3 * orders, 9: 8}
    for number, count in counts.items():
        experiment = EXPERIMENTS[f"kang-table{number}"]
        tasks = experiment.tasks(True, 0)
        game = {"moves": "33", "opening": 0, "result": 1.0, "seconds": [1, 1]}
        results = [(task, {"games": [game] * len(task["games"])}) for task in tasks]
        assert sum(cell.published is not None for cell in experiment.cells(results)) == count
        games = dict.fromkeys((task["cell"] for task in experiment.tasks(False, 0)), 0)
        for task in experiment.tasks(False, 0):
            games[task["cell"]] += len(task["games"])
        assert set(games.values()) == {kang.GAMES_6 if number == 6 else kang.GAMES}


def test_a_streak_counts_games_without_a_loss_and_repeated_games_once() -> None:
    games = [streak.Game(points, True, str(points), []) for points in (1, 0.5, 0, 1, 1, 1, 0, 0.5)]
    assert streak.longest_streak(games) == 3
    assert streak.longest_streak(games[2:3]) == 0
    assert (streak.first_streak(games), streak.first_streak(games[3:])) == (2, 3)
    assert (streak.kept(games).size, streak.kept(games).value) == (3, 0.75)


def test_the_published_search_has_wrong_values_and_more_calls_than_the_sound_one() -> None:
    task = {"kind": "values", "depth": 4, "number": 0, "seed": 0}
    block = defects_positions.work(task)
    assert 0 < block["wrong"] < defects_positions.BLOCK
    assert block["calls"] > block["sound_calls"]
    assert defects_positions.work({**task, "depth": 1})["wrong"] == 0


def test_what_a_column_gives_away() -> None:
    scores = [3, None, 0, -2, 5, 1, -7]
    assert [regret.score_lost(scores, column) for column in (4, 0, 6)] == [0, 2, 12]
    assert [regret.points_lost(scores, column) for column in (4, 0, 2, 6)] == [0, 0, 0.5, 1]
    assert regret.points_lost([-3, -1, -2, -5, -3, -3, -3], 3) == 0, "a lost position cannot be lost again"


def test_regret_judges_every_agent_in_every_position_of_a_game() -> None:
    task = {"game": 1, "depths": [2, 4], "first_ply": 24, "seed": 0}
    results = results_of([task], regret_positions.work)
    moves, positions = results[0][1]["moves"], results[0][1]["positions"]
    assert [position["ply"] for position in positions] == list(range(24, len(moves)))
    for position in positions:
        assert len(position["picks"]) == len(position["seconds"]) == 1 + 2 * len(regret_positions.FAMILIES)
        assert all(position["scores"][column] is not None for column in position["picks"].values())
    best = max(score for score in positions[-1]["scores"] if score is not None)
    assert best == positions[-1]["scores"][int(moves[-1])] or best > 0


def test_an_interrupted_run_is_resumed_after_its_last_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    performed: list[Task] = []
    perform = runner.perform

    def interrupted(named: tuple[str, Task]) -> Any:
        if len(performed) == 5:
            raise KeyboardInterrupt
        performed.append(named[1])
        return perform(named)

    monkeypatch.setattr(runner, "perform", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_experiment("tommy-table1", tmp_path, quick=True)
    with (tmp_path / "tommy-table1.jsonl").open("a") as file:
        file.write('{"key": "cut sho')
    first = list(performed)
    performed.clear()
    performed.extend([{}] * 6)
    run_experiment("tommy-table1", tmp_path, quick=True)
    again = performed[6:]
    assert len(first) == 5
    assert first + again == tommy.tasks(True, 0)
    rows = list(csv.DictReader((tmp_path / "tommy-table1.csv").open()))
    assert len(rows) == 48
    assert rows[3] == {
        "row": "depth 5",
        "column": "leaves X",
        "published": "12242",
        "goal": "",
        "measured": "12242",
        "difference": "0",
        "low": "",
        "high": "",
        "basis": "counted exactly",
    }


def test_results_of_other_sources_are_not_used(tmp_path: Path) -> None:
    path = tmp_path / "pieces.jsonl"
    task = {"depth": 5}
    with Store(path, fingerprint="one", seed=0, quick=True) as store:
        store.save(task, {"leaves": 1}, 0.5)
    with Store(path, fingerprint="one", seed=0, quick=True) as store:
        assert store.result(task) == {"leaves": 1}
        assert store.seconds(task) == 0.5
    assert load(path)[1].keys() == {key_of(task)}
    with Store(path, fingerprint="other", seed=0, quick=True) as store:
        assert store.result(task) is None


def test_the_fingerprint_is_that_of_the_agents_and_of_the_experiments_own_module(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = {name: fingerprint(experiment) for name, experiment in EXPERIMENTS.items()}
    read_bytes = Path.read_bytes

    def change(name: str) -> None:
        monkeypatch.setattr(Path, "read_bytes", lambda path: read_bytes(path) + (b"#" if path.name == name else b""))

    def changed() -> set[str]:
        return {name for name, experiment in EXPERIMENTS.items() if fingerprint(experiment) != before[name]}

    change("defects_positions.py")
    assert changed() == {"vds-defects"}
    change("defects.py")
    assert changed() == set(), "the code that only tabulates results"
    change("search.py")
    assert changed() == set(EXPERIMENTS)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"[]\n", b"\xff\xfe\n{}", b'{"seed": 0}\n'])
def test_a_foreign_file_holds_no_results(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "pieces.jsonl").write_bytes(content)
    assert load(tmp_path / "pieces.jsonl") == ({}, {})


def test_tasks_of_damaged_lines_are_performed_again(tmp_path: Path) -> None:
    path = tmp_path / "pieces.jsonl"
    with Store(path, fingerprint="one", seed=0, quick=True) as store:
        for depth in range(3):
            store.save({"depth": depth}, {"leaves": depth}, 0.5)
    lines = path.read_bytes().split(b"\n")
    lines[2] = b"\x00\x00" + lines[2][:9]
    path.write_bytes(b"\n".join(lines))
    with Store(path, fingerprint="one", seed=0, quick=True) as store:
        assert [store.result({"depth": depth}) for depth in range(3)] == [{"leaves": 0}, None, {"leaves": 2}]


@pytest.mark.parametrize("below", ["", "deeper"])
def test_a_folder_that_cannot_be_written_is_named_in_the_message(
    below: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no folder")
    out = str(tmp_path / "file" / below)
    assert run(["experiment", "run", "kang-table8", "--quick", "--out", out]) == ExitCode.USAGE
    assert "cannot be written" in capsys.readouterr().err.splitlines()[-1]


def test_a_cell_knows_its_difference() -> None:
    assert Cell("a", "b", 3, 5).difference == 2
    assert Cell("a", "b", "W7", "W7").difference == "equal"
    assert Cell("a", "b", "W7", "L8").difference == "differs"
    assert Cell("a", "b", None, 5).difference is None


@pytest.mark.parametrize("name", ["kang-table7", "kang-figures"])
def test_a_run_writes_table_csv_and_plots(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["experiment", "run", name, "--quick", "--out", str(tmp_path)]) == ExitCode.DONE
    assert f"{name}.md" in capsys.readouterr().out
    page = (tmp_path / f"{name}.md").read_text()
    assert "| published | measured | goal | 95 % interval | basis |" in page
    assert "seed 0" in page and "numba" in page
    assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / f"{name}.svg").read_text()
    report = (tmp_path / "report.md").read_text()
    assert "32.43" in report and f"![{EXPERIMENTS[name].title}]({name}.svg)" in report
    (tmp_path / f"{name}.md").unlink()
    assert run(["experiment", "report", "--out", str(tmp_path)]) == ExitCode.DONE
    assert (tmp_path / f"{name}.md").read_text() == page, "one command writes all pages anew"
    assert (tmp_path / "report.md").read_text() == report


def test_without_matplotlib_everything_but_the_plot_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert run(["experiment", "run", "kang-table8", "--quick", "--out", str(tmp_path)]) == ExitCode.DONE
    assert ".[plot]" in capsys.readouterr().err
    assert (tmp_path / "kang-table8.csv").exists() and not (tmp_path / "kang-table8.png").exists()
    assert "kang-table8.svg" not in (tmp_path / "kang-table8.md").read_text()


def test_the_list_names_all_experiments_and_other_names_are_rejected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["experiment", "run"])
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == list(EXPERIMENTS)
    assert run(["experiment", "run", "nothing", "--out", str(tmp_path)]) == ExitCode.USAGE
    assert run(["experiment", "report", "--out", str(tmp_path)]) == ExitCode.USAGE


def test_names_of_the_first_edition_still_find_their_experiment() -> None:
    assert find("vds-slips") is EXPERIMENTS["vds-defects"]


def test_the_committed_results_are_complete_and_match_the_published_tables() -> None:
    folder = Path(runner.__file__).parents[1] / "results"
    report = (folder / "report.md").read_text(encoding="utf-8")
    for name, experiment in EXPERIMENTS.items():
        assert (folder / f"{name}.csv").exists() and (folder / f"{name}.svg").exists()
        assert f"## {experiment.title}" in report and f"({name}.svg)" in report
        assert read_manifest(folder / f"{name}{SUFFIX}")["quick"] is False
    assert "not run" not in report
    judged = {entry["key"]: entry for entry in json.loads((folder / "ledger.json").read_text(encoding="utf-8"))}
    for claim in CLAIMS:
        assert (judged[claim.key]["statement"], judged[claim.key]["test"]) == (claim.says, claim.test)
        assert f"| {claim.says} |" in report
    assert sum(path.stat().st_size for path in folder.iterdir()) < 4_500_000
    with (folder / "tommy-table1.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["column"] in tommy.COUNTED]
    published = [str(value) for row in tommy.PUBLISHED.values() for value in (*row[3:5], *row[6:])]
    assert [row["published"] for row in rows] == [row["measured"] for row in rows] == published
    with (folder / "halim-table1.csv").open() as file:
        games = [row["published"] for row in csv.DictReader(file)][:64]
    assert games == list(halim.published().values())


def test_tommys_games_in_processor_time_are_those_of_any_other_run() -> None:
    task = tommy.tasks(True, 0)[0]
    timed, other = tommy.TABLE_1.work(task), play(task)
    assert without_times(timed) == without_times(other)
    assert all(second > 0 for second in timed["games"][0]["seconds"])


def test_the_openings_are_all_positions_after_four_plies_without_mirror_images() -> None:
    """Counted again from sets of discs."""

    def discs(columns: tuple[int, ...]) -> tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]:
        sides: tuple[set[tuple[int, int]], set[tuple[int, int]]] = (set(), set())
        for ply, column in enumerate(columns):
            sides[ply % 2].add((column, sum(earlier == column for earlier in columns[:ply])))
        return frozenset(sides[0]), frozenset(sides[1])

    def mirrored(side: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        return frozenset((6 - column, row) for column, row in side)

    positions = {discs(columns) for columns in product(range(7), repeat=4)}
    classes = {frozenset({sides, (mirrored(sides[0]), mirrored(sides[1]))}) for sides in positions}
    found = [discs(columns) for columns in tommy_openings.all_openings()]
    assert {frozenset({sides, (mirrored(sides[0]), mirrored(sides[1]))}) for sides in found} == classes
    assert len(found) == len(classes) == 568
