"""Repeat a run by its manifest, and compare: everything but times must be equal."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bot.errors import UsageError
from bot.lab.arena.workers import run_tasks
from bot.lab.experiments.base import Task
from bot.lab.experiments.catalogue import find
from bot.lab.experiments.manifest import digest, is_timed, read_manifest, without_times
from bot.lab.experiments.runner import Progress, all_tasks, perform
from bot.lab.experiments.store import fingerprint, key_of, load


@dataclass(frozen=True)
class Comparison:
    """The outcome of a rerun."""

    name: str
    compared: int
    """Tasks that were performed again."""
    excluded: int
    """Tasks whose agents have a time budget; they are not compared."""
    differing: tuple[str, ...]
    """Keys of tasks with another result; unknown if the raw results are not beside the manifest."""
    equal: bool
    same_sources: bool
    whole: bool
    """Whether all tasks were compared, not a sample of them."""

    def describe(self) -> str:
        """Return the outcome in sentences."""
        what = f"{self.name}: {self.compared} task{'s' * (self.compared != 1)} performed again"
        parts = [what if self.whole else f"{what}, drawn at random"]
        parts.append("identical but for times" if self.equal else f"{len(self.differing) or 'some'} differ")
        if self.excluded:
            parts.append(f"{self.excluded} not compared, because an agent has a time budget")
        if not self.same_sources:
            parts.append("the sources have changed since")
        return "; ".join(parts) + "."


def rerun(
    path: Path,
    *,
    sample: int | None = None,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress = lambda _done, _total: None,
) -> Comparison:
    """Perform the tasks of the manifest at ``path`` again and compare; with ``sample``, that number of them at random.

    A sample is compared with the raw results beside the manifest. Raises UsageError where the file is not a manifest,
    and where a sample has nothing to be compared with.
    """
    content = read_manifest(path)
    experiment = find(content["experiment"])
    before = load(path.with_name(f"{content['experiment']}.jsonl"))[1]
    tasks = all_tasks(experiment, before, quick=content["quick"], seed=content["seed"])
    fixed = [task for task in tasks if not is_timed(task)]
    chosen = _sample(fixed, sample)
    if len(chosen) < len(fixed) and not before:
        name = f"{content['experiment']}.jsonl"
        raise UsageError(f"A sample is compared with {name}, which is not beside {path}.", "Rerun all: omit --sample.")
    perform_all = partial(_performed, experiment.name, workers=workers, scheduler=scheduler, progress=progress)
    results = perform_all([], chosen)
    if not before and experiment.more is not None:
        further = experiment.more(results, content["quick"], content["seed"])
        fixed = chosen = chosen + further
        results = perform_all(results, further)
    known = [(task, result) for task, result in results if key_of(task) in before]
    differing = tuple(
        key_of(task) for task, result in known if without_times(result) != without_times(before[key_of(task)]["result"])
    )
    whole = len(chosen) == len(fixed)
    equal = digest(results) == content["digest"] if whole else not differing and len(known) == len(results)
    return Comparison(
        experiment.name,
        len(chosen),
        len(tasks) - len(fixed),
        differing,
        equal,
        fingerprint(experiment) == content["fingerprint"],
        whole,
    )


def _performed(
    name: str,
    earlier: list[tuple[Task, dict[str, Any]]],
    tasks: list[Task],
    *,
    workers: int,
    scheduler: str | None,
    progress: Progress,
) -> list[tuple[Task, dict[str, Any]]]:
    """Perform ``tasks`` and return all results, the ``earlier`` ones first."""
    results, total = list(earlier), len(earlier) + len(tasks)
    progress(len(results), total)
    named = [(name, task) for task in tasks]
    for (_, task), (result, _) in run_tasks(perform, named, workers=workers, scheduler=scheduler):
        results.append((task, json.loads(json.dumps(result))))
        progress(len(results), total)
    return results


def _sample(tasks: list[Task], size: int | None) -> list[Task]:
    if size is None or size >= len(tasks):
        return tasks
    return random.Random(f"rerun/{size}").sample(tasks, size)
