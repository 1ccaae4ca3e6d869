"""Perform a study's runs, each task once: results are saved piece by piece, and an interrupted study goes on.

A saved result is used as long as the sources behind it are unchanged: the modules of the task's agents and of its kind,
and all that these import (`bot.lab.sources`). Several studies, and several processes, can use one folder: all results
are lines that are only appended, and each study has its own pages.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.agents.catalogue import agent_modules, is_external
from bot.errors import UsageError
from bot.lab.arena.ctrl_c import stop_on_interrupt
from bot.lab.arena.tasks import PlannedTask, TaskResult, decisive
from bot.lab.arena.workers import run_tasks
from bot.lab.replication.study import Rows, Study
from bot.lab.sources import fingerprint
from bot.lab.store import RecordStore, load
from bot.lab.versions import version_of

Progress = Callable[[int, int, str], None]
"""Called with the number of finished tasks, the number of all, and the name of their run."""
RESULTS = "results.jsonl"
"""The file of all tasks' results in a folder."""
HEAD = {"results": "bot experiment"}
PIECE = 30
"""Most tasks that a process performs before they are saved."""


@dataclass(frozen=True)
class FinishedRun:
    """One run of a study."""

    rows: Rows
    tasks: int
    digest: str
    """SHA-256 of tasks and results without their times, in any order."""
    spent_s: float
    """Processor time."""

    def about(self) -> dict[str, Any]:
        """Return everything but the rows, as JSON."""
        return {"tasks": self.tasks, "digest": self.digest, "spent_s": self.spent_s}


@dataclass(frozen=True)
class Piece:
    """Tasks that one process performs, all with the same modules."""

    keys: tuple[str, ...]
    tasks: tuple[PlannedTask, ...]
    seed: int
    sources: str


def run_study(
    study: Study, out: Path, *, seed: int = 0, quick: bool = False, workers: int = 1, progress: Progress
) -> dict[str, FinishedRun]:
    """Perform what is missing of a study; return its runs by name.

    Raises UsageError for a folder that cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}.", "Choose another folder with --out.") from None
    with RecordStore(out / RESULTS, HEAD) as store:

        def completed(name: str, tasks: list[PlannedTask]) -> FinishedRun:
            pieces = _missing(tasks, seed, store)
            waiting = sum(len(piece.tasks) for piece in pieces)
            progress(len(tasks) - waiting, len(tasks), f"{study.name}: {name}")
            for piece, found in run_tasks(perform, pieces, workers=workers):
                for key, entry in zip(piece.keys, found, strict=True):
                    store.add(key, entry, piece.sources)
                waiting -= len(found)
                progress(len(tasks) - waiting, len(tasks), f"{study.name}: {name}")
            return _finished(tasks, seed, store)

        return _each_run(study, completed, quick=quick, seed=seed)


def saved_study(study: Study, out: Path, *, seed: int, quick: bool) -> dict[str, FinishedRun]:
    """Return a study's runs from saved results alone; raise UsageError where one is missing."""
    store = RecordStore(None, HEAD)
    store.known = load(out / RESULTS, HEAD)

    def completed(name: str, tasks: list[PlannedTask]) -> FinishedRun:
        missing = sum(store.get(key_of(task, seed), sources_of(task)) is None for task in tasks)
        if missing:
            hint = f"Make them with `{command_of(study, seed=seed, quick=quick)} --out {out}`."
            message = f"{out} lacks {missing} results of {study.name}, {name}, or has them of other sources."
            raise UsageError(message, hint)
        return _finished(tasks, seed, store)

    return _each_run(study, completed, quick=quick, seed=seed)


def command_of(study: Study, *, seed: int, quick: bool) -> str:
    """Return the command that runs a study."""
    words = ["bot experiment run", study.name]
    if quick:
        words.append("--quick")
    if seed:
        words.append(f"--seed {seed}")
    return " ".join(words)


def _each_run(
    study: Study, completed: Callable[[str, list[PlannedTask]], FinishedRun], *, quick: bool, seed: int
) -> dict[str, FinishedRun]:
    known: dict[str, Any] = {"quick": quick, "seed": seed}
    found: dict[str, FinishedRun] = {}
    for name, function in study.runs.items():
        tasks = list(study.call(function, known))
        rows = {(key_of(task, seed), json.dumps(dict(task.labels))) for task in tasks}
        if len(rows) < len(tasks):
            raise UsageError(f"{study.name}: {name} yields a task twice.", "Another draw needs another number.")
        found[name] = completed(name, tasks)
        known[name] = found[name].rows
    return found


def key_of(task: PlannedTask, seed: int) -> str:
    """Return a short text that differs between tasks with different results."""
    return hashlib.sha256(json.dumps([seed, decisive(task)], sort_keys=True).encode()).hexdigest()[:20]


def sources_of(task: PlannedTask) -> str:
    """Return the fingerprint of what decides a task's result, besides the task."""
    names = task.agent_names()
    modules = {module for name in names for module in agent_modules(name)}
    kind = type(task).__module__
    if not kind.startswith("bot.lab.arena."):
        raise UsageError(f"{type(task).__name__} is no task of the arena.", "Use those of bot/lab/arena.")
    outside = sorted(version_of(name) for name in names if is_external(name))
    return " ".join([fingerprint((kind, *sorted(modules))), *outside])


def _missing(tasks: Iterable[PlannedTask], seed: int, store: RecordStore) -> list[Piece]:
    """Return the tasks without a result, each once, in pieces of the same modules."""
    pieces: list[Piece] = []
    seen = set[str]()
    for task in tasks:
        key, sources = key_of(task, seed), sources_of(task)
        if key in seen or store.get(key, sources) is not None:
            continue
        seen.add(key)
        last = pieces[-1] if pieces else None
        if last is not None and last.sources == sources and len(last.keys) < PIECE:
            pieces[-1] = Piece((*last.keys, key), (*last.tasks, task), seed, sources)
        else:
            pieces.append(Piece((key,), (task,), seed, sources))
    return pieces


def perform(piece: Piece) -> list[dict[str, Any]]:
    """Perform tasks in any process; return a record of each, with the processor time that it took."""
    found = []
    with stop_on_interrupt() as stop:
        for key, task in zip(piece.keys, piece.tasks, strict=True):
            start = time.process_time()
            result = task.perform(f"{piece.seed}/{key}", stop)
            found.append({"result": result, "spent_s": round(time.process_time() - start, 6)})
    return found


def _finished(tasks: Sequence[PlannedTask], seed: int, store: RecordStore) -> FinishedRun:
    """Return a run all of whose tasks have results."""
    import pandas as pd

    records = [store.known[key_of(task, seed)] for task in tasks]
    lines = sorted(f"{record['key']} {json.dumps(without_times(record['result']))}" for record in records)
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    rows = [{**decisive(task), **task.labels, **record["result"]} for task, record in zip(tasks, records, strict=True)]
    spent_s = sum(record["spent_s"] for record in records)
    return FinishedRun(pd.DataFrame(rows), len(tasks), digest, round(spent_s, 1))


def without_times(result: TaskResult) -> TaskResult:
    """Return what a task leaves without its times."""
    return {name: value for name, value in result.items() if not name.endswith("seconds")}
