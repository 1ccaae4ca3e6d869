"""What a command shows: a run game by game, and waits."""

from __future__ import annotations

import io
import os
import re
import sys
import time
from pathlib import Path

import pytest

from bot.cli import progress
from bot.cli.console import (
    ConsoleView,
    OutputConsole,
    disc_text,
    known_of,
    outage_line,
    streak_text,
)
from bot.course.events import Chosen, GameEnded, Options
from bot.course.run.standings import Outage, RunStandings
from bot.errors import ExitCode
from bot.game import Board

PLAYED = """\
Game 1 of 3: won, we started, moves 2255552233554; won 1, drawn 0, lost 0; streak 1 of 4
Game 2 of 3: lost, the server's bot started, moves 4665511551177443355222277446666477233; won 1, drawn 0, lost 1; streak 0 of 4
Game 3 of 3: won, we started, moves 77222266226655771177113366114; won 2, drawn 0, lost 1; streak 1 of 4
"""  # noqa: E501
"""The games of a seed, without their times."""


def test_each_game_of_a_run_and_their_sum_are_shown(cli):
    done = cli("play --games 3 --goal 4 --engine random --opponent random --seed 3")
    assert done.returncode == ExitCode.GOAL_MISSED
    *games, total = done.stdout.splitlines()[2:]
    assert [re.sub(", slowest [^;]+", "", line.strip()) for line in games] == PLAYED.splitlines()
    assert total.startswith("3 games: won 2, drawn 0, lost 1; streak 1; slowest move ") and "Goal not met" in total


def test_a_move_in_place_of_ours_and_more_games_than_were_asked_for_are_noted():
    output = io.StringIO()
    view, standings = ConsoleView(OutputConsole(file=output, width=200), 1), RunStandings(goal=20)
    view.run_started(Options(), Path("journal"), standings)
    for number in (7, 8):
        view.game_started(Board())
        view.decided(Board(), Chosen(0.0, 3, note="Mine failed."))
        standings.add(1.0)
        view.game_ended(GameEnded(number, 1.0, "reply", (3, 3, 3)))
    last = output.getvalue().splitlines()[-1]
    assert last.startswith("Game 8 of the journal, 2 of 1 asked for: won, ") and "1 of 2 moves by perfect" in last


def test_a_drawn_board_stands_upright_and_a_move_is_put_with_its_score():
    lines = disc_text(Board.from_moves([3, 3]).to_grid(to_move=1)).plain.splitlines()
    assert {len(line) for line in lines} == {13} and {lines[4][6], lines[5][6]} == {"X", "O"}
    found = [known_of(Chosen(0.0, 3, score=score, depth=12), 0) for score in (2.5, None)]
    assert found == [["estimate +2.5", "depth 12"], ["depth 12"]]
    assert streak_text(39, 20) == "streak 39, goal 20"


def test_an_outage_counts_down_in_a_terminal_and_takes_three_lines_elsewhere():
    outage = Outage("Down.", 30.0, 4.0)
    assert outage_line(outage, 1.5) == "Down. Trying again for 29 s; 3 s left for the move."
    assert outage_line(outage, 36.5) == "Down. Trying again for 0 s; the move is 33 s late."
    output = io.StringIO()
    view = ConsoleView(OutputConsole(file=output, width=200), 2)
    view.run_started(Options(limit_s=5.0), Path("journal"), RunStandings(goal=20))
    for _outage in range(2):
        for since_s in range(0, 12, 2):
            view.unreachable(Outage("Down.", 30.0 - since_s, 5.0 - since_s))
        view.reachable(12.4)
    assert [line for line in output.getvalue().splitlines() if line.startswith("Note")] == [
        "Note: Down. Trying again for at most 30 s.",
        "Note: The 5 s for the move are over: the server may count the game as lost. "
        "It goes on as soon as the server answers.",
        "Note: The server is reachable again after 13 s.",
    ] * 2


@pytest.mark.parametrize(("is_terminal", "seconds"), [(True, 3), (False, 300)])
def test_a_wait_is_shown_after_two_seconds(is_terminal, seconds, monkeypatch):
    now_s, stream = [0.0], io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: is_terminal, raising=False)
    monkeypatch.setattr(time, "monotonic", lambda: now_s[0])
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "20")
    line = progress.ProgressLine(lambda: "Solving for long", None, 0)
    for now_s[0] in [half / 2 for half in range(2 * seconds)]:
        line.show_if_due()
    line.clear()
    if is_terminal:
        assert stream.getvalue() == "\r\x1b[2KSolving for long, 2" * 2 + "\r\x1b[2K", (
            "drawn anew in one row, and removed"
        )
    else:
        times = [text.removeprefix("Solving for long, ") for text in stream.getvalue().splitlines()]
        assert times == ["2 s", "4 s", "8 s", "16 s", "32 s", "64 s", "2 min 04 s", "3 min 04 s", "4 min 04 s"]


def test_a_wait_for_games_counts_those_that_are_kept_and_no_more_than_are_asked_for(cli, monkeypatch):
    begun = []
    begin = progress.ProgressLine.__init__

    def seen(*given):
        begun.append(given[1:])
        begin(*given)

    monkeypatch.setattr(progress.ProgressLine, "__init__", seen)
    for games in (4, 2):
        assert cli(f"match random random --games {games} --record kept").returncode == 0
    assert begun == [("games", 4, 0), ("games", 2, 2)]


def test_only_functions_that_are_compiled_now_are_counted(monkeypatch, tmp_path):
    from bot.engine.jit import compiling

    monkeypatch.setattr(compiling, "CACHE", tmp_path)
    for name, changed_s in (("old", 10), ("new", 30), ("newer", 40)):
        (tmp_path / f"{name}.nbc").touch()
        os.utime(tmp_path / f"{name}.nbc", (changed_s, changed_s))
    shown = [progress._loading(start_s) for start_s in (50.0, 30.0)]
    assert shown[0] == "Loading the engine" and shown[1].endswith(": 2 functions done")
