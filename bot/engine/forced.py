"""Moves that need no search. Kept apart from the search because this module compiles nothing."""

from __future__ import annotations

from bot.engine.agent import Decision
from bot.engine.score import winning_score
from bot.errors import GameOverError
from bot.game import CENTRE_FIRST, Board
from bot.game.board import STRIDE, completing_cells, playable_cells

_COLUMN = (1 << STRIDE) - 1


def columns_of(cells: int) -> list[int]:
    """Return the columns of ``cells``, centre first."""
    return [column for column in CENTRE_FIRST if cells >> column * STRIDE & _COLUMN]


def safe_columns(board: Board) -> list[int]:
    """Return the columns, centre first, after which the opponent cannot win with the next disc.

    Neither side has won yet.
    """
    playable = playable_cells(board.mask)
    threats = completing_cells(board.opponent, board.mask)
    urgent = threats & playable
    if urgent & urgent - 1:
        return []
    candidates = urgent if urgent else playable
    return columns_of(candidates & ~(threats >> 1))


def forced_decision(board: Board) -> Decision | None:
    """Return the decision where no search can change it, else None.

    That is so where a move wins at once, where all moves but one lose at once, and where all lose at once; a lost side
    still blocks one of the threats. Raises ValueError on a finished board.
    """
    if board.is_over:
        raise GameOverError
    playable = playable_cells(board.mask)
    wins = columns_of(completing_cells(board.current, board.mask) & playable)
    if wins:
        score = float(winning_score(board.ply))
        return Decision(wins[0], score, proven=True, depth=1, source="forced")
    safe = safe_columns(board)
    if len(safe) == 1:
        fills_board = board.ply == 41
        draw = 0.0 if fills_board else None
        return Decision(safe[0], draw, proven=fills_board, depth=1, source="forced")
    if safe:
        return None
    threats = completing_cells(board.opponent, board.mask) & playable
    moves = threats if threats else playable
    column = columns_of(moves)[0]
    score = -float(winning_score(board.ply + 1))
    return Decision(column, score, proven=True, depth=2, source="forced")
