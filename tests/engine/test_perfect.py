"""The agent `perfect`: what it knows without the compiler, and that no search overrules what the solver has proven."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.agent import Decision, Limit
from bot.engine.deadline import Deadline
from bot.engine.minimax import Minimax
from bot.engine.perfect import Perfect
from bot.engine.score import Solved
from bot.engine.traps import MODEL_DEPTH, likely_replies
from bot.game import Board
from tests.engine.positions import sample

LATE = "3117537462"


def test_plain_python_finds_the_same_likely_replies_as_the_kernel() -> None:
    for board in [Board(), *sample(60, 1, 41, seed=4)]:
        assert list(likely_replies(board)) == Minimax.best_columns(board, MODEL_DEPTH, Deadline.never())[1]


def test_a_choice_by_the_book_is_the_same_before_and_after_warming_up() -> None:
    cold, warm = Perfect(), Perfect()
    warm.warm_up()
    for moves in ("4", "4453", "44444", "4141", LATE[:7]):
        board = Board.from_moves(moves)
        assert cold.is_ready(board)
        assert replace(cold.choose(board, Limit()), seconds=0.0) == replace(warm.choose(board, Limit()), seconds=0.0)
    assert "solver" not in vars(cold._analyst), "the solver is not loaded"


def test_beyond_the_book_the_kernels_are_needed() -> None:
    ready = [Perfect().is_ready(Board.from_moves(LATE[:ply])) for ply in range(len(LATE) + 1)]
    assert ready == [True] * 8 + [False] * 3


def test_a_search_does_not_play_what_the_solver_has_proven_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    board, perfect = Board.from_moves(LATE), Perfect()
    open_, worse = Solved(-2, 3), Solved(-5, -4)
    proven = [[open_] * 7, [open_, open_, worse, open_, Solved(0, 1), open_, open_]]
    monkeypatch.setattr(perfect._analyst, "columns", lambda *_, **__: proven.pop(0))
    monkeypatch.setattr(perfect._search, "choose", lambda *_: Decision(2, source="search"))
    assert perfect.choose(board, Limit()).column == 2, "nothing is proven against it"
    again = perfect.choose(board, Limit())
    assert (again.column, again.source) == (4, "solver")
