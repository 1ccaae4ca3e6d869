"""Runs of a study: nothing is performed twice, and an interruption, another run or a new sentence changes no result."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.errors import UsageError
from bot.lab.arena.tasks import PlannedGame
from bot.lab.replication import run as machine
from bot.lab.replication.pages import rewrite_page, write_page
from bot.lab.replication.run import RESULTS, run_study
from bot.lab.replication.study import Study, find_study
from tests.lab.sources import TOY
from tests.processes import running_bot

pytestmark = pytest.mark.usefixtures("toy")
TASKS = 14
"""Tasks of the toy."""


def write(out: Path, progress: machine.Progress = lambda *_: None, **settings: Any) -> dict[str, Any]:
    """Run the toy and write its page; return the JSON beside it."""
    settings = {"seed": 0, "quick": False, **settings}
    study = find_study("toy")
    page = write_page(study, run_study(study, out, progress=progress, **settings), out, **settings)
    return json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))


def content(out: Path) -> dict[str, bytes]:
    """Return all files of a folder."""
    return {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}


@pytest.fixture
def performed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the keys of all tasks that are performed from now on, three at a time."""
    keys: list[str] = []
    perform = machine.perform

    def counted(piece: machine.Piece) -> list[dict[str, Any]]:
        keys.extend(piece.keys)
        return perform(piece)

    monkeypatch.setattr(machine, "PIECE", 3)
    monkeypatch.setattr(machine, "perform", counted)
    return keys


@pytest.mark.parametrize(("steps", "saved"), [(1, 0), (3, 6), (7, TASKS)])
def test_an_interrupted_run_performs_only_what_is_missing_and_leaves_the_same_files(
    steps, saved, tmp_path, performed, monkeypatch
):
    for clock in ("thread_time", "process_time"):
        monkeypatch.setattr(time, clock, lambda: 1.0)
    seen: list[tuple[int, int, str]] = []

    def interrupt(*step: Any) -> None:
        seen.append(step)
        if len(seen) == steps:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "one", interrupt)
    assert len(performed) == saved
    write(tmp_path / "one")
    assert len(performed) == len(set(performed)) == TASKS
    write(tmp_path / "other")
    assert len(performed) == 2 * TASKS and content(tmp_path / "one") == content(tmp_path / "other")


def test_equal_seeds_give_equal_digests_in_any_number_of_processes(tmp_path):
    found = []
    for seed, workers in ((0, 1), (0, 2), (1, 1)):
        out = tmp_path / f"{seed}-{workers}"
        runs = run_study(find_study("toy"), out, seed=seed, workers=workers, progress=lambda *_: None)
        found.append([(run.tasks, run.digest) for run in runs.values()])
    assert found[0] == found[1] and found[0][0][0] == found[2][0][0] == TASKS - 2
    assert not {digest for _, digest in found[0]} & {digest for _, digest in found[2]}


@pytest.mark.parametrize(
    ("before", "after"),
    [  # of other lengths: Python takes a file of equal length and second for the one that it has compiled
        ("0.5, ", "0.95, "),
        ("X wins", "X has won"),
        ("J. Toy", "Jane Toy"),
        ("X     1.00", "X     0.5"),
        ("Points of X", "Half points of X"),
        ("played again", "repeated"),
    ],
)
def test_another_statement_sentence_table_or_plot_performs_nothing(before, after, toy, tmp_path, performed):
    write(tmp_path)
    pages = content(tmp_path)
    performed.clear()
    assert before in TOY
    toy("toy_study.py", TOY.replace(before, after))
    write(tmp_path)
    rewritten = content(tmp_path)
    assert not performed and rewritten[RESULTS] == pages[RESULTS] and rewritten["toy.md"] != pages["toy.md"]


def test_another_module_of_an_agent_performs_its_tasks_anew(tmp_path, performed, monkeypatch):
    before = write(tmp_path)["runs"]
    real = machine.sources_of
    monkeypatch.setattr(
        machine, "sources_of", lambda task: real(task) + "edited" * ("scripted:4" in task.agent_names())
    )
    again = write(tmp_path)["runs"]
    assert len(performed) == TASKS + 2 and [run["digest"] for run in before.values()] == [
        run["digest"] for run in again.values()
    ]


def test_equal_tasks_are_performed_once_and_each_has_its_row(tmp_path, performed):
    study = Study("bot_study_twice", "", "", "")

    @study.run
    def games() -> Iterator[PlannedGame]:
        for name in ("scripted:4", "random", "depth1"):
            for label in "ab":
                yield PlannedGame({"X": name, "O": "scripted:7"}, "X", labels={"label": label})

    for _ in range(2):
        rows = run_study(study, tmp_path, progress=lambda *_: None)["games"].rows
        assert len(performed) == 3 and [*rows.label] == [*"ababab"]
        assert [*rows.moves[::2]] == [*rows.moves[1::2]]


@dataclass(frozen=True)
class Foreign(PlannedGame):
    """A task that is none of the arena's."""


GAME = PlannedGame({"X": "random", "O": "random"}, labels={"label": "a"})


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ((GAME, GAME), "toy: games yields a task twice."),
        ((Foreign(GAME.players),), "Foreign is no task of the arena."),
    ],
)
def test_a_run_of_other_tasks_is_refused(tasks, message, tmp_path):
    study = Study("bot_study_toy", "", "", "")
    study.runs["games"] = lambda: iter(tasks)
    with pytest.raises(UsageError) as error:
        run_study(study, tmp_path, progress=lambda *_: None)
    assert error.value.message == message and error.value.hint


def test_a_page_is_written_from_saved_results_or_says_how_to_make_them(tmp_path, performed, monkeypatch):
    study, real = find_study("toy"), machine.sources_of
    write(tmp_path, quick=True, seed=2)
    files = content(tmp_path)
    performed.clear()
    rewrite_page(study, tmp_path)
    assert content(tmp_path) == files and not performed, "with the settings of the last run"
    with monkeypatch.context() as edited:
        edited.setattr(machine, "sources_of", lambda task: real(task) + "edited")
        with pytest.raises(UsageError, match="lacks 4 results of toy, games, or has them of other sources"):
            rewrite_page(study, tmp_path)
    assert content(tmp_path) == files
    for lost, command in ((RESULTS, f"run toy --quick --seed 2 --out {tmp_path}`"), ("toy.json", "run toy`")):
        (tmp_path / lost).unlink()
        with pytest.raises(UsageError) as error:
            rewrite_page(study, tmp_path)
        assert str(tmp_path) in error.value.message and f"`bot experiment {command}" in error.value.hint


def test_two_processes_can_run_a_study_into_one_folder_at_once(tmp_path, performed):
    out = tmp_path / "out"
    command = ("experiment", "run", "toy", "--out", str(out))
    with running_bot(*command, cwd=tmp_path) as one, running_bot(*command, cwd=tmp_path) as other:
        assert (one.wait(), other.wait()) == (0, 0)
    pages = content(out)
    assert pages.keys() == {RESULTS, "toy.md", "toy.json", "toy.svg"}
    assert len({json.loads(line)["key"] for line in pages[RESULTS].splitlines() if b'"key"' in line}) == TASKS
    assert write(out)["runs"]["games"]["digest"] == write(tmp_path / "here")["runs"]["games"]["digest"]
    assert len(performed) == TASKS, "those of the folder here"
