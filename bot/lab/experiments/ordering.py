"""Tommy 2017, move ordering: a fixed list of columns against the weight of the landing cell.

bot/lab/README.md#tommy-move-ordering describes the question.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from bot.agents.papers.rules import CENTRE_RIGHT_FIRST, WINDOW_MATRIX, static_value
from bot.agents.papers.tommy import RULES, TommyMtdf
from bot.engine.agent import Limit
from bot.game import Board

Order = Callable[[Board], Sequence[int]]
"""Returns the legal columns of a position in the order of search."""


def by_list(board: Board) -> Sequence[int]:
    """Return the order of the paper's pseudo-code."""
    return [column for column in CENTRE_RIGHT_FIRST if board.can_play(column)]


def by_weight(board: Board) -> Sequence[int]:
    """Return the order of the paper's text: largest weight of the landing cell first, equal weights as in the list."""

    def weight(column: int) -> int:
        row = (board.mask >> column * 7 & 0b1111111).bit_count()
        return -WINDOW_MATRIX[row][column]

    return sorted(by_list(board), key=weight)


def alpha_beta(board: Board, depth: int, alpha: float, beta: float, order: Order) -> tuple[float, int, int]:
    """Return the side to move's value, the first column that attains it (-1 at a leaf), and the number of leaves."""
    if board.has_winner:
        return -math.inf, -1, 1
    if depth == 0 or board.is_over:
        return static_value(RULES, board), -1, 1
    columns = order(board)
    best, chosen, leaves = -math.inf, columns[0], 0
    for column in columns:
        value, _, below = alpha_beta(board.play(column), depth - 1, -beta, -alpha, order)
        leaves += below
        if -value > best:
            best, chosen = -value, column
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, chosen, leaves


def mean_leaves(depth: int, order: Order) -> float:
    """Return X's leaves per game (mean of the two games of Table 1) when X searches the columns in ``order``."""
    total = 0
    for x_moves_at in (0, 1):
        board, mtdf = Board(), TommyMtdf("O", depth)
        while not board.is_over:
            if board.ply % 2 == x_moves_at:
                _, column, leaves = alpha_beta(board, depth, -math.inf, math.inf, order)
                total += leaves
            else:
                column = mtdf.choose(board, Limit(hard_s=math.inf)).column
            board = board.play(column)
    return total / 2
