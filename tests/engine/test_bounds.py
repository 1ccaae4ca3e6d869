"""What kernels know without a search: bounds that are never wrong, and lines that can still become a four."""

from __future__ import annotations

from functools import cache

import pytest

from bot.engine.jit.bits import playable_cells, winning_cells
from bot.engine.kernels.bounds import NONE, first_has_odd_threat, second_follows_up, second_is_too_slow
from bot.game import Board
from tests.positions import sample, solved


def can_win_at_once(board: Board) -> bool:
    return bool(winning_cells(board.current, board.mask) & playable_cells(board.mask))


def is_too_slow(board: Board, moves: int) -> bool:
    """Return whether the kernel excludes a win of the second player, who is to move, with ``moves`` discs."""
    first = board.current ^ board.mask
    cells = playable_cells(board.mask), winning_cells(first, board.mask)
    is_asked = board.ply % 2 == 1 and not can_win_at_once(board)
    return is_asked and second_is_too_slow(first, board.current, *cells, moves)


def bound_by_following_up(board: Board) -> int:
    """Return the upper bound of the score that the one who is not to move proves by following up, or NONE."""
    current, other = board.current, board.current ^ board.mask
    cells = playable_cells(board.mask), winning_cells(other, board.mask)
    if board.ply % 2:
        return -first_has_odd_threat(current, board.mask, *cells)
    return second_follows_up(current, other, board.mask, *cells)


@cache
def wins_within(board: Board, moves: int) -> bool:
    """Return whether the side to move can win with at most that many discs, by trying everything."""
    if can_win_at_once(board):
        return True
    return moves > 1 and any(
        all(not (reply := child.play(answer)).is_over and wins_within(reply, moves - 1) for answer in answers)
        for child in map(board.play, board.legal_columns())
        if (answers := child.legal_columns())
    )


@pytest.mark.parametrize("side", [0, 1])
def test_no_solved_score_is_above_the_bound_by_following_up(side: int) -> None:
    quiet = [known for known in solved() if known.board.ply % 2 == side and not can_win_at_once(known.board)]
    bounds = [(known.score, bound_by_following_up(known.board)) for known in quiet]
    assert sum(bound != NONE for _, bound in bounds) > 40
    assert all(score <= bound for score, bound in bounds)


@pytest.mark.parametrize("moves", [3, 4])
def test_a_win_that_is_too_slow_is_never_there(moves: int) -> None:
    slow = [known for known in solved() if is_too_slow(known.board, moves)]
    assert len(slow) > 90
    assert all(known.score <= max(0, 21 - known.board.ply // 2 - moves) for known in slow)
    others = [board for board in sample(2000, 13, 24, seed=moves) if is_too_slow(board, moves)]
    assert len(others) > 60
    assert not any(wins_within(board, moves) for board in others[:120])
