"""Compiling one thing at a time: requests that need the same kernels wait for one compilation, or give up."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from typing import TypeVar

from bot.engine.agent import StopFlag
from bot.web.jobs import POLL_S, CancelledJobError

T = TypeVar("T")

_locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


def prepared(kind: str, make: Callable[[], T], stop: StopFlag | None = None) -> T:
    """Return the result of ``make``, which compiles the kernels of ``kind`` unless they are compiled already.

    Compiling takes seconds and cannot be interrupted, so only one call per ``kind`` runs at a time. Raises
    CancelledJobError when ``stop`` is set before this call's turn: cancelled requests must not queue for the compiler.
    """
    lock = _locks[kind]
    while not lock.acquire(timeout=POLL_S):
        if stop is not None and stop.is_set:
            raise CancelledJobError
    try:
        if stop is not None and stop.is_set:
            raise CancelledJobError
        return make()
    finally:
        lock.release()
