"""Run independent tasks in this process, in a process pool or on a Dask cluster."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TypeVar

from bot.engine.agent import Stop
from bot.lab.arena.ctrl_c import stop_on_interrupt

Task = TypeVar("Task")
Result = TypeVar("Result")


def run_tasks(
    work: Callable[[Task], Result], tasks: Iterable[Task], *, workers: int = 1, scheduler: str | None = None
) -> Generator[tuple[Task, Result], None, None]:
    """Yield each task with its result, in the order of completion; ``work`` and the tasks must be picklable.

    With one worker and no scheduler all tasks run in this process, in their order. An exception of ``work`` is raised
    here; the other tasks are then cancelled, and on this machine running ones are terminated.
    """
    if workers == 1 and scheduler is None:
        for task in tasks:
            yield task, work(task)
        return
    from bot.engine.book.build import executor

    futures: dict[Future[Result], Task] = {}
    finished: SimpleQueue[Future[Result]] = SimpleQueue()
    with executor(workers, scheduler) as pool, stop_on_interrupt() as stop:
        try:
            for task in tasks:
                future = pool.submit(work, task)
                futures[future] = task
                future.add_done_callback(finished.put)
            for _ in futures:
                future = _next(finished, stop)
                yield futures[future], future.result()
        except BaseException:
            if scheduler is None:  # without workers the pool drops its queue; cancelled futures would break it
                for worker in multiprocessing.active_children():
                    worker.terminate()
            else:
                for future in futures:
                    future.cancel()
            raise


def _next(finished: SimpleQueue[Future[Result]], stop: Stop) -> Future[Result]:
    """Return the next finished future. Python can lose a SIGINT that arrives during a fork; the Stop does not."""
    while True:
        try:
            return finished.get(timeout=0.5)
        except Empty:
            if stop.is_set:
                raise KeyboardInterrupt from None
