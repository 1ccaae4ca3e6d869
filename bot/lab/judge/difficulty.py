"""Which positions are difficult: those in which the outcome can be given away, and those that a search gives away."""

from __future__ import annotations

from functools import cache

from bot.engine.deadline import Deadline
from bot.engine.minimax import Minimax
from bot.engine.score import sign
from bot.lab.positions import ScoredPosition

HARD_DEPTH = 8
"""Depth in plies of the minimax that does not find the only good column of a hard position."""


def is_decisive(position: ScoredPosition) -> bool:
    """Return whether at least one column gives the outcome away."""
    return sign(position.worst) < sign(position.best)


@cache
def is_hard(position: ScoredPosition) -> bool:
    """Return whether only one column keeps the outcome, and it is none of those that minimax finds best."""
    outcomes = [None if score is None else sign(score) for score in position.scores]
    if not is_decisive(position) or outcomes.count(sign(position.best)) > 1:
        return False
    only = outcomes.index(sign(position.best))
    return only not in Minimax.best_columns(position.board, HARD_DEPTH, Deadline.never())[1]
