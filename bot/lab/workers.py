"""Many independent tasks over this process, a process pool or a Dask cluster: one loop for all three."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, as_completed
from typing import TypeVar

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
    from bot.engine.book_build import executor

    futures: dict[Future[Result], Task] = {}
    with executor(workers, scheduler) as pool:
        try:
            futures.update((pool.submit(work, task), task) for task in tasks)
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BaseException:
            if scheduler is None:  # the pool then gives up what waits; cancelled futures would confuse it
                for worker in multiprocessing.active_children():
                    worker.terminate()
            else:
                for future in futures:
                    future.cancel()
            raise
