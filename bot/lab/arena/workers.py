"""Many independent tasks over this process, a process pool or a Dask cluster: one loop for all three."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TypeVar

from bot.agent_types import Stop
from bot.lab.arena.interrupt import stopped_by_interrupt

Task = TypeVar("Task")
Result = TypeVar("Result")


def run_tasks(
    work: Callable[[Task], Result], tasks: Iterable[Task], *, workers: int = 1, scheduler: str | None = None
) -> Iterator[tuple[Task, Result]]:
    """Each task with its result, in the order of completion; ``work`` and tasks must pickle.

    With one worker and no scheduler everything happens in this process, in order. Raises whatever ``work`` raises;
    the other tasks are dropped, on this machine those under way too.
    """
    if workers == 1 and scheduler is None:
        for task in tasks:
            yield task, work(task)
        return
    from bot.engine.book.build import executor

    futures: dict[Future[Result], Task] = {}
    finished: SimpleQueue[Future[Result]] = SimpleQueue()
    with executor(workers, scheduler) as pool, stopped_by_interrupt() as stop:
        try:
            for task in tasks:
                future = pool.submit(work, task)
                futures[future] = task
                future.add_done_callback(finished.put)
            for _ in range(len(futures)):
                future = _next(finished, stop)
                yield futures[future], future.result()
        except BaseException:
            if scheduler is None:  # the pool then gives up what waits; cancelled futures would confuse it
                for worker in multiprocessing.active_children():
                    worker.terminate()
            else:
                for future in futures:
                    future.cancel()
            raise


def _next(finished: SimpleQueue[Future[Result]], stop: Stop) -> Future[Result]:
    """The next future; Python loses an interrupt that comes while it forks, the Stop does not."""
    while True:
        try:
            return finished.get(timeout=0.5)
        except Empty:
            if stop.is_set:
                raise KeyboardInterrupt from None
