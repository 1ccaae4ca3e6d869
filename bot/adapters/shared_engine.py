"""The engine that all integrations of a process share; made on the first move."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from functools import cache
from typing import Any

from bot.agents.catalogue import make_agent
from bot.engine.agent import Agent, Limit
from bot.errors import BoardError, UsageError
from bot.game import Board

SHORTEST_S = 0.2
"""Least seconds for a choice, even when loading the engine has used up the move's time."""
THINK_S = 0.2
"""Seconds that a search aims at while its move is not proven."""

_lock = threading.Lock()


@cache
def _engine() -> Agent:
    from bot.engine.warmup import warm_up as make_ready

    agent = make_agent("perfect")
    make_ready(agent)
    return agent


def warm_up() -> None:
    """Load or compile the engine now instead of on the first move: a second, or about 15 on a new machine."""
    with _lock:
        _engine()


def board_of(rows: Iterable[Iterable[Any]]) -> Board:
    """Return the position of 6 rows of 7 cells, the top row first: 1 the side to move, -1 the other, 0 empty.

    Raises BoardError where the cells cannot arise in a game or it is not that side's turn, and UsageError where the
    game is over.
    """
    try:
        grid = [list(row) for row in rows]
    except TypeError:
        raise BoardError("The board is not 6 rows of 7 cells.") from None
    board = Board.from_grid(grid)
    if board.is_over:
        raise UsageError(
            "The game is over: there is no move to choose.", "Call this function only while the game runs."
        )
    return board


def choose_column(board: Board, limit_s: float) -> int:
    """Return the engine's column 0..6 for an unfinished ``board``, within ``limit_s`` seconds of the call.

    The first call of a process loads the engine, see `warm_up`.
    """
    start = time.perf_counter()
    with _lock:
        agent = _engine()
        left_s = max(SHORTEST_S, limit_s - (time.perf_counter() - start))
        return agent.choose(board, Limit(hard_s=left_s, think_s=min(THINK_S, left_s))).column
