"""The exact solver against another solver, plain Python, mirror images and its own children."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.engine.analysis import Analyst
from bot.engine.score import Solved, finished_score, sign
from bot.engine.solver import Solver
from bot.game import Board, parse_moves
from tests.engine import reference_solve as reference
from tests.engine.positions import boards
from tests.engine.solved import FILE, SolvedPosition, fixture, some

ANALYST = Analyst()
SOLVER = ANALYST.solver
EARLY = 12
"""Ply before which positions take long, so that only some of them are solved."""


def solve(board: Board, **how) -> Solved:
    return SOLVER.solve(board, **how)


GROUPS = [pytest.param(8, 9, marks=pytest.mark.slow), (10, 11), (12, 15), (16, 23), (24, 31), (32, 40)]
"""Numbers of discs of the fixture's positions, which are solved group by group."""


def reference_score(board: Board) -> int:
    mover = 1 if board.ply % 2 == 0 else -1
    return reference.solve(reference.columns_of(board.to_grid(mover), 1))


def names(positions: list[SolvedPosition]) -> list[str]:
    return ["".join(str(column + 1) for column in position.columns) for position in positions]


def test_the_fixture_is_what_it_says():
    positions = fixture()
    assert len(positions) >= 2000
    assert len({position.board for position in positions}) == len(positions)
    assert {position.board.ply for position in positions} == set(range(8, 41))
    kinds = Counter(line.split()[2] for line in FILE.read_text().splitlines() if not line.startswith("#"))
    assert kinds.keys() == {"random", "search", "full", "forced", "mirror"}
    outcomes = Counter(sign(position.score) for position in positions)
    assert min(outcomes[1], outcomes[0], outcomes[-1]) > 200
    scores = {position.board: position.score for position in positions}
    pairs = [(score, scores[board.mirror()]) for board, score in scores.items() if board.mirror() in scores]
    assert len(pairs) >= 2 * kinds["mirror"]
    assert all(one == other for one, other in pairs)


@pytest.mark.parametrize(("least", "most"), GROUPS)
def test_every_exact_score_is_the_other_solvers(least, most):
    positions = [found for found in fixture() if least <= found.board.ply <= most]
    wrong = [found for found in positions if solve(found.board).score != found.score]
    assert not names(wrong)


@pytest.mark.parametrize(("least", "most"), GROUPS)
def test_every_outcome_is_the_sign_of_the_score_and_its_bounds_enclose_it(least, most):
    wrong = []
    for found in fixture():
        if least <= found.board.ply <= most:
            told = solve(found.board, weak=True)
            if told.outcome != sign(found.score) or not told.lower <= found.score <= told.upper:
                wrong.append(found)
    assert not names(wrong)


@settings(max_examples=150)
@given(boards(31, 41))
def test_late_positions_have_the_score_of_plain_python(board):
    assume(board.ply >= 28)
    assert solve(board).score == reference_score(board)


@pytest.mark.parametrize("position", some(8, 26, 29, seed=4), ids=lambda position: f"ply{position.board.ply}")
def test_plain_python_agrees_with_the_fixture_too(position):
    assert reference_score(position.board) == position.score


@settings(max_examples=150)
@given(boards(16, 41))
def test_the_mirror_image_has_the_same_score(board):
    assert solve(board).score == solve(board.mirror()).score


@settings(max_examples=100)
@given(boards(16, 41))
def test_the_score_is_the_best_of_minus_the_childrens(board):
    children = [board.play(column) for column in board.legal_columns()]
    values = [-finished_score(child) if child.is_over else -solve(child).lower for child in children]
    assert solve(board).score == max(values)
    outcomes = [sign(finished_score(child)) if child.is_over else solve(child, weak=True).outcome for child in children]
    assert solve(board, weak=True).outcome == max(-known for known in outcomes if known is not None)
    assert solve(board, weak=True).outcome == sign(max(values))
    assert None not in outcomes


@settings(max_examples=100)
@given(boards(16, 41))
def test_every_column_has_the_score_of_its_child(board):
    columns = SOLVER.solve_columns(board)
    assert [told is not None for told in columns] == [board.can_play(column) for column in range(7)]
    for column in board.legal_columns():
        child = board.play(column)
        told = columns[column]
        assert told is not None
        assert told.score == (-finished_score(child) if child.is_over else -solve(child).lower)
    scores = SOLVER.column_scores(board)
    assert scores == [None if told is None else told.score for told in columns]
    assert max(score for score in scores if score is not None) == solve(board).score


