"""Many independent tasks over this process, a process pool or a Dask cluster: one loop for all three."""

from __future__ import annotations

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
    tasks that have not begun by then are dropped.
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
        finally:
            for future in futures:
                future.cancel()
