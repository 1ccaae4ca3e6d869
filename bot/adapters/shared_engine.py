"""The engine that all integrations of a process share; loaded or compiled in the background from the first move on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from bot.engine.agent import Limit, check_seconds
from bot.engine.perfect import Perfect
from bot.errors import BoardError, UsageError
from bot.game import Board

SHORTEST_S = 0.2
"""Least seconds for a choice, however short the environment's limit is."""
THINK_S = 0.2
"""Seconds that a search aims at while its move is not proven."""

_lock = threading.Lock()


@cache
def _engine() -> Perfect:
    return Perfect()


@cache
def _warming() -> threading.Thread:
    """Return the thread that makes the engine ready, started by the first call."""
    thread = threading.Thread(target=_engine().warm_up, name="warm-up", daemon=True)
    thread.start()
    return thread


def warm_up() -> None:
    """Load or compile the engine now instead of during the first moves: a second, or about 15 on a new machine."""
    with _lock:
        _warming().join()


@contextmanager
def reading(what: str, hint: str) -> Iterator[None]:
    """Raise BoardError, with ``hint``, where the body fails because its input is not ``what`` it reads."""
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError):
        raise BoardError(f"The input is not {what}.", hint) from None


def board_of(grid: Any) -> Board:
    """Return the position of 6 rows of 7 cells, the top row first: 1 the side to move, -1 the other, 0 empty.

    Raises BoardError where the cells cannot arise in a game or it is not that side's turn, and UsageError where the
    game is over.
    """
    board = Board.from_grid(grid)
    if board.is_over:
        raise UsageError(
            "The game is over: there is no move to choose.", "Call this function only while the game runs."
        )
    return board


def choose_column(board: Board, limit_s: float, margin_s: float = 0.0) -> int:
    """Return the engine's column 0..6 for an unfinished ``board``, ``margin_s`` before ``limit_s`` seconds are over.

    Raises UsageError where ``limit_s`` is no number of seconds.

    The opening book answers at once. The first other position of a process also waits until the engine is ready, see
    `warm_up`.
    """
    check_seconds("limit_s", limit_s)
    limit_s = max(SHORTEST_S, limit_s - margin_s)
    with _lock:
        if not _engine().is_ready(board):
            _warming().join()
        column = _engine().choose(board, Limit(hard_s=limit_s, think_s=min(THINK_S, limit_s))).column
        _warming()  # after the first move, which it would delay
        return column
