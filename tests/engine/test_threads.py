"""Helper threads and their shared table: the same answers, and nothing left running."""

from __future__ import annotations

import threading
import time

import pytest

from bot.agent import Stop
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
    before = threading.active_count()
    solver, board = Solver(threads=3), Board()
    start = time.perf_counter()
    told = solver.solve(board, deadline_s=0.2)
    assert not told.exact and told.lower <= 1 <= told.upper
    stop = Stop()
    threading.Timer(0.2, stop.set).start()
    solver.solve(board, stop=stop)
    assert time.perf_counter() - start < 5
    time.sleep(0.3)
    assert threading.active_count() <= before
