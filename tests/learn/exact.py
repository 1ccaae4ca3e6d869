"""Exact scores, by rules, book and solver."""

from __future__ import annotations

from functools import cache

from bot.engine.analysis import Analyst
from bot.engine.perfect import shipped_book
from bot.game import Board


@cache
def analyst() -> Analyst:
    """Return the analyst that all checks share."""
    return Analyst(shipped_book())


@cache
def score(board: Board, player: int) -> int:
    """Return the exact score of a board in the view of ``player``."""
    found = analyst().bounds(board, keep=True).score
    assert found is not None
    return found if board.ply % 2 == player - 1 else -found


def scores_of(board: Board) -> dict[int, int]:
    """Return the exact scores of the columns for the side to move."""
    return {column: score(board.play(column), board.ply % 2 + 1) for column in board.legal_columns()}
