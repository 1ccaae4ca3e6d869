"""Compiling takes seconds and cannot be stopped: one compiles, whoever waits for the same may give up."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from typing import TypeVar

from bot.agent_types import Stop
from bot.web.jobs import POLL_S, GoneError

T = TypeVar("T")

_turns: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


def prepared(kind: str, make: Callable[[], T], stop: Stop | None = None) -> T:
    """The result of ``make``, which compiles what its ``kind`` needs unless that has been done.

    Raises GoneError when ``stop`` is set before the turn has come: questions that were taken back must not pile up
    behind a compiler.
    """
    turn = _turns[kind]
    while not turn.acquire(timeout=POLL_S):
        if stop is not None and stop.is_set:
            raise GoneError
    try:
        if stop is not None and stop.is_set:
            raise GoneError
        return make()
    finally:
        turn.release()
