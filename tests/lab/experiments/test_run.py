"""Runs: what is saved is not performed again, a repetition is equal, and an edit invalidates what it decides."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.agents.catalogue import make_agent
from bot.agents.games import play_game
from bot.errors import UsageError
from bot.lab.experiments import run as machine
from bot.lab.experiments.paper import Run, all_runs
from bot.lab.experiments.plan import Task, agents_of, modules_of, pieces, rows_of, tasks_of
from bot.lab.experiments.run import (
    digest,
    key_of,
    read_manifests,
    rerun,
    run_experiment,
    saved,
    without_times,
)
from bot.lab.sources import fingerprint_in, texts
from tests.lab.experiments.sources import SOURCE, Sources

Performed = list[Task]


@pytest.fixture
def performed(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> Performed:
    """Write the toy source, and list the tasks that are performed."""
    sources("toy", SOURCE)
    listed: Performed = []
    perform = machine.perform

    def listing(task: Task) -> dict[str, Any]:
        listed.append(task)
        return perform(task)

    monkeypatch.setattr(machine, "perform", listing)
    return listed


def stopping(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Let the run be interrupted after some tasks."""
    perform, count = machine.perform, 0

    def killed(task: Task) -> dict[str, Any]:
        nonlocal count
        count += 1
        if count > after:
            raise KeyboardInterrupt
        return perform(task)

    monkeypatch.setattr(machine, "perform", killed)


