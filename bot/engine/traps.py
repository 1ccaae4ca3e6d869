"""Traps: among moves of equal score, prefer the one after which the opponent most likely errs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bot.engine.score import sign, winning_score
from bot.game import CENTRE_FIRST, Board
from bot.game.board import DIRECTIONS, FULL, STRIDE, has_four, playable_cells

MODEL_DEPTH = 3
"""Depth of the modelled opponent, in plies: the course's text of 2024 says that its bot searches three by minimax."""
_WON = 10_000
_COLUMN = (1 << STRIDE) - 1


@lru_cache(maxsize=4096)
def likely_replies(board: Board) -> tuple[int, ...]:
    """Return the columns that a minimax bot of depth `MODEL_DEPTH` finds equally good and picks from.

    It is the agent `bot.engine.minimax` in plain Python, which takes less time for the few positions of a game than
    loading or compiling the kernel.
    """
    values = {}
    for column in board.legal_columns():
        child = board.play(column)
        values[column] = -_value(child.current, child.mask, child.ply, MODEL_DEPTH - 1, 2 * _WON)
    best = max(values.values())
    return tuple(column for column in CENTRE_FIRST if values.get(column) == best)


def _value(current: int, mask: int, ply: int, depth: int, beta: int) -> int:
    """Return the value of `bot.engine.kernels.minimax`; one of at least ``beta`` is a bound from below."""
    other = current ^ mask
    if has_four(other):
        return -(_WON + winning_score(ply - 1))
    if mask == FULL:
        return 0
    if depth == 0:
        return _points(current, FULL & ~other) - _points(other, FULL & ~current)
    best, playable = -2 * _WON, playable_cells(mask)
    for column in CENTRE_FIRST:
        move = playable & _COLUMN << column * STRIDE
        if move and best < beta:
            best = max(best, -_value(other, mask | move, ply + 1, depth - 1, -best))
    return best


def _points(discs: int, free: int) -> int:
    """Return 1, 10 and 100 for each four within ``free`` of which one, two and three cells are ``discs``.

    A four is represented by its first cell; the discs in all of them are added at once, bit by bit.
    """
    points = 0
    for step in DIRECTIONS:
        pairs = free & free >> step
        fours = pairs & pairs >> 2 * step
        a, b, c, d = discs, discs >> step, discs >> 2 * step, discs >> 3 * step
        odd, carry = fours & (a ^ b ^ c ^ d), (a & b) ^ (c & d) ^ (a ^ b) & (c ^ d)
        three = odd & carry
        points += (odd ^ three).bit_count() + 10 * (fours & carry ^ three).bit_count() + 100 * three.bit_count()
    return points


def trap_strength(scores: Sequence[float | None], best: float, likely: Sequence[int]) -> tuple[float, ...]:
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


def _share(mistakes: dict[int, bool], replies: Sequence[int]) -> float:
    return sum(mistakes.get(column, False) for column in replies) / len(replies)
