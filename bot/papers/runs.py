"""Perform a study's tasks, each once: each result is saved at once, so that an interrupted run goes on.

A saved result is used as long as the sources behind it are unchanged: those of the task's agents and of this room's
tasks. Several studies and several processes can use one file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from bot.gauntlet.arena.workers import run_tasks
from bot.gauntlet.store import RecordStore
from bot.gauntlet.versions import sources_of
from bot.papers import tasks
from bot.papers.tasks import Task

Rows = Any
"""A DataFrame: one row a task, with who is first, where it starts, its labels and its result as columns."""
STORE, HEAD = "runs.jsonl", {"results": "bot paper"}
"""File of all results in a folder, and its first line."""


@dataclass
class Runner:
    """Performs the runs of a study: call it with a run's name and its tasks."""

    store: RecordStore
    quick: bool = False
    """Whether a part of the tasks is enough."""
    workers: int = 1
    scheduler: str | None = None
    progress: Callable[[int, int, str], None] = lambda *_: None
    """Called with the number of finished tasks, the number of all, and the name of their run."""
    about: dict[str, Any] = field(default_factory=dict)
    """Number of tasks and digest of each run, by its name; no digest depends on times."""

    def __call__(self, name: str, planned: Iterable[Task]) -> Rows:
        """Perform what is missing of a run; return the rows of all its tasks, in their order."""
        import pandas as pd

        wanted = {task.key: task for task in planned}
        missing = [task for key, task in wanted.items() if self.store.get(key, _sources(task)) is None]
        done = len(wanted) - len(missing)
        self.progress(done, len(wanted), name)
        for task, record in run_tasks(Task.perform, missing, workers=self.workers, scheduler=self.scheduler):
            self.store.add(task.key, record, _sources(task))
            done += 1
            self.progress(done, len(wanted), name)
        rows = pd.DataFrame(
            {"first": next(iter(task.agents)), "start": task.moves, **task.labels, **self.store.known[key]}
            for key, task in wanted.items()
        )
        lasting = [name for name in rows if not name.endswith(("seconds", "sources"))]
        said = rows[lasting].sort_values("key").to_csv(index=False)
        self.about[name] = {"tasks": len(rows), "digest": hashlib.sha256(said.encode()).hexdigest()[:20]}
        return rows


def _sources(task: Task) -> str:
    return " ".join(map(_sources_of_agent, task.agents.values()))


@cache
def _sources_of_agent(name: str) -> str:
    return sources_of(name, tasks.__name__)
