"""The course's own local environment: a 6 x 7 array in, a column out.

In the course's skeleton, ``student_move(env)`` is the function to write; ``env.board`` is an array of 6 rows of 7
cells, the top row first: 1 our discs, -1 the opponent's, 0 empty. Either side may have started.
"""

from __future__ import annotations

from typing import Any

from bot.adapters.shared_engine import board_of, choose_column

LIMIT_S = 5.0
"""The course's time limit for a move, seconds."""
MARGIN_S = 0.5
"""Seconds of the limit that the engine leaves unused."""


def student_move(game: Any, limit_s: float = LIMIT_S) -> int:
    """Return our column 0..6 within ``limit_s`` seconds; ``game`` is the environment or its array.

    Raises UsageError when the array is not a position with us to move.
    """
    return choose_column(board_of(getattr(game, "board", game)), limit_s, MARGIN_S)
