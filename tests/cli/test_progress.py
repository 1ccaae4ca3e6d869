"""Waits: nothing for two seconds, then what is done and the elapsed time, at growing intervals."""

from __future__ import annotations

import time

import pytest

from bot.cli import progress
from bot.cli.progress import Ticker


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


def lines_until(end_s: int, ticker: Ticker, clock: Clock, capsys: pytest.CaptureFixture[str]) -> list[str]:
    start = clock.now
    while clock.now < start + end_s:
        clock.now += 0.5
        ticker.show_if_due()
    return capsys.readouterr().err.splitlines()


def test_a_short_wait_shows_nothing(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    ticker = Ticker(lambda: "Solving")
    clock.now += 1.9
    ticker.show_if_due()
    assert capsys.readouterr().err == ""


def test_lines_come_at_growing_intervals(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_until(20, Ticker(lambda: "Solving"), clock, capsys)
    assert lines == ["Solving, 2 s", "Solving, 4 s", "Solving, 8 s", "Solving, 16 s"]


def test_in_long_waits_a_line_comes_every_minute(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_until(300, Ticker(lambda: "Solving"), clock, capsys)
    assert lines[-3:] == ["Solving, 2 min 04 s", "Solving, 3 min 04 s", "Solving, 4 min 04 s"]


def test_a_part_says_what_is_done_of_how_much(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with progress.progress(between=True) as bars:
        part = bars.part("games", 20)
        part.advance(3)
        assert capsys.readouterr().err == ""
        clock.now += 3
        part.advance(1)
    assert capsys.readouterr().err == "games: 4 of 20, 3 s\n"


def test_parts_without_a_total_are_counted() -> None:
    with progress.progress(between=True) as bars:
        part = bars.part("tasks")
        part.update(7, None)
        assert part.describe() == "tasks: 7"


def test_compiling_in_every_run_has_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:

    assert progress._loading(time.time() + 60) == "Loading the engine"
    from bot.engine.jit import compiling

    monkeypatch.setattr(compiling, "CACHE", None)
    assert "no cache folder is writable" in progress._loading(time.time())