@pytest.mark.parametrize("position", some(30, 14, seed=5), ids=lambda position: f"ply{position.board.ply}")
def test_the_principal_variation_ends_as_the_score_says_and_keeps_it_all_along(position):
    board, score = position.board, position.score
    line = ANALYST.line(board, score, deadline_s=60.0)
    for column in line:
        assert solve(board).score == score
        board, score = board.play(column), -score
    assert board.is_over
    assert finished_score(board) == score


def test_neither_guess_nor_a_kept_table_changes_a_score():
    chance = random.Random(3)
    positions = some(250, EARLY, seed=6)
    solver = Solver()
    for number, position in enumerate(positions):
        guess = chance.choice([-100, -21, -5, -1, 0, 1, 5, 21, 100, position.score])
        weak = chance.random() < 0.3
        told = solver.solve(
            position.board,
            guess=guess,
            keep=number > 0 and chance.random() < 0.8,
            weak=weak,
        )
        assert told.lower <= position.score <= told.upper
        assert told.outcome == sign(position.score)
        assert weak or told.exact


def test_relatives_solved_with_one_table_keep_their_scores():
    """Along a game and back again, where neighbouring positions have filled the table."""
    solver = Solver()
    for position in some(12, 24, 40, seed=7):
        line = [Board.from_moves(position.columns[:length]) for length in range(EARLY + 2, len(position.columns) + 1)]
        fresh = [solve(board).lower for board in line]
        kept = [solver.solve(b, keep=n > 0, weak=False).score for n, b in enumerate(line)]
        back = [solver.solve(b, keep=True).score for b in reversed(line)][::-1]
        assert fresh == kept == back
        assert all(before >= -after for before, after in pairwise(fresh))


@pytest.mark.parametrize("table_mb", [0, 1, 64])
def test_the_tables_size_changes_no_score(table_mb):
    solver = Solver(table_mb)
    for position in some(60, 14, seed=8):
        assert solver.solve(position.board).score == position.score


@pytest.mark.parametrize(
    ("moves", "score"),
    [
        pytest.param("414141", 18, id="a win at once"),
        pytest.param("33445", -18, id="both ends open"),
    ],
)
def test_known_positions(moves, score):
    assert solve(Board.from_moves(parse_moves(moves))).score == score


@given(st.integers(0, 2**32))
def test_the_last_disc_wins_or_draws(seed):
    chance = random.Random(seed)
    board = Board()
    while board.ply < 41:
        quiet = [column for column in board.legal_columns() if not board.play(column).is_over]
        board = board.play(chance.choice(quiet)) if quiet else Board()
    (column,) = board.legal_columns()
    told = solve(board)
    assert told.score == (1 if board.wins_with(column) else 0)
    assert told.nodes <= 1


def test_the_twins_of_a_symmetric_board_are_found_in_the_table():
    board = Board.from_moves([0, 0, 6, 6, 0, 1, 6, 5, 0, 2, 6, 4, 2, 1, 4, 5])
    assert board == board.mirror() and not board.is_over
    told = Solver().solve_columns(board)
    assert [one and one.score for one in told] == [one and one.score for one in told[::-1]]
    assert all(one.nodes < 5 for one in told[4:] if one is not None), [one and one.nodes for one in told]
    plain = [None if not board.can_play(column) else board.play(column) for column in range(7)]
    expected = [child and -Solver().solve(child).lower for child in plain]
    assert [one and one.score for one in told] == expected


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda solver: pickle.loads(pickle.dumps(solver))])
def test_a_copy_has_arrays_of_its_own(copied):
    """Kernels take the addresses of a solver's arrays: a copy with the same ones could write into freed memory."""
    first, second = some(2, 14, 14, seed=3)
    solver = Solver(1)
    solver.solve(first.board)
    other = copied(solver)
    del solver
    told, expected = other.solve(second.board, keep=True), Solver(1).solve(second.board)
    assert (told.score, told.nodes) == (second.score, expected.nodes)
