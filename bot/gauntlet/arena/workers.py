"""Run independent tasks in this process, in a pool of processes or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from typing import TypeVar

from bot.engine.processes import Pool
from bot.errors import NetworkError, UsageError

T = TypeVar("T")
R = TypeVar("R")


def run_tasks(
    work: Callable[[T], R], tasks: Iterable[T], *, workers: int | Pool = 1, scheduler: str | None = None
) -> Generator[tuple[T, R], None, None]:
    """Yield each task with its result, in the order of completion; ``work`` and the tasks must be picklable.

    ``workers`` is a number of processes, or a pool that the caller ends. With one worker and no scheduler all tasks run
    in this process, in their order. An exception of ``work`` is raised here; the other tasks are then cancelled, and on
    this machine running ones are ended.
    """
    done = partial(_done, work)
    if scheduler is not None:
        yield from _on_cluster(done, tasks, scheduler)
    elif isinstance(workers, Pool):
        yield from workers.results(done, iter(tasks), in_order=False)
    else:
        with Pool(workers) as pool:
            yield from pool.results(done, iter(tasks), in_order=False)


def _done(work: Callable[[T], R], task: T) -> Iterator[tuple[T, R]]:
    yield task, work(task)


def _on_cluster(
    done: Callable[[T], Iterator[tuple[T, R]]], tasks: Iterable[T], scheduler: str
) -> Iterator[tuple[T, R]]:
    """Yield what a Dask cluster does.

    Raises UsageError where Dask is not installed, NetworkError where no scheduler answers.
    """
    try:
        from distributed import Client, as_completed

        client = Client(scheduler, timeout=10)
    except ImportError:
        raise UsageError("--scheduler needs Dask.", "Install it with `pip install distributed`.") from None
    except (OSError, ValueError):
        raise NetworkError(f"No Dask scheduler answers at {scheduler}.", "Check the address.") from None
    with client:
        for future in as_completed(client.map(lambda task: [*done(task)], [*tasks], pure=False)):
            yield from future.result()
