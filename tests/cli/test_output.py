"""Output on a full disk, closed streams, too few open files: a run plays on, other commands end with a sentence."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from bot.cli import app
from bot.cli.app import run
from bot.cli.output import forgiving_streams, is_redrawable
from bot.course.journal.reader import read_journal
from bot.errors import ExitCode
from tests.processes import ROOT

FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
PLAY = ["play", "--games", "2", "--engine", "scripted:4455", "--opponent", "random", "--seed", "1", "--goal", "20"]


def run_on_full_disk(arguments: list[str]) -> int:
    """Run a command whose standard output is a file on a full disk, and see that Python can close that file."""
    with FULL.open("w") as stream, redirect_stdout(stream), forgiving_streams():
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
    assert "This is a bug" not in capsys.readouterr().err


def test_a_run_is_played_to_its_end_when_its_reader_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as stream, redirect_stdout(stream):
        run(PLAY)
    [path] = (tmp_path / "logs").glob("*.jsonl")
    assert [game.result is None for game in read_journal(path).games] == [False, False]


@pytest.mark.parametrize("command", [["agents"], ["export", "--help"]])
def test_another_command_ends_with_a_sentence(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_on_full_disk(command) == ExitCode.USAGE
    assert capsys.readouterr().err.startswith(
        "bot: The system has no more of what this needs (No space left on device)."
    )


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.EMFILE, "Too many open files"), "no more of what this needs (Too many open files)"),
        (RuntimeError("can't start new thread"), "no more of what this needs (can't start new thread)"),
        (MemoryError(), "no more of what this needs. Free memory"),
        (IsADirectoryError(errno.EISDIR, "Is a directory", "results"), "results cannot be used: Is a directory."),
    ],
)
def test_what_the_system_refuses_is_no_bug(
    error: Exception, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(**_settings: object) -> None:
        raise error

    monkeypatch.setattr(app, "app", refused)
    assert run(["agents"]) == ExitCode.USAGE
    assert sentence in capsys.readouterr().err


def under_shell(redirection: str, *arguments: str, given: str = "4\n") -> subprocess.CompletedProcess[str]:
    """Run a command with some of its standard streams redirected or closed by the shell."""
    return subprocess.run(
        ["sh", "-c", f'exec "$0" -m bot "$@" {redirection}', sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_end_no_command(closed: str, tmp_path: Path) -> None:
    """A command that reads its input, writes a file and both outputs, and waits for the engine."""
    games = tmp_path / "games.jsonl"
    done = under_shell(closed, "match", "random", "scripted:4455", "--games", "2", "--record", str(games))
    assert done.returncode == ExitCode.DONE, done.stderr
    assert ("random against" in done.stdout) == (">&-" not in closed.replace("2>&-", ""))
    assert all(line.startswith("{") for line in games.read_text().splitlines()), "nothing else is in the file"


def test_an_input_that_is_closed_is_at_its_end() -> None:
    done = under_shell("<&-", "analyse", "--file", "-", "--score-only")
    assert (done.returncode, done.stdout) == (ExitCode.DONE, "")


def test_an_error_that_cannot_be_shown_keeps_its_exit_code() -> None:
    assert under_shell("2>/dev/full", "analyse", "48").returncode == ExitCode.USAGE


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_a_reader_that_has_left_is_no_error_of_an_option(option: str) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "bot", option]
    try:
        done = subprocess.run(
            command,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=write,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (ExitCode.DONE, "")


def test_characters_that_an_encoding_lacks_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff4\n"), encoding="utf-8"))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    with forgiving_streams():
        assert sys.stdin.readline() == "\\xff4\n"
        print("1 \xb5s in l\udcf6gs")
    assert raw.getvalue() == b"1 \\xb5s in l\\udcf6gs\n"


@pytest.mark.parametrize(("term", "redrawable"), [("xterm", True), ("dumb", False), ("unknown", False), (None, True)])
def test_only_a_terminal_that_can_is_drawn_anew(
    term: str | None, redrawable: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    if term is None:
        monkeypatch.delenv("TERM", raising=False)
    else:
        monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert is_redrawable(Terminal()) is redrawable
    assert not is_redrawable(io.StringIO())
