"""Searches in threads beside the event loop: the page stays responsive, and an abandoned search is stopped.

Requests that need the same kernels wait for one compilation, or give up.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import defaultdict
from collections.abc import Callable
from typing import TypeVar

from fastapi import Request

from bot.engine.agent import StopFlag
from bot.errors import BotError

T = TypeVar("T")

POLL_S = 0.05
"""Interval between two checks whether the client is still connected, seconds."""


class BusyError(BotError):
    """Too many jobs are running."""


class CancelledJobError(Exception):
    """The client has closed its connection, so its job is stopped."""


class Jobs:
    """Runs at most ``max_jobs`` jobs at once; a further request waits up to ``max_wait_s`` for a free place.

    Jobs run in daemon threads, so that Ctrl-C does not wait for a compilation.
    """

    def __init__(self, max_jobs: int = 6, max_wait_s: float = 3.0) -> None:
        self._places = asyncio.Semaphore(max_jobs)
        self._max_wait_s = max_wait_s
        self._stops: set[StopFlag] = set()

    async def run(self, request: Request, work: Callable[[StopFlag], T]) -> T:
        """Return the result of ``work``, whose `StopFlag` is set when the client disconnects.

        Raises the exceptions of ``work``, BusyError, or CancelledJobError.
        """
        try:
            await asyncio.wait_for(self._places.acquire(), self._max_wait_s)  # cancelled jobs need a moment to end
        except asyncio.TimeoutError:
            problem = "The computer is still busy with earlier requests."
            raise BusyError(problem, "Wait a moment and try again.") from None
        stop = StopFlag()
        self._stops.add(stop)
        future = _in_thread(work, stop)
        future.add_done_callback(lambda _: self._ended(stop))
        while not future.done():
            await asyncio.wait({future}, timeout=POLL_S)
            if not future.done() and await request.is_disconnected():
                stop.set()
                future.add_done_callback(lambda done: done.exception())  # otherwise asyncio reports it as unhandled
                raise CancelledJobError
        return future.result()

    def _ended(self, stop: StopFlag) -> None:
        self._stops.remove(stop)
        self._places.release()

    def stop_all(self) -> None:
        """Stop all running jobs."""
        for stop in list(self._stops):
            stop.set()


def _in_thread(work: Callable[[StopFlag], T], stop: StopFlag) -> asyncio.Future[T]:
    """Start ``work`` in a daemon thread; return a future of its result."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def body() -> None:
        with contextlib.suppress(RuntimeError):  # the event loop has been closed in the meantime
            try:
                answer = work(stop)
            except Exception as failure:
                loop.call_soon_threadsafe(future.set_exception, failure)
            else:
                loop.call_soon_threadsafe(future.set_result, answer)

    threading.Thread(target=body, name="page-job", daemon=True).start()
    return future


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
