"""What a command shows: a run game by game, waits, numbers as people read them."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

import pytest

from bot.cli import progress
from bot.cli.console import OutputConsole, View, describe_move, describe_score, disc_text, streak_text
from bot.cli.formatting import column_names, counted, duration, elapsed
from bot.course.run.standings import RunStandings
from bot.course.session.events import Chosen, Started
from bot.engine.jit import compiling
from bot.game import Board

TEXTS = [
    (counted(0, "game"), "0 games"),
    (counted(1, "game"), "1 game"),
    (counted(12345, "game"), "12,345 games"),
    (counted(0, "error", "no"), "no errors"),
    (duration(0.00004), "40 µs"),
    (duration(0.00025970299998334667), "0.3 ms"),
    (duration(0.0449), "45 ms"),
    (duration(0.9996), "1.00 s"),
    (duration(200.4), "3 min 20 s"),
    (elapsed(2.4), "2 s"),
    (elapsed(185.0), "3 min 05 s"),
    (column_names((3, 0, 6)), "4 1 7"),
    (streak_text(19, 20), "streak 19 of 20"),
    (streak_text(39, 20), "streak 39 (goal 20 reached)"),
    (describe_move(Board(), Chosen(0.0, 3, score=1.0, proven=True, depth=12)), "4, wins in 21 moves, depth 12"),
    (describe_score(2.5, proven=False, ply=0), "estimate +2.5"),
    (describe_score(None, proven=False, ply=0), "no score"),
]


@pytest.mark.parametrize(("shown", "text"), TEXTS)
def test_numbers_and_scores_are_in_words(shown: str, text: str) -> None:
    assert shown == text


def said(games: list[tuple[float, int, float]], *, wanted: int, goal: int = 20) -> list[str]:
    """The lines of a run; each game is its result, the discs on the board when we first move, its slowest move."""
    output = io.StringIO()
    view, standings = View(OutputConsole(file=output, width=200), wanted), RunStandings(goal=goal, current=0)
    view.run_started(Started(0.0), Path("journal"), standings)
    before = len(output.getvalue())
    for result, ply, move_s in games:
        board = Board.from_moves([3] * ply)
        view.game_started(board)
        view.decided(board, Chosen(0.0, 3, move_s=move_s))
        standings.slowest_move_s = max(standings.slowest_move_s, move_s)
        standings.add(result)
        view.game_ended(result, "44")
    view.run_ended()
    return output.getvalue()[before:].splitlines()


def test_each_game_of_a_run_and_their_sum_are_shown() -> None:
    lines = said([(1.0, 0, 0.3), (0.5, 1, 0.02), (-1.0, 0, 0.001)], wanted=2)
    assert lines[0].startswith("Game 1 of 2: won, we started, moves 44, slowest move 300 ms;")
    assert lines[1].startswith("Game 2 of 2: drawn, the bot started, moves 44, slowest move 20 ms;")
    assert lines[2].startswith("Game 3 of 3: lost, we started, moves 44, slowest move 1.0 ms;"), "one more than wanted"
    assert "slowest move 300 ms" in lines[3]
    assert lines[-2] == "We started 2 games: won 1, drawn 0, lost 1."
    assert lines[-1] == "The bot started 1 game: won 0, drawn 1, lost 0."
    (_, line, *_) = said([(1.0, 0, 0.1)], wanted=1, goal=1)
    assert line.startswith("1 game: ") and line.endswith("Goal met: 1 game in a row without a loss.")


def test_a_drawn_board_has_no_blanks_at_the_ends_of_its_lines() -> None:
    lines = disc_text(Board.from_moves([3, 3]).to_grid(to_move=1)).plain.splitlines()
    assert {len(line) for line in lines} == {13} and {lines[4][6], lines[5][6]} == {"X", "O"}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_wait_is_shown_after_two_seconds_at_growing_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now_s[0])
    for stream in (io.StringIO(), Terminal()):
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("COLUMNS", "20")
        now_s[0] = 0.0
        line = progress.Line(lambda: "Solving a long position", None, 0)
        for half_seconds in range(600 if stream.__class__ is io.StringIO else 7):
            now_s[0] = half_seconds / 2
            line.show_if_due()
        line.clear()
        shown = stream.getvalue()
        if stream.isatty():
            assert shown == "\r\x1b[2KSolving a long posi" * 3 + "\r\x1b[2K", "drawn anew in one row, and removed"
        else:
            times = [text.removeprefix("Solving a long position, ") for text in shown.splitlines()]
            assert times == ["2 s", "4 s", "8 s", "16 s", "32 s", "64 s", "2 min 04 s", "3 min 04 s", "4 min 04 s"]


def test_work_has_parts_and_may_have_no_total() -> None:
    with progress.progress("games") as work:
        shown = [work.describe()]
        work.update(7, None)
        shown.append(work.describe())
        work.update(0, 2, "verification")
        work.advance()
        assert [*shown, work.describe()] == ["games", "games: 7", "verification: 1 of 2"]


def test_compiling_in_every_run_has_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "CACHE", None)
    monkeypatch.setattr(progress, "FIRST_S", 0.0)
    with progress.progress(lambda: progress._loading(0.0)) as line:
        assert "no cache folder is writable" in line.describe()
