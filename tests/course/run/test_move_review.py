"""The review of recorded games: moves that gave value away, moves that were slower, moves that cannot be judged."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import pytest

from bot.course.journal.games import Game, Step
from bot.course.run.move_review import MoveReview, Reviewer
from bot.course.session.events import Chosen
from bot.course.session.position import EMPTY, Position
from bot.game import parse_moves
from tests.course.journal.build import NOT_SENT


@pytest.fixture(scope="module")
def reviewer() -> Reviewer:
    return Reviewer()


def position(moves: str) -> Position:
    return reduce(Position.play, parse_moves(moves), replace(EMPTY, we_started=len(moves) % 2 == 0))


def step(moves: str, column: int, *, before: str | None = "known", safe: bool = True) -> Step:
    """Return our move in column 1..7 on the board after ``moves``; ``before``: those it was chosen for, if others."""
    known = position(moves) if before == "known" else None if before is None else position(before)
    after = position(moves).play(column - 1)
    return Step(Chosen(0.0, column - 1, safe=safe), known, after=after)


def review(reviewer: Reviewer, *steps: Step, outcomes_only: bool = False) -> MoveReview:
    return reviewer.review(Game(1, list(steps)), outcomes_only)


@pytest.mark.parametrize("outcomes_only", [False, True], ids=["scores", "outcomes"])
def test_a_move_that_gives_the_win_away_is_named(reviewer: Reviewer, outcomes_only: bool) -> None:
    report = review(reviewer, step("", 1), step("", 4), outcomes_only=outcomes_only)
    assert (report.checked, report.slower, report.excused, report.unchecked) == (2, [], [], [])
    (text,) = report.given_away
    assert text.startswith("Move 1 (column 1) gives value away: column ")
    assert "a loss" in text


@pytest.mark.parametrize("outcomes_only", [False, True], ids=["scores", "outcomes"])
def test_it_is_excused_where_no_column_was_safe(reviewer: Reviewer, outcomes_only: bool) -> None:
    report = review(reviewer, step("", 1, before=None, safe=False), outcomes_only=outcomes_only)
    assert (report.checked, report.given_away, len(report.excused)) == (1, [], 1)


def test_a_slower_win_is_not_a_mistake(reviewer: Reviewer) -> None:
    board = "1141775621765352"
    report = review(reviewer, step(board, 1), step(board, 5), step(board, 2))
    assert report.checked == 3
    assert report.slower == ["Move 9 (column 1) scores +3; column 5 scores +13."]
    assert report.given_away == ["Move 9 (column 2) gives value away: column 5 is a win, this a loss."]
    found = review(reviewer, step(board, 1), outcomes_only=True)
    assert (found.checked, found.given_away, found.unchecked) == (1, [], [])


def test_a_slower_move_that_the_plan_chose_as_the_safer_one_is_not_listed(reviewer: Reviewer) -> None:
    slower = step("1141775621765352", 1)
    slower.chosen = replace(slower.chosen, source="plan")
    assert review(reviewer, slower) == MoveReview(checked=1)


def test_a_move_chosen_for_the_game_before_is_excused_and_one_without_a_board_is_not_judged(
    reviewer: Reviewer,
) -> None:
    for_another, safe = step("", 1, before="4141"), step("", 1, before=None)
    doubtful = Step(Chosen(0.0, 3))
    report = review(reviewer, for_another, safe, doubtful)
    assert (report.checked, len(report.excused), len(report.given_away)) == (2, 1, 1)


def test_a_move_whose_reply_was_lost_is_judged_on_the_board_that_it_was_chosen_for(reviewer: Reviewer) -> None:
    lost, not_sent = Step(Chosen(0.0, 0), position("")), Step(Chosen(0.0, 0), position(""), NOT_SENT)
    report = review(reviewer, lost, not_sent)
    assert (report.checked, len(report.given_away)) == (1, 1)


@pytest.mark.parametrize("outcomes_only", [False, True], ids=["scores", "outcomes"])
def test_a_position_that_is_not_solved_in_time_is_unchecked(
    outcomes_only: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.engine.solver._QUICK_NODES", 10)
    impatient = Reviewer(patience_s=0.0)
    report = review(impatient, step("4444414322", 6), outcomes_only=outcomes_only)
    assert report.checked == 0 and "not solved within 0 s" in report.unchecked[0]
