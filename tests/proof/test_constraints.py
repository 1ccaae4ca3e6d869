"""The search for a diagram, compared with trying every order of the empty cells in the plain checker."""

from __future__ import annotations

from itertools import permutations

import pytest

from bot.game import Board
from bot.game.board import COLUMNS, ROWS, STRIDE
from bot.proof import check
from bot.proof.builder.finder import Finder
from tests.engine.positions import sample

BUDGET = 1_000_000
CELLS = range(COLUMNS * ROWS)


def keeps(board: Board, order: bytes, must_win: bool) -> bool:
    """Return whether check.py accepts the diagram ``order`` from ``board``."""
    try:
        check.follow((board.current, board.opponent), order, 0, must_win)
    except ValueError:
        return False
    return True


def any_order_keeps(board: Board, must_win: bool) -> bool:
    """Return whether some diagram keeps the promise: only the order of the empty cells matters."""
    filled = [cell for cell in CELLS if board.mask >> cell // ROWS * STRIDE + cell % ROWS & 1]
    empty = [cell for cell in CELLS if cell not in filled]
    return any(keeps(board, bytes([*order, *filled]), must_win) for order in permutations(empty))


@pytest.mark.parametrize("must_win", [True, False])
def test_a_diagram_is_found_exactly_where_one_exists(must_win):
    finder = Finder(draw_fails=must_win)
    verdicts = set()
    for board in sample(60, 36, 37, seed=9):
        order, impossible, _ = finder.search(board, budget=BUDGET)
        assert impossible == (order is None)
        assert impossible != any_order_keeps(board, must_win)
        assert order is None or keeps(board, order, must_win)
        verdicts.add(impossible)
    assert verdicts == {True, False}


def test_a_search_ends_at_its_budget():
    order, impossible, spent = Finder(draw_fails=True).search(Board(), budget=3_000)
    assert (order, impossible) == (None, False)
    assert 3_000 <= spent < 20_000
