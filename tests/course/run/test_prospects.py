"""The probability of not losing with each column, and what a time limit makes of it."""

from __future__ import annotations

from bot.course.run.prospects import DRAW, EngineProspects
from bot.game import Board

DEEP = Board.from_moves("44444222223333355555")
"""A position beyond the book."""


def test_what_is_not_proven_in_time_counts_as_a_draw_and_is_not_remembered() -> None:
    prospects = EngineProspects().within(0.0)
    legal = [column for column in range(7) if DEEP.can_play(column) and not DEEP.play(column).is_over]
    assert {prospects.prospect(DEEP, column) for column in legal} == {DRAW}
    assert prospects.is_cut
    exact = EngineProspects().prospects(DEEP)
    assert prospects.within(None).prospects(DEEP) == exact != [DRAW] * 7
    assert not prospects.is_cut


def test_a_full_column_certainly_loses_and_a_win_certainly_does_not() -> None:
    board = Board.from_moves("1212121")
    assert board.is_over
    before = Board.from_moves("121212")
    assert EngineProspects().prospect(before, 0) == 1.0
    assert EngineProspects().prospect(Board.from_moves("111111"), 0) == 0.0
