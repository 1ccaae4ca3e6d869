"""A progress bar over independent tasks, on stderr."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def collect(
    what: str,
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    *,
    workers: int = 1,
    scheduler: str | None = None,
) -> list[Result]:
    """The results of hashable ``tasks`` in their order, over processes or a cluster, with time left shown."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from bot.lab.arena.workers import run_tasks

    results: dict[Task, Result] = {}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        shown = bar.add_task(what, total=len(tasks))
        for task, result in run_tasks(work, tasks, workers=workers, scheduler=scheduler):
            results[task] = result
            bar.advance(shown)
    return [results[task] for task in tasks]
