"""The work of a task: ask its agents in its positions, and score all columns by the exact solver.

Apart from `bot.lab.experiments.ask`, so that other questions do not depend on the solver.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from bot.game import Board
from bot.lab.experiments import ask
from bot.lab.experiments.play import Result
from bot.lab.positions import read_positions


def perform(task: dict[str, Any]) -> list[Result]:
    """Ask the agents of a task, and say what their columns are worth."""
    return ask.perform(task, exact_scores)


@cache
def exact_scores(moves: str) -> tuple[int | None, ...]:
    """Return the exact score of each column: from the judge's set, from the book, or by the solver."""
    from bot.engine.perfect import shipped_book
    from bot.engine.solver import Solver

    columns = tuple(map(int, moves))
    known = _judged().get(columns)
    if known is not None:
        return known
    board, book = Board.from_moves(columns), shipped_book()
    found = None if book is None else book.column_scores(board)
    return tuple(Solver().column_scores(board) if found is None else found)


@cache
def _judged() -> dict[tuple[int, ...], tuple[int | None, ...]]:
    return {position.columns: position.scores for position in read_positions()}
