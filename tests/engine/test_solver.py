"""The exact solver: 2,235 known scores, plain Python, and every question that may be asked of a position."""

from __future__ import annotations

import copy
import pickle
import random

import pytest
from hypothesis import assume, given, settings

from bot.engine.score import finished_score, sign
from bot.engine.solver import Solver
from bot.game import Board, format_moves
from tests.engine import reference_solve as reference
from tests.positions import boards, solved, some

SOLVER = Solver()


@pytest.mark.parametrize(("least", "most", "nodes"), [(8, 11, 11_872_093), (12, 15, 5_201_867), (16, 40, 797_924)])
def test_every_known_score_and_outcome_is_proven_with_no_more_nodes_than_before(least, most, nodes) -> None:
    """The limits are the sums of the day when this test was written; a better order of moves may lower them."""
    wrong, visited = [], 0
    for known in solved(least, most):
        exact, weak = SOLVER.solve(known.board), SOLVER.solve(known.board, weak=True)
        visited += exact.nodes + weak.nodes
        is_enclosed = weak.lower <= known.score <= weak.upper
        if exact.score != known.score or weak.outcome != sign(known.score) or not is_enclosed:
            wrong.append(format_moves(known.columns))
    assert not wrong
    assert visited <= nodes


def test_the_known_positions_are_of_every_ply_and_outcome() -> None:
    positions = solved()
    assert {known.board.ply for known in positions} == set(range(8, 41))
    for outcome in (1, 0, -1):
        assert sum(sign(known.score) == outcome for known in positions) > 200


@settings(max_examples=100)
@given(boards(31, 41))
def test_late_positions_have_the_score_of_plain_python(board: Board) -> None:
    assume(board.ply >= 28)
    mover = 1 if board.ply % 2 == 0 else -1
    assert SOLVER.solve(board).score == reference.solve(reference.columns_of(board.to_grid(mover), 1))


def test_a_table_kept_from_a_late_position_grows_for_an_early_one() -> None:
    (late,), (early,) = some(1, 38), some(1, 12, 12)
    kept, cold = Solver(), Solver().solve(early.board)
    kept.solve(late.board)
    assert kept.solve(early.board, keep=True).nodes < 1.2 * cold.nodes


@pytest.mark.parametrize("table_mb", [0, 1, 64])
def test_neither_window_nor_guess_nor_kept_table_changes_what_is_proven(table_mb: int) -> None:
    solver, chance = Solver(table_mb), random.Random(table_mb)
    for known in some(150, 12, seed=table_mb):
        low, high = sorted(chance.sample(range(-22, 23), 2))
        guess, keep = chance.randint(-100, 100), chance.random() < 0.8
        told = solver.solve(known.board, window=(low, high), guess=guess, keep=keep)
        assert told.lower <= known.score <= told.upper
        assert told.exact or told.upper <= low or told.lower >= high


def child_scores(board: Board) -> list[int | None]:
    """Return every column's score, each child solved with an empty table."""
    children = [board.play(column) if board.can_play(column) else None for column in range(7)]
    return [child and -(finished_score(child) if child.is_over else SOLVER.solve(child).lower) for child in children]


@pytest.mark.parametrize("how", [{}, {"weak": True}, {"best_only": True}], ids=str)
@pytest.mark.parametrize("is_known", [False, True])
def test_columns_have_the_scores_of_their_children(how: dict[str, bool], is_known: bool) -> None:
    for known in [*some(5, 10, 12), *some(80, 13, seed=12)]:
        told = SOLVER.solve_columns(known.board, score=known.score if is_known else None, **how)
        for column, (bounds, score) in enumerate(zip(told, child_scores(known.board), strict=True)):
            assert (bounds is None) == (score is None) == (not known.board.can_play(column))
            if bounds is not None and score is not None:
                assert bounds.lower <= score <= bounds.upper <= known.score or how
                assert bounds.exact or how
                assert bounds.outcome == sign(score) or "weak" not in how
                assert (bounds.exact if score == known.score else bounds.upper < known.score) or "best_only" not in how


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda solver: pickle.loads(pickle.dumps(solver))])
def test_a_copy_has_arrays_of_its_own(copied) -> None:
    """Kernels take the addresses of a solver's arrays: a copy with the same ones could write into freed memory."""
    first, second = some(2, 14, 14, seed=3)
    solver = Solver(1)
    solver.solve(first.board)
    other = copied(solver)
    del solver
    told, expected = other.solve(second.board, keep=True), Solver(1).solve(second.board)
    assert (told.score, told.nodes) == (second.score, expected.nodes)
