"""The solver cut off by a deadline, a stop or a number of nodes, and in several threads: nothing false is told."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.engine import solver as solver_module
from bot.engine.agent import Stop
from bot.engine.analysis import Analyst
from bot.engine.deadline import MARGIN_S
from bot.engine.score import Solved, sign
from bot.engine.solver import Solver
from bot.game import Board
from tests.engine.virtual_time import VirtualTimer, virtual_time
from tests.positions import DRAWN, FIRST_WON, SolvedPosition, some

EMPTY = Board()
"""Takes minutes to solve."""
STOPPED = Stop()
STOPPED.set()


def check(told: Solved, known: SolvedPosition) -> None:
    """Check that everything told of a position is true."""
    assert -22 < told.lower <= known.score <= told.upper < 22
    assert told.outcome in (None, sign(known.score))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("nodes", [0, 7, 200, 4000])
@pytest.mark.parametrize("how", [{"deadline_s": 0.0}, {"deadline_s": 1e9, "stop": STOPPED}], ids=["deadline", "stop"])
def test_a_search_cut_off_at_any_node_proves_nothing_false(monkeypatch, nodes, threads, how) -> None:
    solver = Solver(1, threads)
    for known in some(8, 11, 16, seed=9):
        with monkeypatch.context() as patch:
            patch.setattr(solver_module, "_QUICK_NODES", nodes)
            told = solver.solve(known.board, **how)
            check(told, known)
            check(solver.solve(known.board, weak=True, **how), known)
            for options in ({}, {"weak": True}, {"best_only": True}):
                columns = solver.solve_columns(known.board, **options, **how)
                lowest = max(each.lower for each in columns if each is not None)
                assert lowest <= known.score <= max(each.upper for each in columns if each is not None)
        assert solver.solve(known.board, keep=True).score == known.score, "the table holds nothing false either"


@pytest.mark.parametrize("threads", [2, 4])
def test_a_team_proves_every_score(monkeypatch, threads: int) -> None:
    monkeypatch.setattr(solver_module, "_QUICK_NODES", 10)
    team = Solver(1, threads)
    for number, known in enumerate(some(100, 15, seed=11)):
        assert team.solve(known.board, keep=number % 3 > 0, guess=number % 7 - 3).score == known.score
        assert team.solve(known.board, weak=True).outcome == sign(known.score)
        low = known.score - number % 3
        told = team.solve(known.board, window=(low, low + 2))
        check(told, known)
        assert max(told.lower, low) >= min(told.upper, low + 2)
    assert max(each.lower for each in team.solve_columns(known.board) if each is not None) == known.score


def test_the_nodes_of_all_threads_are_counted(monkeypatch) -> None:
    (known,) = some(1, 10, 11, seed=13)
    alone = Solver().solve(known.board).nodes
    monkeypatch.setattr(solver_module, "_QUICK_NODES", 10)
    assert 0.3 * alone < Solver(threads=2).solve(known.board).nodes < 5 * alone


@pytest.mark.parametrize("threads", [1, 3])
def test_a_stop_ends_a_search_and_its_helpers(threads: int) -> None:
    before, solver, stop = set(threading.enumerate()), Solver(threads=threads), Stop()
    timer = threading.Timer(0.05, stop.set)
    timer.start()
    told = solver.solve(EMPTY, stop=stop)
    assert stop.is_set, "the solver did not end by itself"
    timer.join()
    assert told.lower <= 1 <= told.upper and not told.exact
    assert set(threading.enumerate()) == before


def test_the_timer_of_a_deadline_is_set_for_what_is_left_of_it() -> None:
    with virtual_time() as clock:
        clock.on_timer = VirtualTimer.fire_now
        told = Solver().solve(EMPTY, deadline_s=7.0)
    assert clock.intervals == [pytest.approx(7.0 - MARGIN_S)]
    assert not told.exact and told.nodes < 2 * solver_module._QUICK_NODES


def test_solvers_in_several_threads_do_not_disturb_each_other() -> None:
    def are_right(seed: int) -> bool:
        solver = Solver(1)
        return all(solver.solve(known.board).score == known.score for known in some(60, 13, seed=seed))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(are_right, range(4)))


@pytest.mark.parametrize(
    "board", [Board.from_moves(FIRST_WON), Board.from_moves(FIRST_WON).play(1), Board.from_moves(DRAWN)]
)
def test_a_game_that_is_won_or_went_on_after_a_win_or_is_full_is_refused(board: Board) -> None:
    for question in (Solver().solve, Solver().solve_columns, Analyst().analyse):
        with pytest.raises(ValueError, match="over"):
            question(board)
