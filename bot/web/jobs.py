"""Long work beside the event loop: the page stays alive meanwhile, and work that nobody waits for any more ends."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from fastapi import Request

from bot.agent_types import Stop
from bot.errors import BotError

T = TypeVar("T")

POLL_S = 0.05
"""How soon a cancelled search is told so."""


class BusyError(BotError):
    """More is being thought about than the machine should carry."""


class GoneError(Exception):
    """The page has taken its question back."""


class Thinking:
    """Runs work in daemon threads, so that Ctrl-C need not wait for a compiler, and not more than ``most`` at once."""

    def __init__(self, most: int = 6, patience_s: float = 3.0) -> None:
        self._most = most
        self._patience_s = patience_s
        self._stops: dict[int, Stop] = {}

    async def run(self, request: Request, work: Callable[[Stop], T]) -> T:
        """The result of ``work``, whose `Stop` is set when ``request``'s sender goes away.

        Raises what ``work`` raises, BusyError, or GoneError.
        """
        await self._room(request)
        stop = Stop()
        self._stops[id(stop)] = stop
        future = _in_thread(work, stop)
        future.add_done_callback(lambda _: self._stops.pop(id(stop)))
        while not future.done():
            await asyncio.wait({future}, timeout=POLL_S)
            if not future.done() and await request.is_disconnected():
                stop.set()
                future.add_done_callback(lambda done: done.exception())  # nobody will ask for it
                raise GoneError
        return future.result()

    async def _room(self, request: Request) -> None:
        """Wait until fewer than ``most`` are at work: searches that were taken back need a moment to end."""
        end = time.monotonic() + self._patience_s
        while len(self._stops) >= self._most:
            if await request.is_disconnected():
                raise GoneError
            if time.monotonic() > end:
                raise BusyError("The computer is busy with earlier questions.", "Wait a moment and try again.")
            await asyncio.sleep(POLL_S)

    def stop_all(self) -> None:
        """End whatever is running."""
        for stop in list(self._stops.values()):
            stop.set()


def _in_thread(work: Callable[[Stop], T], stop: Stop) -> asyncio.Future[T]:
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(answer: T) -> None:
        future.set_result(answer)

    def body() -> None:
        with contextlib.suppress(RuntimeError):  # the loop has been closed meanwhile
            try:
                answer = work(stop)
            except Exception as failure:
                loop.call_soon_threadsafe(future.set_exception, failure)
            else:
                loop.call_soon_threadsafe(settle, answer)

    threading.Thread(target=body, name="thinking", daemon=True).start()
    return future
