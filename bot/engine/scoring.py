"""The worth of every column, for choices that one agent's best move does not settle."""

from __future__ import annotations

from bot.agent import Limit
from bot.game import Board


def column_scores(board: Board, seconds: float) -> list[float | None]:
    """The score of each of the seven columns for the side to move, None where it is full, within ``seconds``.

    Exact scores, on the field's scale, where book or solver know them in time. What they only bound is estimated: the
    middle of the bounds if they settle the outcome, else something strictly between -1 and 1, so that an estimate
    never outweighs a proof. Raises ValueError on a finished board.
    """
    from bot.engine.perfect import SOLVER_FROM, shipped_book
    from bot.engine.solver import Solver

    if board.is_over:
        raise ValueError("the game is over")
    book = shipped_book()
    known = book.column_scores(board) if book is not None else None
    if known is not None:
        return list(known)
    if board.ply < SOLVER_FROM:
        return _estimates(board, seconds)
    solved = Solver().solve_columns(board.current, board.mask, deadline_s=seconds)
    return [None if told is None else _middle(told.lower, told.upper) for told in solved]


def _middle(lower: int, upper: int) -> float:
    """A number for what is known to lie between two bounds."""
    if lower == upper or lower > 0 or upper < 0:
        return (lower + upper) / 2
    return 0.5 * (lower + upper) / (upper - lower)


def _estimates(board: Board, seconds: float) -> list[float | None]:
    from bot.engine.timed import TimedSearch

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
        scores[column] = -value if decision.proven else -value / 10_000
    return scores
