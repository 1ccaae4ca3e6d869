"""Traps: among moves of equal score, prefer the one after which the opponent most likely errs."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.score import sign
from bot.game import CENTRE_FIRST, Board
from bot.game.board import CELLS, COLUMNS, DIRECTIONS, ROWS, STRIDE, has_four

MODEL_DEPTH = 3
"""Depth of the modelled opponent, in plies: the course's text of 2024 says that its bot searches three by minimax."""
_WON = 10_000
_POINTS = (0, 1, 10, 100)
"""Value of a window by the discs in it, where the other side has none."""


def _windows() -> tuple[int, ...]:
    """Return the cells of each of the 69 places for four in a row."""
    cells = {column * STRIDE + row for column in range(COLUMNS) for row in range(ROWS)}
    places = [[cell + number * step for number in range(4)] for cell in cells for step in DIRECTIONS]
    return tuple(sum(1 << cell for cell in place) for place in places if cells.issuperset(place))


_WINDOWS = _windows()


def likely_replies(board: Board) -> list[int]:
    """Return the columns that a minimax bot of depth `MODEL_DEPTH` finds equally good and picks from."""
    from bot.engine.deadline import Deadline
    from bot.engine.minimax import Minimax

    return Minimax.best_columns(board, MODEL_DEPTH, Deadline.never())[1]


def likely_replies_uncompiled(board: Board) -> list[int]:
    """Return what `likely_replies` does, in plain Python: 2 ms, where loading the compiled kernel takes 500 ms.

    A single answer from the opening book is not worth more.
    """
    values = {column: -_value(board.play(column), MODEL_DEPTH - 1, 2 * _WON) for column in board.legal_columns()}
    best = max(values.values())
    return [column for column in CENTRE_FIRST if values.get(column) == best]


def _value(board: Board, depth: int, beta: int) -> int:
    """Return the value of `bot.engine.kernels.minimax`; one of at least ``beta`` is a bound from below."""
    if has_four(board.opponent):
        return -(_WON + 22 - (board.ply + 1) // 2)
    if board.ply == CELLS:
        return 0
    if depth == 0:
        return _points(board.current, board.opponent) - _points(board.opponent, board.current)
    best = -2 * _WON
    for column in CENTRE_FIRST:
        if board.can_play(column) and best < beta:
            best = max(best, -_value(board.play(column), depth - 1, -best))
    return best


def _points(discs: int, others: int) -> int:
    return sum(_POINTS[(discs & window).bit_count()] for window in _WINDOWS if not others & window)


def trap_strength(scores: Sequence[float | None], best: float, likely: list[int]) -> tuple[float, ...]:
    """Return how strong a trap a position is for the side that has just moved; compare as tuples, higher is better.

    ``scores`` are the exact scores of the replies for the side to move (None where unknown or full), ``best`` is the
    position's score for it, ``likely`` are the replies among which the modelled bot picks. The tuple holds, in this
    order: the probability that the modelled bot gives the outcome away, the share of all replies that do, then the same
    for any loss of score (a later win, a sooner loss).
    """
    known = {column: score for column, score in enumerate(scores) if score is not None}
    if not known:
        return (0.0, 0.0, 0.0, 0.0)
    outcome = {column: sign(score) < sign(best) for column, score in known.items()}
    points = {column: score < best for column, score in known.items()}
    return (
        _share(outcome, likely),
        _share(outcome, list(known)),
        _share(points, likely),
        _share(points, list(known)),
    )


def _share(mistakes: dict[int, bool], replies: list[int]) -> float:
    return sum(mistakes.get(column, False) for column in replies) / len(replies)
