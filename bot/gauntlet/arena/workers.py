"""Run independent tasks in a pool of processes, or in this one."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from typing import TypeVar

from bot.engine.processes import Pool

T = TypeVar("T")
R = TypeVar("R")


def run_tasks(work: Callable[[T], R], tasks: Iterable[T], pool: Pool) -> Generator[tuple[T, R], None, None]:
    """Yield each task with its result, in the order of completion; ``work`` and the tasks must be picklable.

    A pool of one process works in this one, in the order of the tasks. An exception of ``work`` is raised here; the
    other tasks are then cancelled, and running ones are ended.
    """
    return pool.results(partial(_done, work), iter(tasks), in_order=False)


def _done(work: Callable[[T], R], task: T) -> Iterator[tuple[T, R]]:
    yield task, work(task)
