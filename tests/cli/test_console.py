"""What a command shows: a run game by game, and waits."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

import pytest

from bot.cli import progress
from bot.cli.console import (
    ConsoleView,
    OutputConsole,
    describe_move,
    describe_score,
    disc_text,
    outage_line,
    run_lines,
    standings_line,
    streak_text,
)
from bot.course.events import Chosen, GameEnded, Started
from bot.course.run.listener import Outage
from bot.course.run.standings import RunStandings
from bot.engine.jit import compiling
from bot.game import Board

NOTES = {-1.0: "Mine failed."}
"""What is noted about our move, by the game's result."""


def said(games: list[tuple[float, int, float]], *, wanted: int, goal: int = 20, first: int = 1) -> list[str]:
    """The lines of a run; each game is its result, the discs on the board when we first move, its slowest move.

    ``first`` is the number of the first game in the journal.
    """
    output = io.StringIO()
    view, standings = ConsoleView(OutputConsole(file=output, width=200), wanted), RunStandings(goal=goal, current=0)
    view.run_started(Started(0.0), Path("journal"), standings)
    before = len(output.getvalue())
    for number, (result, ply, move_s) in enumerate(games, start=1):
        board = Board.from_moves([3] * ply)
        view.game_started(board)
        view.decided(board, Chosen(0.0, 3, move_s=move_s, note=NOTES.get(result, "")))
        standings.timed(move_s)
        standings.add(result)
        view.game_ended(GameEnded(number + first - 1, result, "reply", (3, 3)))
        standings.game_move_s = 0.0
    view.run_ended()
    return output.getvalue()[before:].splitlines()


def test_each_game_of_a_run_and_their_sum_are_shown():
    lines = said([(1.0, 0, 0.3), (0.5, 1, 0.02), (-1.0, 0, 0.001)], wanted=2)
    assert lines[0].startswith("Game 1 of 2: won, we started, moves 44, slowest move 300 ms;")
    assert lines[0].endswith("; won 1, drawn 0, lost 0; streak 1 of 20")
    assert lines[1].startswith("Game 2 of 2: drawn, the server's bot started, moves 44, slowest move 20 ms;")
    assert lines[2].startswith(
        "Game 3 of the journal, 3 of 2 asked for: lost, we started, moves 44, slowest move 1.0 ms, "
        "1 of 1 move by perfect;"
    )
    assert "slowest move 300 ms" in lines[3]
    assert lines[-2] == "We started 2 games: won 1, drawn 0, lost 1."
    assert lines[-1] == "The server's bot started 1 game: won 0, drawn 1, lost 0."
    assert said([(1.0, 0, 0.1)], wanted=2, first=7)[0].startswith("Game 7 of the journal, 1 of 2 asked for: won, ")
    (_, line, *_) = said([(1.0, 0, 0.1)], wanted=1, goal=1)
    assert (
        line.startswith("1 game: ")
        and "Goal met by the journals alone: 1 game in a row without a loss; the server's" in line
    )


def test_games_without_a_result_stand_beside_the_streak():
    standings = RunStandings(goal=20)
    for result in (1.0, 0.0, 1.0):
        standings.add(result)
    assert standings_line(standings) == "won 2, drawn 0, lost 0; streak 2 of 20, 1 game without a result"
    (line,) = run_lines(standings, "perfect")
    assert line.startswith("2 games: won 2, drawn 0, lost 0; streak 2 by the journals alone, 1 game without a result; ")


def test_a_drawn_board_stands_upright_and_a_move_is_put_with_its_score():
    lines = disc_text(Board.from_moves([3, 3]).to_grid(to_move=1)).plain.splitlines()
    assert {len(line) for line in lines} == {13} and {lines[4][6], lines[5][6]} == {"X", "O"}
    assert describe_move(Board(), Chosen(0.0, 3, score=1.0, proven=True, depth=12)) == "4, wins in 21 moves, depth 12"
    assert [describe_score(score, proven=False, ply=0) for score in (2.5, None)] == ["estimate +2.5", "no score"]
    assert streak_text(39, 20) == "streak 39, goal 20"


def test_an_outage_counts_down_in_a_terminal_and_takes_three_lines_elsewhere():
    outage = Outage("Down.", 30.0, 4.0)
    assert outage_line(outage, 1.5) == "Down. Trying again for 29 s; 3 s left for the move."
    assert outage_line(outage, 36.5) == "Down. Trying again for 0 s; the move is 33 s late."
    output = io.StringIO()
    view = ConsoleView(OutputConsole(file=output, width=200), 2)
    view.run_started(Started(0.0, limit_s=5.0), Path("journal"), RunStandings(goal=20))
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


def test_work_has_parts_and_may_have_no_total(monkeypatch):
    with progress.progress("games") as work:
        work.update(7, None)
        assert work.describe() == "games: 7"
        work.update(0, 2, "verification")
        work.advance()
        assert work.describe() == "verification: 1 of 2"
    monkeypatch.setattr(compiling, "CACHE", None)
    assert "no cache folder is writable" in progress._loading(0.0)
