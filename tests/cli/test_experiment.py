"""`bot experiment`: what it lists, runs, writes and repeats, and what it says where something is missing."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bot.cli.app import run
from bot.errors import ExitCode
from bot.lab.experiments.paper import all_runs, papers

FAST = "edap01-ends"


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return a folder with the results of a fast experiment."""
    assert run(["experiment", "run", FAST, "--out", str(tmp_path)]) == ExitCode.DONE
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / "edap01.md"), str(tmp_path / "README.md")]
    return tmp_path


def test_without_a_name_all_experiments_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["experiment", "run"]) == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("  ")] == list(all_runs())
    assert [line.split(":")[0] for line in lines if not line.startswith("  ")] == list(papers())


def test_a_run_leaves_results_a_manifest_the_ledger_and_a_page(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {
        *(f"{FAST}.jsonl", "manifest.json", "ledger.json", "edap01.md", "README.md")
    }
    about = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))[FAST]
    assert about["command"] == f"bot experiment run {FAST}" and about["tasks"] == 1
    page = (folder / "edap01.md").read_text(encoding="utf-8")
    assert "| `edap01-search` | 2.2, Figure 4 |" in page
    assert "Not run: edap01-games, edap01-orders." in page


def test_the_name_of_a_source_means_all_of_its_experiments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from bot.lab.experiments import run as machine

    asked: list[str] = []
    monkeypatch.setattr(machine, "run_experiment", lambda name, _out, **_settings: asked.append(name))
    for name in ("edap01", "all"):
        assert run(["experiment", "run", name, "--out", str(tmp_path)]) == ExitCode.USAGE, "nothing was played"
    assert "There are no results of experiments" in capsys.readouterr().err
    own = list(papers()["edap01"].run)
    assert asked == [*own, *all_runs()]


def test_an_unknown_name_is_answered_with_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["experiment", "run", "kang-table99"]) == ExitCode.USAGE
    error = capsys.readouterr().err
    assert "There is no experiment 'kang-table99'." in error and FAST in error


def test_a_report_writes_the_pages_of_all_sources_anew(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "edap01.md").unlink()
    assert run(["experiment", "report", "--out", str(folder)]) == ExitCode.DONE
    pages = capsys.readouterr().out.splitlines()
    assert pages == [str(folder / f"{name}.md") for name in [*papers(), "README"]]
    assert "edap01-search" in (folder / "edap01.md").read_text(encoding="utf-8")


def test_without_raw_results_a_report_and_a_rerun_say_how_to_make_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in (["report"], ["rerun", FAST]):
        assert run(["experiment", *arguments, "--out", str(tmp_path)]) == ExitCode.USAGE
        error = capsys.readouterr().err
        assert "The raw results are not part of the package" in error and "bot experiment run all" in error


def test_a_rerun_is_identical_or_misses_its_goal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["experiment", "rerun", FAST, "--out", str(folder)]
    assert run(arguments) == ExitCode.DONE
    assert capsys.readouterr().out == f"{FAST}: identical.\n"
    manifest = folder / "manifest.json"
    about = json.loads(manifest.read_text(encoding="utf-8"))
    about[FAST]["digest"] = "0" * 64
    manifest.write_text(json.dumps(about), encoding="utf-8")
    assert run(arguments) == ExitCode.GOAL_MISSED
    assert capsys.readouterr().out == f"{FAST}: different.\n"


def test_without_scipy_nothing_is_judged_and_the_extra_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    for arguments in (["run", FAST], ["report"]):
        assert run(["experiment", *arguments, "--out", str(tmp_path)]) == ExitCode.USAGE
        error = capsys.readouterr().err
        assert "need scipy" in error and "pip install -e '.[lab]'" in error
    assert run(["experiment", "run"]) == ExitCode.DONE, "the list needs nothing"


def test_without_scipy_matches_are_played_and_agents_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert run(["match", "depth1", "random", "--games", "4"]) == ExitCode.DONE
    saved = str(tmp_path / "answers.jsonl")
    assert run(["judge", "random", "--count", "36", "--saved", saved]) == ExitCode.DONE
    assert "random" in capsys.readouterr().out


def test_without_matplotlib_there_are_pages_without_plots(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run(["experiment", "report", "--out", str(folder)]) == ExitCode.DONE
    printed = capsys.readouterr()
    assert str(folder / "edap01.md") in printed.out
    assert "No plots were drawn: they need matplotlib. Install it with the extra `lab`" in printed.err
    assert not list(folder.glob("*.svg"))
