"""Helper threads and their shared table: the same answers, and nothing left running."""

from __future__ import annotations

import threading

import pytest

from bot.engine import solver as solver_module
from bot.engine.agent import Stop
from bot.engine.score import sign
from bot.engine.solver import Solver
from bot.game import Board
from bot.trials.bench.positions import random_positions
from tests.engine.solved import some


def test_several_threads_prove_the_same_scores() -> None:
    one, several = Solver(), Solver(threads=3)
    for position in random_positions(12, 20, 3):
        assert several.solve(position.board).score == one.solve(position.board).score


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("weak", [False, True])
def test_a_team_from_the_first_node_on_proves_every_score(monkeypatch, threads: int, weak: bool) -> None:
    monkeypatch.setattr(solver_module, "_QUICK_NODES", 10)
    cold, kept = Solver(1, threads), Solver(1, threads)
    for number, position in enumerate(some(120, 16, seed=11)):
        for told in (
            cold.solve(position.board, weak=weak),
            kept.solve(position.board, weak=weak, keep=number > 0, guess=number % 7 - 3),
        ):
            assert told.lower <= position.score <= told.upper
            assert told.outcome == sign(position.score) if weak else told.exact


def test_windows_bounds_and_stops_mean_the_same_for_a_team(monkeypatch) -> None:
    monkeypatch.setattr(solver_module, "_QUICK_NODES", 10)
    team, stopped = Solver(1, 2), Stop()
    stopped.set()
    for number, position in enumerate(some(60, 14, seed=12)):
        score = position.score
        low = score - number % 3
        told = team.solve(position.board, window=(low, low + 2))
        assert told.lower <= score <= told.upper
        assert max(told.lower, low) >= min(told.upper, low + 2)
        for how in ({"stop": stopped}, {"deadline_s": 0.0}):
            cut = team.solve(position.board, **how)
            assert cut.lower <= score <= cut.upper
    assert not stopped_threads()


def test_nodes_of_all_threads_are_counted(monkeypatch) -> None:
    position = some(1, 10, 11, seed=13)[0]
    alone = Solver().solve(position.board)
    monkeypatch.setattr(solver_module, "_QUICK_NODES", 10)
    together = Solver(threads=2).solve(position.board)
    assert together.score == alone.score == position.score
    assert 0.3 * alone.nodes < together.nodes < 5 * alone.nodes


def stopped_threads() -> list[threading.Thread]:
    """Return the helper threads that are still there."""
    return [
        thread for thread in threading.enumerate() if thread is not threading.main_thread() and "(work)" in str(thread)
    ]


@pytest.mark.parametrize("weak", [False, True])
def test_several_threads_tell_the_same_of_every_column(weak: bool) -> None:
    one, several = Solver(), Solver(threads=2)
    for position in random_positions(13, 6, 4):
        assert [told and told.outcome for told in several.solve_columns(position.board, weak=weak)] == [
            told and told.outcome for told in one.solve_columns(position.board, weak=weak)
        ]


def test_a_deadline_and_a_stop_end_the_helpers_too() -> None:
    before = set(threading.enumerate())
    solver, board = Solver(threads=3), Board()
    told = solver.solve(board, deadline_s=0.2)
    assert not told.exact and told.lower <= 1 <= told.upper
    stop = Stop()
    threading.Timer(0.2, stop.set).start()
    solver.solve(board, stop=stop)
    assert stop.is_set, "the solver did not end by itself"
    left = set(threading.enumerate()) - before
    assert {type(thread) for thread in left} <= {threading.Timer}, "no helper is left"
    for timer in left:
        timer.join()
