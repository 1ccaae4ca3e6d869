"""The lessons: the solver proves every position, and each line that is shown ends as it says."""

from __future__ import annotations

from functools import reduce

import pytest

from bot.engine.score import sign
from bot.game import Board
from bot.learn.coach.position import threats
from bot.learn.coach.reason import ReasonKind
from bot.learn.lessons import LESSONS, Exercise, lessons_json
from tests.learn.exact import scores_of

EXERCISES = [exercise for lesson in LESSONS for exercise in lesson.exercises]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.moves)
def test_the_right_columns_keep_the_outcome_and_no_other_does(exercise: Exercise):
    board = Board.from_moves(exercise.moves)
    outcomes = {column: sign(score) for column, score in scores_of(board).items()}
    best = max(outcomes.values())
    assert best >= 0 and len(exercise.reason.line) <= 9, "short enough to be followed on the board"
    assert exercise.columns == tuple(column for column, outcome in outcomes.items() if outcome == best)
    assert len(exercise.columns) < len(outcomes)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.moves)
def test_the_coach_shows_why_by_a_line_that_ends_in_a_four(exercise: Exercise):
    reason, board = exercise.reason, Board.from_moves(exercise.moves)
    assert exercise.answer.endswith(reason.text)
    end = reduce(Board.play, reason.line, board)
    is_right = reason.line[0] in exercise.columns
    assert end.winner == reason.player == (board.ply % 2 + 1 if is_right else 2 - board.ply % 2)


def test_a_lesson_has_three_positions_and_every_reason_of_the_coach_leads_to_one():
    assert {len(lesson.exercises) for lesson in LESSONS} == {3}
    assert sorted(kind for lesson in LESSONS for kind in lesson.kinds) == sorted(ReasonKind)
    assert len({exercise.moves for exercise in EXERCISES}) == len(EXERCISES), "progress is kept by the moves"
    waiting = lessons_json()[3]["exercises"][1]["threats"]
    assert (20, 1, "odd") in [(threat["cell"], threat["player"], threat["kind"]) for threat in waiting]


def test_an_exercise_shows_a_right_column_first_and_rings_the_own_threats_that_wait():
    shown = [each for lesson in lessons_json() for each in lesson["exercises"]]
    for exercise, each in zip(EXERCISES, shown, strict=True):
        seen = threats(Board.from_moves(exercise.moves))
        mover = len(exercise.moves) % 2 + 1
        own = [one.cell for one in seen if one.player == mover and one.kind not in ("playable", "useless")]
        assert each["ringed"] == (own if all(one.kind != "playable" for one in seen) else [])
        assert each["line"][0] in exercise.columns
