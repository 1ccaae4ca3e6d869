"""Output on a full disk, closed streams, too few open files: a run plays on, other commands end with a sentence."""

from __future__ import annotations

import errno
import io
import json
import logging
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from bot.cli import app
from bot.cli.app import run
from bot.cli.console import OutputConsole
from bot.cli.formatting import echo, print_table
from bot.cli.output import forgiving_streams, is_redrawable
from bot.cli.progress import ProgressLine
from bot.course.journal.journal import read_journal
from bot.errors import LONGEST_LINE, ExitCode, one_line, printable
from tests.processes import ROOT, running

FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
PLAY = "play --games 1 --engine scripted:4455 --opponent random --seed 1 --goal 20"


@pytest.mark.parametrize("line", [PLAY, f"{PLAY} --json", "agents", "export --help"])
@pytest.mark.parametrize("kind", ["full disk", "reader that has left"])
def test_a_run_is_played_to_its_end_and_another_command_ends_with_a_sentence(line, kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    read, write = os.pipe()
    os.close(read)
    with (
        FULL.open("w") if kind == "full disk" else os.fdopen(write, "w") as stream,
        redirect_stdout(stream),
        forgiving_streams(),
    ):
        code = run(line.split())
    told = capsys.readouterr().err
    if line.startswith("play"):
        (path,) = (tmp_path / "logs").glob("*.jsonl")
        (played,) = read_journal(path).games
        assert played.result is not None and "bug" not in told
        assert code == (ExitCode.DONE if played.result >= 0 else ExitCode.GOAL_MISSED)
    elif kind == "full disk":
        assert code == ExitCode.USAGE
        assert told.startswith("bot: The system has no more of what this needs (No space left on device).")
    else:
        assert (code, told) == (ExitCode.DONE, "")


REFUSED: dict[str, Exception] = {
    "no more of what this needs (Too many open files)": OSError(errno.EMFILE, "Too many open files"),
    "no more of what this needs. Free memory": MemoryError(),
    "results cannot be used: Is a directory.": IsADirectoryError(errno.EISDIR, "Is a directory", "results"),
}


@pytest.mark.parametrize("said", REFUSED)
def test_what_the_system_refuses_is_no_bug(said, cli, monkeypatch):
    def refused(**_settings: object) -> None:
        raise REFUSED[said]

    monkeypatch.setattr(app, "app", refused)
    done = cli("agents")
    assert done.returncode == ExitCode.USAGE and said in done.stderr


REDIRECTED = {
    "match random scripted:4455 --games 2 --record games.jsonl <&- >&- 2>&-": (0, False),
    "analyse 48 2>/dev/full": (2, False),
    "agents 2>&-": (0, True),
}


@pytest.mark.parametrize("line", REDIRECTED)
def test_closed_streams_end_no_command(line, tmp_path):
    """The first command reads its input, writes a file and both outputs, and waits for the engine."""
    shell = ["sh", "-c", f"exec {sys.executable} -m bot {line}"]
    with running(shell, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE) as process:
        out, _ = process.communicate()
    assert (process.returncode, bool(out)) == REDIRECTED[line]
    for path in tmp_path.glob("*.jsonl"):
        assert all(text.startswith("{") for text in path.read_text().splitlines()), "nothing else is in the file"


def test_characters_that_an_encoding_lacks_are_escaped(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff4\n"), encoding="utf-8"))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    with forgiving_streams():
        assert sys.stdin.readline() == "\\xff4\n"
        print("1 \xb5s in l\udcf6gs")
    assert raw.getvalue() == b"1 \\xb5s in l\\udcf6gs\n"


FOREIGN = "a\x1b[2J\x1b]0;t\x07\x00\x08\r\t\x7f\x9b1m\x85\u202e\u2066\u200f\u200b\u2028\u2029\ufeff\udcff\ue000b"
"""What a server, an agent, a journal or a file's name may hold: codes for a terminal, and other writing directions."""
OUTLETS: dict[str, Callable[[], None]] = {
    "a sentence": lambda: echo(FOREIGN),
    "a note of a run": lambda: OutputConsole().say(f"{FOREIGN}\nGoal met"),
    "a table": lambda: print_table([["player", "played"], [FOREIGN, "1"]]),
    "an error": lambda: print(run(["replay", f"{FOREIGN.replace(chr(0), '')}\nGoal met.jsonl"])),
    "an error of the parser": lambda: print(run([f"--{FOREIGN}"])),
    "a traceback": lambda: traceback.print_exception(ValueError(FOREIGN)),
    "a log": lambda: logging.StreamHandler().emit(logging.makeLogRecord({"msg": FOREIGN})),
    "a wait": lambda: draw(FOREIGN),
}


def draw(name: str) -> None:
    line = ProgressLine(name, None, 0)
    line._due_s = 0.0
    line.show_if_due()


@pytest.mark.parametrize("outlet", OUTLETS)
def test_foreign_text_cannot_control_a_terminal(outlet, monkeypatch):
    raw = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", raw)
    monkeypatch.setattr(sys, "stderr", raw)
    with forgiving_streams():
        OUTLETS[outlet]()
        print(json.dumps(FOREIGN))
    raw.seek(0)
    *text, code = raw.read().splitlines()
    assert any("a\\x1b[2J\\x1b]0;t\\x07" in line and "\\u202e" in line for line in text)
    assert all(line.isprintable() for line in text) and not any(line.startswith("Goal met") for line in text)
    assert json.loads(code) == FOREIGN, "JSON is data, and escapes what it holds by itself"


def test_a_far_too_long_text_is_cut():
    assert printable("a" * 100_000) == "a" * LONGEST_LINE + "..."
    assert one_line(" We  have\nended.\x1b " * 10_000).startswith("We have ended.\\x1b We have")
    assert len(one_line("." * 100_000 + "a" * 100_000)) == 0 and one_line(None) == "no reason given"


@pytest.mark.parametrize("term", ["xterm", "dumb", "unknown"])
def test_only_a_terminal_that_can_is_drawn_anew(term, monkeypatch):
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("FORCE_COLOR", "1")
    terminal = io.StringIO()
    assert not is_redrawable(terminal)
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    assert is_redrawable(terminal) is (term == "xterm")
