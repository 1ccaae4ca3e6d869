"""The review of recorded games: moves that gave value away, moves that were slower, moves that cannot be judged."""

from __future__ import annotations

import pytest
from bot.course.journal.steps import Replay, Step

from bot.course.journal.reader import Game
from bot.course.run.move_review import MoveReview, Reviewer
from bot.game import Board, parse_moves

DRAW = "257771314744647214154617633623313656555222"


@pytest.fixture(scope="module")
def reviewer() -> Reviewer:
    return Reviewer()


def step(moves: str, column: int, **known: object) -> Step:
    """Return our move in column 1..7 on the board after ``moves``."""
    grid = Board.from_moves(parse_moves(moves)).to_grid()
    intent = {"safe": False} if known.pop("unsafe", False) else {}
    return Step(column - 1, intent, grid, met=grid, **known)  # type: ignore[arg-type]


def review(reviewer: Reviewer, *steps: Step, outcomes_only: bool = False) -> MoveReview:
    return reviewer.review(Replay(Game(1), list(steps)), outcomes_only)


@pytest.mark.parametrize("outcomes_only", [False, True], ids=["scores", "outcomes"])
def test_a_move_that_gives_the_win_away_is_named(reviewer: Reviewer, outcomes_only: bool) -> None:
    report = review(reviewer, step("", 1), step("", 4), outcomes_only=outcomes_only)
    assert (report.checked, report.slower, report.excused, report.unchecked) == (2, [], [], [])
    (text,) = report.given_away
    assert text.startswith("Move 0 (column 1) gives value away: column ")
    assert "a loss" in text


@pytest.mark.parametrize("outcomes_only", [False, True], ids=["scores", "outcomes"])
def test_it_is_excused_where_no_column_was_safe(reviewer: Reviewer, outcomes_only: bool) -> None:
    report = review(reviewer, step("", 1, certain=False, unsafe=True), outcomes_only=outcomes_only)
    assert (report.checked, report.given_away, len(report.excused)) == (1, [], 1)


def test_a_slower_win_is_not_a_mistake(reviewer: Reviewer) -> None:
    board = "1141775621765352"
    scores = [bounds and bounds.score for bounds in reviewer.columns(Board.from_moves(parse_moves(board)))]
    assert scores == [3, -13, -13, -13, 13, -13, -13]
    report = review(reviewer, step(board, 1), step(board, 5), step(board, 2))
    assert report.checked == 3
    assert report.slower == ["Move 0 (column 1) scores +3; column 5 scores +13."]
    assert report.given_away == ["Move 2 (column 2) gives value away: column 5 is a win, this a loss."]
    assert review(reviewer, step(board, 1), outcomes_only=True) == MoveReview(checked=1)


def test_mirrored_boards_are_mirrored_columns(reviewer: Reviewer) -> None:
    board = Board.from_moves(parse_moves(DRAW[:20]))
    assert reviewer.columns(board.mirror()) == reviewer.columns(board)[::-1]


@pytest.mark.parametrize("outcomes_only", [False, True], ids=["scores", "outcomes"])
def test_what_the_board_does_not_allow_is_not_judged(reviewer: Reviewer, outcomes_only: bool) -> None:
    full, over = step("444444", 4), step("1212121", 3)
    report = review(reviewer, full, over, step("", 4, undone=True), outcomes_only=outcomes_only)
    assert report.checked == 0
    assert [text.partition(":")[0] for text in report.unchecked] == ["Move 0 (column 4)", "Move 1 (column 3)"]


@pytest.mark.parametrize("outcomes_only", [False, True], ids=["scores", "outcomes"])
def test_a_position_that_is_not_solved_in_time_is_unchecked(
    outcomes_only: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.engine.solver._QUICK_NODES", 10)
    impatient = Reviewer(patience_s=0.0)
    report = review(impatient, step("4444414322", 6), outcomes_only=outcomes_only)
    assert report.checked == 0 and "not solved within 0 s" in report.unchecked[0]