def test_an_interrupted_run_performs_only_what_is_missing(
    performed: Performed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        stopping(patched, after=2)
        with pytest.raises(KeyboardInterrupt):
            run_experiment("games", tmp_path)
    assert saved("games", tmp_path) is None, "a run that is not complete has no results"
    with (tmp_path / "games.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"key": "cut off in the midd')
    tasks = tasks_of("games", all_runs()["games"], quick=False, seed=0)
    assert len(performed) == 2 and len(tasks) == 4
    run_experiment("games", tmp_path)
    assert performed == tasks, "each task once"
    frame = saved("games", tmp_path)
    assert frame is not None and frame.size == 100
    run_experiment("games", tmp_path)
    assert len(performed) == 4
    fresh = tmp_path / "fresh"
    run_experiment("games", fresh)
    assert read_manifests(fresh)["games"]["digest"] == read_manifests(tmp_path)["games"]["digest"]


def test_progress_counts_tasks_and_begins_with_those_that_are_saved(performed: Performed, tmp_path: Path) -> None:
    assert performed == []
    seen: list[tuple[int, int]] = []
    run_experiment("games", tmp_path, quick=True, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(0, 1), (1, 1)]
    run_experiment("games", tmp_path, quick=True, progress=lambda done, total: seen.append((done, total)))
    assert seen[2:] == [(1, 1)]


def test_workers_play_the_same_games(sources: Sources, tmp_path: Path) -> None:
    sources("toy", SOURCE)
    run_experiment("games", tmp_path / "one")
    run_experiment("games", tmp_path / "two", workers=2)
    one, two = (read_manifests(tmp_path / name)["games"] for name in ("one", "two"))
    assert one["digest"] == two["digest"] and one["tasks"] == 4


def test_quick_runs_and_other_seeds_are_other_results(performed: Performed, tmp_path: Path) -> None:
    run_experiment("games", tmp_path, quick=True)
    one = read_manifests(tmp_path)["games"]
    assert one["quick"] and one["command"] == "bot experiment run games --quick" and len(performed) == 1
    run_experiment("games", tmp_path, quick=True, seed=1)
    assert read_manifests(tmp_path)["games"]["digest"] != one["digest"] and len(performed) == 2
    run_experiment("games", tmp_path, quick=True)
    assert read_manifests(tmp_path)["games"]["digest"] == one["digest"] and len(performed) == 2
    run_experiment("games", tmp_path)
    frame = saved("games", tmp_path)
    assert frame is not None and frame.size == 100, "the last run counts"


def test_a_repetition_from_a_manifest_is_equal_but_for_times(
    performed: Performed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_experiment("games", tmp_path, quick=True)
    quiet: Callable[[int, int], None] = lambda _done, _total: None  # noqa: E731
    assert rerun("games", tmp_path, progress=quiet) and len(performed) == 2
    perform = machine.perform

    def other(task: Task) -> dict[str, Any]:
        entry = perform(task)
        entry["rows"][3]["moves"] += "0"
        return entry

    monkeypatch.setattr(machine, "perform", other)
    assert not rerun("games", tmp_path, progress=quiet)
    with pytest.raises(UsageError, match="no manifest of 'tommy-orders'"):
        rerun("tommy-orders", tmp_path, progress=quiet)


@pytest.mark.parametrize("name", ["edap01-ends", "tommy-orders", "algorithms"])
def test_every_kind_of_work_repeats_itself_but_for_times(name: str) -> None:
    run = all_runs()[name]
    task = pieces(name, run, list(rows_of(run, quick=True))[:2], seed=0)[0]
    once, twice = machine.perform(task), machine.perform(task)
    assert digest([(task, once)]) == digest([(task, twice)])
    for row in once["rows"]:
        times = {key for key in row if key.endswith("seconds")}
        assert times and without_times(row).keys() == row.keys() - times
        row["nodes"] = row.pop(next(iter(times)))
    assert digest([(task, once)]) != digest([(task, twice)])


def test_a_manifest_that_is_none_is_refused(tmp_path: Path) -> None:
    for text in ("{", "[]", '{"games": {}}'):
        (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match="is not a manifest"):
            read_manifests(tmp_path)


def test_what_a_run_asks_for_is_part_of_a_tasks_key(sources: Sources) -> None:
    sources("toy", SOURCE)

    def key() -> str:
        return key_of(tasks_of("games", all_runs()["games"], quick=True, seed=0)[0])

    before = key()
    sources("toy", SOURCE.replace("depth1", "depth2"))
    assert key() != before
    for what in ("moves", "exact"):
        sources("toy", SOURCE.replace("title = 'Games'", f"title = 'Games'\n{what} = true"))
        assert key() != before, what
    sources("toy", SOURCE.replace("title = 'Games'", "title = 'Other words'"))
    assert key() == before, "words invalidate nothing"


def changed_by(module: str) -> dict[str, set[bool]]:
    """Return, for each run of the package, which of its tasks a comment in ``module`` invalidates.

    The values are sets of (invalidated, as it should be), over the real files.
    """
    known = texts()
    edited = known | {module: known[module] + "\n# a comment\n"}
    found: dict[str, set[bool]] = {}
    for name, run in all_runs().items():
        if run.screen is not None:
            continue
        for task in tasks_of(name, run, quick=False, seed=0):
            modules = modules_of(task)
            found.setdefault(name, set()).add(fingerprint_in(known, modules) != fingerprint_in(edited, modules))
    return found


def names_of(run: Run) -> set[str]:
    return {agent for row in rows_of(run, quick=True) for agent in agents_of(run, row).values()}


@pytest.mark.parametrize("paper", ["kang", "halim", "edap01", "rmarcus", "van_der_schee"])
def test_a_comment_in_a_paper_invalidates_its_own_tasks_and_no_other(paper: str) -> None:
    module = f"bot.agents.papers.{paper}"
    found = changed_by(module)
    for name, invalidated in found.items():
        run = all_runs()[name]
        mine = [module in modules_of(task) for task in tasks_of(name, run, quick=False, seed=0)]
        wanted = {True} if all(mine) else {False} if not any(mine) else {True, False}
        assert invalidated == wanted, name
    for name in ("round-robin", "round-robin-nodes", "accuracy"):
        assert found[name] == {True, False}, "its own tasks of a joint run"
    assert found["algorithms"] == {False}


def test_only_the_tasks_of_a_paper_in_the_round_robin_have_its_agents() -> None:
    known, run = texts(), all_runs()["round-robin"]
    edited = known | {"bot.agents.papers.kang": known["bot.agents.papers.kang"] + "# a comment\n"}
    for task in tasks_of("round-robin", run, quick=False, seed=0):
        modules = modules_of(task)
        is_changed = fingerprint_in(known, modules) != fingerprint_in(edited, modules)
        for row in task["rows"]:
            assert is_changed == any(name.startswith("kang") for name in agents_of(run, row).values())


def test_a_comment_in_the_search_invalidates_all_that_use_it() -> None:
    found = changed_by("bot.agents.kernels.search")
    assert found["tommy-table1"] == found["algorithms"] == found["edap01-ends"] == {True}
    assert found["round-robin"] == {True, False}, "depth3 against random has another search"
    assert {name for name, each in changed_by("bot.agents.kernels.van_der_schee").items() if True in each} == {
        *("vds-search", "vds-work", "vds-games", "vds-leaves"),
        *("round-robin", "round-robin-nodes", "accuracy"),
    }


@pytest.mark.parametrize("module", ["plan", "paper", "frame", "compare", "pages"])
def test_how_sources_are_written_and_judged_invalidates_no_game(module: str) -> None:
    assert all(each == {False} for each in changed_by(f"bot.lab.experiments.{module}").values())


def test_the_solver_decides_only_what_it_scores() -> None:
    asked = {name for name, each in changed_by("bot.engine.solver").items() if True in each}
    assert asked == {*("kang-moves", "vds-leaves", "edap01-orders", "accuracy", "algorithms", "algorithms-nodes")}


def test_an_entry_of_other_sources_is_performed_again(
    performed: Performed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_experiment("games", tmp_path, quick=True)
    monkeypatch.setattr(machine, "sources_of", lambda _task: "other")
    run_experiment("games", tmp_path, quick=True)
    assert len(performed) == 2
    lines = (tmp_path / "games.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[-1])["sources"] == "other"


SCREENED = """
source = 'Toy'
cite = 'nobody'

[run.screened]
title = 'Readings'
players = { X = "tommy-ab:{depth}", O = "tommy-ab:{other}" }
grid = { depth = [1, 2, 3], other = [1, 2, 3] }
readings = ["depth"]
screen = { table = "screened", held = { other = [3] }, keep = 1 }

[table.screened]
title = 'Table'
rows = ["other"]
columns = { result = "outcome(X)" }
printed = '''
1 PRINTED1
2 PRINTED2
3 W7
'''
"""


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_reading_that_explains_the_first_part_plays_the_rest(sources: Sources, tmp_path: Path, depth: int) -> None:
    words = []
    for other in (1, 2):
        played = play_game(make_agent(f"tommy-ab:{depth}"), make_agent(f"tommy-ab:{other}"))
        words.append(f"{'WDL'[round(2 - 2 * played.result)]}{len(played.moves)}")
    sources("toy", SCREENED.replace("PRINTED1", words[0]).replace("PRINTED2", words[1]))
    run_experiment("screened", tmp_path)
    frame = saved("screened", tmp_path)
    assert frame is not None and frame.size == 3 * 2 + len({1, depth})
    assert {*frame.where({"other": 3}).values("depth")} == {1, depth}, "the best reading, and the recommended one"
    assert read_manifests(tmp_path)["screened"]["tasks"] == 2
