"""What `play` prints: counts, who started, streaks beyond the goal, and move times of each game."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from bot.cli.console import OutputConsole, View, describe_move, describe_score, disc_text, streak_text
from bot.course.run.standings import RunStandings
from bot.course.session.events import Chosen, Started
from bot.game import Board


def said(games: list[tuple[float, int, float]], *, wanted: int, goal: int = 20, streak: int = 0) -> list[str]:
    """The lines of a run; each game is its result, the discs on the board when we first move, its slowest move."""
    output = io.StringIO()
    view = View(OutputConsole(file=output, width=200), wanted)
    standings = RunStandings(goal=goal, current=streak)
    view.run_started(Started(0.0), Path("journal"), standings)
    output.seek(0)
    output.truncate()
    for result, ply, move_s in games:
        board = Board.from_moves([3] * ply)
        view.game_started(board)
        view.decided(board, Chosen(0.0, 3, move_s=move_s))
        standings.slowest_move_s = max(standings.slowest_move_s, move_s)
        standings.add(result)
        view.game_ended(result, "44")
    view.run_ended()
    return output.getvalue().splitlines()


def test_each_game_has_its_own_slowest_move_and_starter() -> None:
    lines = said([(1.0, 0, 0.3), (0.5, 1, 0.02), (-1.0, 0, 0.001)], wanted=3)
    assert lines[0].startswith("Game 1 of 3: won, we started, moves 44, slowest move 300 ms;")
    assert lines[1].startswith("Game 2 of 3: drawn, the bot started, moves 44, slowest move 20 ms;")
    assert "slowest move 1.0 ms;" in lines[2] and "lost, we started" in lines[2]
    assert "slowest move 300 ms" in lines[3]


def test_the_sum_says_who_started() -> None:
    lines = said([(1.0, 0, 0.1), (1.0, 0, 0.1), (0.5, 1, 0.1)], wanted=3)
    assert lines[-2:] == [
        "We started 2 games: won 2, drawn 0, lost 0.",
        "The bot started 1 game: won 0, drawn 1, lost 0.",
    ]


def test_one_game_is_singular() -> None:
    line = said([(1.0, 0, 0.1)], wanted=1, goal=1)[1]
    assert line.startswith("1 game: ") and line.endswith("Goal met: 1 game in a row without a loss.")


@pytest.mark.parametrize(
    ("streak", "text"), [(0, "streak 0 of 20"), (19, "streak 19 of 20"), (39, "streak 39 (goal 20 reached)")]
)
def test_a_streak_is_never_more_than_all_of_its_goal(streak: int, text: str) -> None:
    assert streak_text(streak, 20) == text


def test_a_game_is_never_more_than_all_games_of_the_run() -> None:
    """A resumed run may first record the end of a game that a crash kept from being recorded."""
    lines = said([(1.0, 0, 0.1), (1.0, 0, 0.1)], wanted=1)
    assert [line.split(":")[0] for line in lines[:2]] == ["Game 1 of 1", "Game 2 of 2"]


def test_scores_are_outcomes_and_distances() -> None:
    assert describe_move(Board(), Chosen(0.0, 3, score=1.0, proven=True, depth=12)) == "4, wins in 21 moves, depth 12"
    assert describe_score(2.5, proven=False, ply=0) == "estimate +2.5"
    assert describe_score(None, proven=False, ply=0) == "no score"


def test_a_drawn_board_has_no_blanks_at_the_ends_of_its_lines() -> None:
    lines = disc_text(Board.from_moves([3, 3]).to_grid(to_move=1)).plain.splitlines()
    assert [len(line) for line in lines] == [13] * 7
    assert {lines[4][6], lines[5][6]} == {"X", "O"}
