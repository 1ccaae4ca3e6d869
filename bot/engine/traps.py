"""Traps: among moves of equal score, prefer the one after which the opponent most likely errs."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.score import sign
from bot.game import Board

MODEL_DEPTH = 3
"""Depth of the modelled opponent, in plies: the course's text of 2024 says that its bot searches three by minimax."""


def likely_replies(board: Board, depth: int = MODEL_DEPTH) -> list[int]:
    """Return the columns that a minimax bot of this depth finds equally good and picks from."""
    from bot.engine.deadline import Deadline
    from bot.engine.minimax import Minimax

    return Minimax.best_columns(board, depth, Deadline.never())[1]


def trap_strength(board: Board, scores: Sequence[float | None], best: float) -> tuple[float, ...]:
    """Return how strong a trap ``board`` is for the side that has just moved; compare as tuples, higher is better.

    ``scores`` are the exact scores of the replies for the side to move (None where unknown or full), ``best`` is the
    position's score for it. The tuple holds, in this order: the probability that the modelled bot gives the outcome
    away, the share of all replies that do, then the same for any loss of score (a later win, a sooner loss).
    """
    known = {column: score for column, score in enumerate(scores) if score is not None}
    if not known:
        return (0.0, 0.0, 0.0, 0.0)
    outcome = {column: sign(score) < sign(best) for column, score in known.items()}
    points = {column: score < best for column, score in known.items()}
    likely = likely_replies(board)
    return (
        _share(outcome, likely),
        _share(outcome, list(known)),
        _share(points, likely),
        _share(points, list(known)),
    )


def _share(mistakes: dict[int, bool], replies: list[int]) -> float:
    return sum(mistakes.get(column, False) for column in replies) / len(replies)
