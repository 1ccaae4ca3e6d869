"""Output on a full disk, and too few open files: a run plays on, other commands end with a sentence."""

from __future__ import annotations

import errno
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from bot.cli import app
from bot.cli.app import run
from bot.errors import ExitCode
from bot.journal.reader import read_journal

FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
PLAY = ["play", "--games", "2", "--engine", "scripted:4455", "--opponent", "random", "--seed", "1", "--goal", "20"]


def run_on_full_disk(arguments: list[str]) -> int:
    """Run a command whose standard output is a file on a full disk, and see that Python can close that file."""
    with FULL.open("w") as stream, redirect_stdout(stream):
        return run(arguments)


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_run_is_played_to_its_end_and_keeps_its_exit_code(
    form: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code = run_on_full_disk([*PLAY, *form])
    [path] = (tmp_path / "logs").glob("*.jsonl")
    results = [game.result for game in read_journal(path).games]
    assert len(results) == 2 and None not in results
    assert code == (ExitCode.GOAL_MISSED if {-1.0, -10.0} & set(results) else ExitCode.DONE)
    errors = capsys.readouterr().err
    assert errors.count("Part of the output could not be written: No space left") == 1
    assert "This is a bug" not in errors


@pytest.mark.parametrize("command", [["agents"], ["export", "--help"]])
def test_another_command_ends_with_a_sentence(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_on_full_disk(command) == ExitCode.USAGE
    assert capsys.readouterr().err.startswith("bot: There is no space left on the disk.")


def test_too_few_files_are_no_bug(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refused(**_settings: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files", "progress.py")

    monkeypatch.setattr(app, "app", refused)
    assert run(["agents"]) == ExitCode.USAGE
    assert "may not open as many files" in capsys.readouterr().err
