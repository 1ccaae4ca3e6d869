"""The course's bot against plain minimax."""

from __future__ import annotations

import pytest

from bot.engine.agent import Limit
from bot.engine.minimax import Minimax
from bot.game import Board
from tests.engine import reference_search as reference
from tests.positions import sample


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_it_plays_any_of_the_best_moves_of_plain_minimax(depth: int) -> None:
    for board in [Board(), *sample(8, 2, 41, seed=depth)]:
        children = [(column, reference.cells_of(board.play(column))) for column in board.legal_columns()]
        values = {column: -reference.value(cells, depth - 1, reference.windows) for column, cells in children}
        best = max(values.values())
        decisions = [Minimax(depth, seed).choose(board, Limit()) for seed in range(40)]
        assert {decision.column for decision in decisions} == {c for c, value in values.items() if value == best}
        told = {(decision.score, decision.proven, decision.depth) for decision in decisions}
        assert told == {(reference.score_of(best), abs(best) > reference.WIN, depth)}
