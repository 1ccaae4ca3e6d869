"""Helper threads and their shared table: the same answers, and nothing left running."""

from __future__ import annotations

import threading

import pytest

from bot.agent_types import Stop
from bot.bench.positions import random_positions
from bot.bench.threads import compare
from bot.engine.solver import Solver
from bot.game import Board


def test_several_threads_prove_the_same_scores() -> None:
    told = list(compare(random_positions(12, 20, 3), threads=3))
    assert len(told) == 20
    assert all(one.agree for one in told)


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
