"""Windows and columns: exact scores inside the window, true bounds outside."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine import solver as solver_module
from bot.engine.score import Solved, finished_score, sign
from bot.engine.solver import Solver
from bot.game import Board
from tests.engine.positions import boards
from tests.engine.solved import some

SOLVER = Solver()
EARLY_AND_LATE = some(10, 9, 12, seed=11) + some(50, 13, seed=12)


def exact_columns(board: Board) -> list[int | None]:
    """Return every column's score, each child solved with an empty table."""
    scores: list[int | None] = []
    for column in range(7):
        if not board.can_play(column):
            scores.append(None)
            continue
        child = board.play(column)
        value = finished_score(child) if child.is_over else SOLVER.solve(child).lower
        scores.append(-value)
    return scores


def check(told: list[Solved | None], scores: list[int | None]) -> None:
    """Check that full columns have no bounds and that the others' bounds enclose their scores."""
    for known, score in zip(told, scores, strict=True):
        assert (known is None) == (score is None)
        if known is not None and score is not None:
            assert known.lower <= score <= known.upper


@pytest.mark.parametrize("seed", range(4))
def test_a_window_gives_the_score_inside_and_a_true_bound_outside(seed):
    chance = random.Random(seed)
    for position in some(120, 12, seed=30 + seed):
        low, high = sorted((chance.randint(-21, 21), chance.randint(-21, 21)))
        told = SOLVER.solve(position.board, window=(low, high), guess=chance.randint(-22, 22))
        assert told.lower <= position.score <= told.upper
        if low < position.score < high:
            assert told.exact
        elif low < high:
            assert told.upper <= low or told.lower >= high or told.exact


@settings(max_examples=60)
@given(boards(20, 41), st.booleans(), st.booleans())
def test_the_best_columns_alone_are_exact_and_the_others_proven_worse(board, keep, known):
    scores = exact_columns(board)
    best = max(score for score in scores if score is not None)
    told = SOLVER.solve_columns(board, best_only=True, keep=keep, score=best if known else None)
    check(told, scores)
    for answer, score in zip(told, scores, strict=True):
        if answer is not None:
            assert answer.score == best if score == best else answer.upper < best


@settings(max_examples=60)
@given(boards(16, 41))
def test_columns_asked_for_their_outcome_tell_it(board):
    scores = exact_columns(board)
    told = SOLVER.solve_columns(board, weak=True)
    check(told, scores)
    assert [answer and answer.outcome for answer in told] == [
        None if score is None else sign(score) for score in scores
    ]


def test_early_positions_too_with_the_score_known_or_not():
    for position in EARLY_AND_LATE:
        board = position.board
        scores = exact_columns(board)
        for best_only in (False, True):
            for score in (None, position.score):
                told = SOLVER.solve_columns(board, best_only=best_only, score=score)
                check(told, scores)
                assert best_only or [answer and answer.score for answer in told] == scores
        assert max(score for score in scores if score is not None) == position.score


@pytest.mark.parametrize("best_only", [False, True])
@pytest.mark.parametrize("weak", [False, True])
def test_columns_cut_off_at_any_point_tell_nothing_false(monkeypatch, best_only, weak):
    for position in EARLY_AND_LATE[:10]:
        board = position.board
        scores = exact_columns(board)
        for nodes in (0, 10, 200, 4000):
            with monkeypatch.context() as patch:
                patch.setattr(solver_module, "_QUICK_NODES", nodes)
                told = SOLVER.solve_columns(board, best_only=best_only, weak=weak, deadline_s=0.0)
            check(told, scores)
