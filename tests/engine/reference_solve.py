"""The exact score in plain Python, for late positions, by the plain rules of `tests.learn.plain`."""

from __future__ import annotations

from functools import cache

from bot.game import Board
from tests.learn.plain import Columns, drop, fours, legal, to_move


def columns_of(board: Board) -> Columns:
    """Return the discs of a board: 1 or 2, from the bottom."""
    rows = board.to_grid(1 if board.ply % 2 == 0 else -1)[::-1]
    return tuple(tuple({1: 1, -1: 2}[row[column]] for row in rows if row[column]) for column in range(7))


@cache
def solve(columns: Columns, alpha: int = -22, beta: int = 22) -> int:
    """Return the score of an unfinished position for the side to move, by alpha-beta to the game's end."""
    ply = sum(map(len, columns))
    if fours(columns, to_move(columns)):
        return 21 - ply // 2
    if ply == 41:
        return 0
    for column in legal(columns):
        alpha = max(alpha, -solve(drop(columns, column), -beta, -alpha))
        if alpha >= beta:
            break
    return alpha
