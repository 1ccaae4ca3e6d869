"""Run independent tasks in this process, in a process pool or on a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import TypeVar

from bot.engine.agent import StopFlag
from bot.engine.interrupt import stoppable
from bot.errors import BotError, NetworkError, UsageError

T = TypeVar("T")
R = TypeVar("R")


def run_tasks(
    work: Callable[[T], R], tasks: Iterable[T], *, workers: int = 1, scheduler: str | None = None
) -> Generator[tuple[T, R], None, None]:
    """Yield each task with its result, in the order of completion; ``work`` and the tasks must be picklable.

    With one worker and no scheduler all tasks run in this process, in their order. An exception of ``work`` is raised
    here; the other tasks are then cancelled, and on this machine running ones are terminated.
    """
    if workers == 1 and scheduler is None:
        for task in tasks:
            yield task, work(task)
        return
    futures: dict[Future[R], T] = {}
    finished: SimpleQueue[Future[R]] = SimpleQueue()
    with executor(workers, scheduler) as pool, stoppable() as stop:
        try:
            for task in tasks:
                future = pool.submit(work, task)
                futures[future] = task
                future.add_done_callback(finished.put)
            for _ in futures:
                future = _next(finished, stop)
                yield futures[future], future.result()
        except BaseException:
            # Without workers the pool drops its queue; a scheduler drops what a client that has left was waiting for.
            for worker in multiprocessing.active_children():
                worker.terminate()
            raise


def _next(finished: SimpleQueue[Future[R]], stop: StopFlag) -> Future[R]:
    """Return the next finished future. Python can lose a SIGINT that arrives during a fork; the stop flag does not."""
    while True:
        try:
            return finished.get(timeout=0.5)
        except Empty:
            if stop.is_set:
                raise KeyboardInterrupt from None


@contextmanager
def executor(workers: int, scheduler: str | None) -> Iterator[Executor]:
    """Provide a process pool on this machine, or the executor of a Dask cluster.

    Raises UsageError where Dask is not installed, NetworkError where no scheduler answers, BotError when a worker is
    killed.
    """
    if scheduler is None:
        try:
            with ProcessPoolExecutor(workers, initializer=_end_with_parent) as pool:
                yield pool
        except BrokenProcessPool:
            raise BotError(
                "A worker process was killed, perhaps because the memory was full.",
                'Run the command again with fewer --workers. A script that runs it needs `if __name__ == "__main__":`.',
            ) from None
        return
    try:
        from distributed import Client

        client = Client(scheduler, timeout=10)
    except ImportError:
        raise UsageError("--scheduler needs Dask.", "Install it with `pip install distributed`.") from None
    except (OSError, ValueError):
        raise NetworkError(f"No Dask scheduler answers at {scheduler}.", "Check the address.") from None
    with client:
        yield client.get_executor(pure=False)


def _end_with_parent() -> None:
    """End this worker when its parent ends, because the workers of a killed parent would wait for ever.

    Ctrl-C is left to the parent, too: a compiler that it interrupts here can fail in any way.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
