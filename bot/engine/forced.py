"""Moves that need no search."""

from __future__ import annotations

from bot.engine.agent import Decision
from bot.game import Board

CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)


def winning_columns(board: Board) -> list[int]:
    """Columns, centre first, that make four at once."""
    return [column for column in CENTRE_FIRST if board.wins_with(column)]


def safe_columns(board: Board) -> list[int]:
    """Legal columns, centre first, that leave the opponent no win with the next disc."""
    legal = [column for column in CENTRE_FIRST if board.can_play(column)]
    return [column for column in legal if not winning_columns(board.play(column))]


def forced_decision(board: Board) -> Decision | None:
    """The decision where the move cannot depend on a search: it wins at once, all others lose at once, or all do.

    A lost side still blocks one of the threats. Raises ValueError on a finished board.
    """
    if board.is_over:
        raise ValueError("There is no move to choose: the game is over.")
    wins = winning_columns(board)
    if wins:
        return Decision(wins[0], 21.0 - board.ply // 2, proven=True, depth=1, pv=(wins[0],), source="forced")
    safe = safe_columns(board)
    if len(safe) == 1:
        if board.ply == 41:
            return Decision(safe[0], 0.0, proven=True, depth=1, pv=(safe[0],), source="forced")
        return Decision(safe[0], depth=1, pv=(safe[0],), source="forced")
    if not safe:
        blocks = winning_columns(Board(board.opponent, board.mask))
        column = blocks[0] if blocks else next(column for column in CENTRE_FIRST if board.can_play(column))
        reply = winning_columns(board.play(column))[0]
        score = -(21.0 - (board.ply + 1) // 2)
        return Decision(column, score, proven=True, depth=2, pv=(column, reply), source="forced")
    return None
