"""The solvers that all calls of the Python API share: one search at a time, which Ctrl-C ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from typing import TypeVar

from bot.engine.agent import StopFlag
from bot.engine.analysis import Analyst
from bot.engine.perfect import shipped_book
from bot.game import Board

LATE = 22
"""Discs from which on an analysis takes less time than is worth a thread that Ctrl-C can end."""
ONE_AT_A_TIME = threading.Lock()
"""Held while a shared solver is loaded or works: threads of the caller may solve, one after another."""

_Found = TypeVar("_Found")


@cache
def _analyst(book: bool) -> Analyst:
    return Analyst(shipped_book() if book else None)


def ready_analyst(book: bool = True, board: Board | None = None) -> Analyst:
    """Return the shared analyst. Its solver is loaded or compiled here, unless the book has all about ``board``."""
    with ONE_AT_A_TIME:  # loading ends with a search, which fills the table that the other searches read
        analyst = _analyst(book)
        is_ready = analyst.is_warm if board is None else analyst.is_ready(board)
        if not is_ready:
            analyst.warm_up()
        return analyst


def interruptible(search: Callable[[StopFlag], _Found], board: Board) -> _Found:
    """Return the result of a search from ``board``, in another thread unless it is late: Ctrl-C in this one ends it."""
    stop = StopFlag()
    if board.ply >= LATE:
        with ONE_AT_A_TIME:
            return search(stop)
    from concurrent.futures import ThreadPoolExecutor

    with ONE_AT_A_TIME, ThreadPoolExecutor(1) as pool:
        try:
            return pool.submit(search, stop).result()
        finally:
            stop.set()
