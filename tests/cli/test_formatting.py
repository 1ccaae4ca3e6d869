"""Text in a narrow terminal: no word is broken, and pipes get whole lines."""

from __future__ import annotations

import io
import sys

import pytest

from bot.cli.app import run
from bot.cli.formatting import duration, echo, fitted, print_json

LONG = "  Game 1 of 20: won, we started, moves 4444435553336612, slowest move 26 ms; streak 20 of 20 (goal reached)"
WIDTH = 60


@pytest.fixture
def printed(monkeypatch, capsys):
    """Return what a call prints in a terminal, or in a pipe, as lines."""
    monkeypatch.setenv("COLUMNS", str(WIDTH))

    def lines_of(call, *arguments, is_terminal=True):
        for stream in (sys.stdout, sys.stderr):
            monkeypatch.setattr(stream, "isatty", lambda: is_terminal)
        call(*arguments)
        return "".join(capsys.readouterr()).splitlines()

    return lines_of


def test_a_duration_is_rounded_before_its_unit_is_chosen():
    assert [duration(seconds) for seconds in (0.99949, 0.9995, 100.0)] == ["999 ms", "1.00 s", "1 min 40 s"]


def test_a_long_line_is_broken_at_blanks_in_a_terminal_and_whole_in_a_pipe(printed):
    lines = printed(echo, f"short\n{LONG}\n")
    assert lines[0] == "short" and lines[1].startswith("  Game 1") and lines[2].startswith("    ")
    assert max(map(len, lines)) <= WIDTH and " ".join(lines).split() == ["short", *LONG.split()]
    assert printed(echo, LONG, is_terminal=False) == [LONG]
    assert printed(print_json, [LONG]) == [f'["{LONG}"]'], "JSON is whole everywhere"
    assert fitted("7" * 99, io.StringIO()) == "7" * 99
    assert max(map(len, printed(run, ["analyse", "4444444"]))) <= WIDTH, "errors, too"
