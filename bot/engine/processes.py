"""Work in processes, in order, that ends at once when its results are no longer wanted."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

from bot.errors import BotError

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


def in_processes(
    work: Callable[[_Task], Iterable[_Result]], tasks: Iterator[_Task], processes: int
) -> Generator[_Result, None, None]:
    """Yield the results of ``work`` on each of ``tasks``, in their order; two tasks for each process are on the way.

    A BotError of ``work`` is raised after the results before it, and one where a process is killed. Closing the
    iterator ends the processes, even in the middle of a task.
    """
    context = get_context("spawn")
    reader, writer = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(processes, context, _begin, (reader,))
    waiting: deque[Future[tuple[list[_Result], BotError | None]]] = deque()
    try:
        while True:
            while len(waiting) < 2 * processes and (task := next(tasks, None)) is not None:
                waiting.append(pool.submit(_collect, work, task))
            if not waiting:
                pool.shutdown()
                return
            found, error = waiting.popleft().result()
            yield from found
            if error is not None:
                raise error
    except BrokenProcessPool:
        raise BotError(
            "A worker process was killed, perhaps because the memory was full.",
            "Run the same again with fewer processes.",
        ) from None
    finally:
        writer.close()
        pool.shutdown(cancel_futures=True)
        reader.close()


def _collect(work: Callable[[_Task], Iterable[_Result]], task: _Task) -> tuple[list[_Result], BotError | None]:
    """Return the results of a task, and the error that ended it."""
    found: list[_Result] = []
    try:
        found.extend(work(task))
    except BotError as error:
        return found, error
    return found, None


def _begin(reader: Connection) -> None:
    """Leave Ctrl-C to the caller, and end this process when the caller closes its end of the pipe, or dies."""

    def follow() -> None:
        try:
            reader.recv()
        finally:
            os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=follow, daemon=True).start()
