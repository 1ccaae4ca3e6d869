"""Waits: nothing for two seconds, then what is done and the elapsed time, at growing intervals."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from types import ModuleType

import pytest

from bot.cli import progress


def wait(name: str | Callable[[], str]) -> progress.Line:
    return progress.Line(name, None, 0)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("time.monotonic", clock.monotonic)
    return clock


def lines_until(end_s: int, line: progress.Line, clock: Clock, capsys: pytest.CaptureFixture[str]) -> list[str]:
    start = clock.now
    while clock.now < start + end_s:
        clock.now += 0.5
        line.show_if_due()
    return capsys.readouterr().err.splitlines()


def test_a_short_wait_shows_nothing(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    line = wait("Solving")
    clock.now += 1.9
    line.show_if_due()
    assert capsys.readouterr().err == ""


def test_lines_come_at_growing_intervals(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_until(20, wait(lambda: "Solving"), clock, capsys)
    assert lines == ["Solving, 2 s", "Solving, 4 s", "Solving, 8 s", "Solving, 16 s"]


def test_in_long_waits_a_line_comes_every_minute(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_until(300, wait("Solving"), clock, capsys)
    assert lines[-3:] == ["Solving, 2 min 04 s", "Solving, 3 min 04 s", "Solving, 4 min 04 s"]


def test_a_terminals_line_is_drawn_anew_in_one_row_and_removed(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "20")
    line = wait("Solving a position that takes long")
    clock.now += 3
    line.show_if_due()
    clock.now += 0.3
    line.show_if_due()
    line.clear()
    assert terminal.getvalue() == "\r\x1b[2KSolving a position " * 2 + "\r\x1b[2K"


def test_work_has_parts_and_may_have_no_total() -> None:
    with progress.progress("games") as work:
        assert work.describe() == "games"
        work.update(7, None)
        assert work.describe() == "games: 7"
        work.update(0, 2, "verification")
        work.advance()
        assert work.describe() == "verification: 1 of 2"


def test_an_engine_that_is_being_imported_is_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bot.engine.jit.compiling", ModuleType("compiling"))
    assert progress._loading(time.time()) == "Loading the engine"


def test_compiling_in_every_run_has_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    assert progress._loading(time.time() + 60) == "Loading the engine"
    from bot.engine.jit import compiling

    monkeypatch.setattr(compiling, "CACHE", None)
    assert "no cache folder is writable" in progress._loading(time.time())
