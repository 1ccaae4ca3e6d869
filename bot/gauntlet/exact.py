"""What exact play gives: the outcome of a position, and the scores of all its columns."""

from __future__ import annotations

from functools import cache

from bot.engine.score import sign
from bot.engine.shared import ready_analyst
from bot.game import Board, parse_moves
from bot.gauntlet.positions import Columns, ColumnScores, read_positions


def outcome(board: Board) -> int:
    """Return 1, 0 or -1: what the side to move reaches, even where a pass gave it a disc too many or too few."""
    score = ready_analyst().bounds(board).score
    assert score is not None, "without a deadline there is a score"
    return sign(score)


def solved_scores(columns: Columns) -> ColumnScores:
    """Return the exact scores of the position after these moves (columns 0..6), from the book or by the solver."""
    solved = ready_analyst().columns(Board.from_moves(columns))
    return tuple(None if column is None else column.score for column in solved)


@cache
def exact_scores(columns: Columns) -> ColumnScores:
    """Return the exact scores of the position after these moves (columns 0..6); the public set's are known."""
    return _public().get(columns) or solved_scores(columns)


def keeps_outcome(start: str, column: int) -> bool:
    """Return whether a column (1 to 7) keeps the outcome of a position, given as moves: won, drawn or lost."""
    scores = exact_scores(parse_moves(start))
    best, played = max(score for score in scores if score is not None), scores[column - 1]
    return played is not None and sign(played) == sign(best)


@cache
def _public() -> dict[Columns, ColumnScores]:
    return {position.columns: position.scores for position in read_positions()}
