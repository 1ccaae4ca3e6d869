"""The worth of every column, for choices that one agent's best move does not settle."""

from __future__ import annotations

from bot.engine.agent import Limit
from bot.game import Board


def column_scores(board: Board, seconds: float) -> list[float | None]:
    """The score of each of the seven columns for the side to move, None where it is full, within ``seconds``.

    Proven scores are on the field's scale; an estimate lies strictly between -1 and 1, so that it never outweighs one.
    Raises ValueError on a finished board.
    """
    from bot.engine.timed import TimedSearch

    if board.is_over:
        raise ValueError("the game is over")
    search = TimedSearch("mtdf")
    legal = board.legal_columns()
    limit = Limit(hard_s=seconds / len(legal), think_s=seconds / len(legal))
    scores: list[float | None] = [None] * 7
    for column in legal:
        child = board.play(column)
        if child.is_over:
            scores[column] = 22 - (child.ply + 1) // 2 if child.has_winner else 0
            continue
        decision = search.choose(child, limit)
        value = decision.score or 0
        scores[column] = -value if decision.proven else -value / 1000
    return scores
