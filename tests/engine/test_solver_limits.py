"""The solver under a deadline, a stop, in several threads, without a compiler; and what it refuses."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine import solver as solver_module
from bot.engine.agent import Stop
from bot.engine.analysis import Analyst
from bot.engine.deadline import MARGIN_S
from bot.engine.score import sign
from bot.engine.solver import Solver
from bot.game import Board
from tests.engine.positions import boards
from tests.engine.solved import some
from tests.engine.virtual_time import VirtualTimer, virtual_time

EMPTY = Board()
ANALYST = Analyst()
SOLVER = ANALYST.solver
HARD = some(25, 8, 15, seed=9)
"""Positions that a small budget does not finish."""


@pytest.fixture(scope="module", autouse=True)
def compiled():
    SOLVER.warm_up()


def bounds_enclose(solver: Solver, positions, **how) -> int:
    """Check that all bounds enclose the score; return how many searches were cut off."""
    cut = 0
    for position in positions:
        for weak in (False, True):
            told = solver.solve(position.board, weak=weak, **how)
            assert -22 < told.lower <= position.score <= told.upper < 22, position
            assert told.outcome in (None, sign(position.score))
            assert told.exact == (told.score is not None)
            cut += not told.exact if not weak else told.outcome is None
    return cut


@pytest.mark.parametrize("deadline_s", [0.0, 0.0005, 0.002, 0.01, 60.0])
def test_bounds_proven_by_a_deadline_enclose_the_score(deadline_s):
    cut = bounds_enclose(SOLVER, HARD, deadline_s=deadline_s)
    assert cut == 0 if deadline_s == 60.0 else cut > 0 or deadline_s > 0.001


@pytest.mark.parametrize("nodes", [0, 1, 7, 100, 1000, 5000])
def test_bounds_proven_within_a_number_of_nodes_enclose_the_score(monkeypatch, nodes):
    monkeypatch.setattr(solver_module, "_QUICK_NODES", nodes)
    assert bounds_enclose(SOLVER, HARD, deadline_s=0.0) > 0
    assert bounds_enclose(SOLVER, some(60, 20, seed=10), deadline_s=0.0) >= 0


def test_what_an_aborted_search_left_in_the_table_is_true(monkeypatch):
    solver = Solver()
    for nodes in (50, 500, 3000):
        for position in HARD[:12]:
            board = position.board
            with monkeypatch.context() as patch:
                patch.setattr(solver_module, "_QUICK_NODES", nodes)
                solver.solve(board, deadline_s=0.0)
            assert solver.solve(board, keep=True).score == position.score


@pytest.mark.parametrize("deadline_s", [0.01, 0.1, 0.3])
def test_a_deadline_is_kept_on_the_hardest_position_of_all(deadline_s):
    """It would take minutes to solve."""
    told = SOLVER.solve(EMPTY, deadline_s=deadline_s)
    assert told.lower <= 1 <= told.upper
    assert not told.exact
    assert told.outcome in (None, 1)


def test_the_timer_of_a_deadline_is_set_for_what_is_left_of_it():
    with virtual_time() as clock:
        clock.on_timer = VirtualTimer.fire_now
        told = SOLVER.solve(EMPTY, deadline_s=7.0)
    assert not told.exact
    assert clock.intervals == [pytest.approx(7.0 - MARGIN_S)]
    assert told.nodes < 2 * solver_module._QUICK_NODES


def test_columns_under_a_deadline_enclose_their_scores():
    for position in HARD[:8]:
        board = position.board
        exact = SOLVER.column_scores(board)
        told = SOLVER.solve_columns(board, deadline_s=0.01)
        assert [known is None for known in told] == [score is None for score in exact]
        for known, score in zip(told, exact, strict=True):
            assert known is None or score is None or known.lower <= score <= known.upper


@pytest.mark.parametrize("deadline_s", [0.0, 0.001, 0.005])
def test_a_principal_variation_cut_off_by_the_deadline_keeps_the_score_as_far_as_it_goes(monkeypatch, deadline_s):
    for position in HARD[:10]:
        with monkeypatch.context() as patch:
            patch.setattr(solver_module, "_QUICK_NODES", 20)
            line = ANALYST.line(position.board, position.score, deadline_s=deadline_s)
        board, score = position.board, position.score
        for column in line:
            board, score = board.play(column), -score
            assert board.is_over or SOLVER.solve(board).score == score


@pytest.mark.parametrize("after_s", [0.01, 0.1])
def test_another_thread_stops_a_solve_and_gets_true_bounds(after_s):
    stop = Stop()
    timer = threading.Timer(after_s, stop.set)
    timer.start()
    told = SOLVER.solve(EMPTY, stop=stop)
    assert stop.is_set, "the solver did not end by itself"
    timer.join()
    assert told.lower <= 1 <= told.upper
    assert not told.exact


def test_a_flag_set_beforehand_still_gets_true_bounds():
    stop = Stop()
    stop.set()
    bounds_enclose(SOLVER, HARD, stop=stop)
    columns = SOLVER.solve_columns(EMPTY, stop=stop)
    assert all(
        known is not None and known.lower <= score <= known.upper
        for known, score in zip(columns, (-2, -1, 0, 1, 0, -1, -2), strict=True)
    )
    position = HARD[0]
    assert SOLVER.solve(position.board).score == position.score


def test_several_solvers_at_once_in_threads_do_not_disturb_each_other():
    def scores(number: int) -> list[bool]:
        solver = Solver(1)
        positions = some(60, 13, seed=20 + number)
        return [solver.solve(p.board).score == p.score for p in positions]

    with ThreadPoolExecutor(4) as pool:
        assert all(all(right) for right in pool.map(scores, range(4)))


def refuse(board: Board) -> None:
    for question in (
        lambda: SOLVER.solve(board),
        lambda: SOLVER.solve(board, weak=True, deadline_s=0.1, keep=True),
        lambda: SOLVER.solve_columns(board),
        lambda: SOLVER.column_scores(board),
    ):
        with pytest.raises(ValueError, match=r"over|four"):
            question()


@settings(max_examples=80)
@given(boards(6, 40))
def test_a_game_that_has_been_won_is_refused(board):
    for column in board.legal_columns():
        if board.wins_with(column):
            refuse(board.play(column))


@settings(max_examples=80)
@given(boards(6, 40), st.integers(0, 41))
def test_a_game_that_went_on_after_a_win_is_refused(board, choice):
    """An impossible position: the side to move already has four in a row."""
    for column in board.legal_columns():
        if board.wins_with(column):
            won = board.play(column)
            replies = [reply for reply in range(7) if won.can_play(reply)]
            if replies:
                refuse(won.play(replies[choice % len(replies)]))


def test_a_full_board_is_refused():
    chance = random.Random(1)
    board = EMPTY
    while not (board.is_full and not board.has_winner):
        quiet = [column for column in board.legal_columns() if not board.play(column).has_winner]
        board = board.play(chance.choice(quiet)) if quiet else EMPTY
    refuse(board)


def test_a_kept_table_of_a_later_position_grows():
    board = some(1, 12, 12)[0].board
    cold = Solver().solve(board)
    late = some(1, 38, 38)[0].board
    fresh, used = Solver(), Solver()
    used.solve(late)
    for solver in (fresh, used):
        told = solver.solve(board, keep=True)
        assert told.score == cold.score
        assert told.nodes == pytest.approx(cold.nodes, rel=0.2)


def test_a_cold_search_visits_the_same_nodes_whatever_was_solved_before():
    first, other = some(2, 14, 14, seed=3)
    solver = Solver()
    cold = [solver.solve(first.board).nodes, solver.solve(other.board).nodes]
    assert cold == [Solver().solve(each.board).nodes for each in (first, other)]
    assert cold[0] == solver.solve(first.board).nodes
