"""Run an experiment: perform its missing tasks, each of which is saved at once, and keep a manifest.

A manifest is what is needed to repeat a run, and to see whether the repetition is equal (`rerun`). Everything but times
must come out equal; agents whose moves depend on time have no place in that comparison.
"""

from __future__ import annotations

import hashlib
import json
import platform
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from bot.errors import UsageError
from bot.lab.arena.ctrl_c import stop_on_interrupt
from bot.lab.arena.workers import run_tasks
from bot.lab.experiments.frame import Frame, frame_of
from bot.lab.experiments.paper import RunPlan, all_runs, find_run
from bot.lab.experiments.plan import Row, Task, modules_of, tasks_of
from bot.lab.experiments.play import Result
from bot.lab.experiments.printed import ranked
from bot.lab.sources import fingerprint
from bot.lab.store import RecordStore, load

Progress = Callable[[int, int], None]
"""Called with the number of finished tasks and the number of all tasks."""
Done = list[tuple[Task, dict[str, Any]]]
"""Tasks with their entries: ``rows``, the results in the order of the task's rows, and ``spent_s``."""
MANIFEST = "manifest.json"
RESULTS = ".jsonl"
HINT = (
    "The raw results are not part of the package: make them with `bot experiment run all`, or with --quick in a minute."
)


def key_of(task: Task) -> str:
    """Return a short text that differs between tasks."""
    return hashlib.sha256(json.dumps(task, sort_keys=True).encode()).hexdigest()[:20]


def perform(task: Task) -> dict[str, Any]:
    """Perform one task in any process; ``spent_s`` is processor time, which does not depend on other programs."""
    start = time.process_time()
    with stop_on_interrupt() as stop:
        rows = import_module(f"bot.lab.experiments.{task['work']}").perform(task, stop)
    rows = json.loads(json.dumps(rows))  # as a resumed run reads them
    return {"rows": rows, "spent_s": round(time.process_time() - start, 3)}


def sources_of(task: Task) -> str:
    """Return the fingerprint of what decides a task's results."""
    return fingerprint(tuple(modules_of(task)))


def run_experiment(
    name: str,
    out: Path,
    *,
    seed: int = 0,
    quick: bool = False,
    workers: int = 1,
    progress: Progress = lambda _done, _total: None,
) -> None:
    """Run ``name`` and write its results and its manifest into ``out``; an interrupted run continues.

    Raises UsageError for an unknown name and for a folder that cannot be written.
    """
    find_run(name)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}.", "Choose another folder with --out.") from None
    with RecordStore(out / f"{name}{RESULTS}", head_of(name)) as store:
        complete = partial(_complete, store, workers=workers, progress=progress)
        done = _collect(name, complete, quick=quick, seed=seed)
    write_manifest(out, name, done, quick=quick, seed=seed)


def _collect(name: str, complete: Callable[[list[Task]], Done], *, quick: bool, seed: int) -> Done:
    """Return all results of a run, of both stages where it has a screen."""
    run = find_run(name)
    done = complete(tasks_of(name, run, quick=quick, seed=seed))
    if run.screen is not None:
        readings = chosen(run, frame_of_tasks(done))
        done = done + complete(tasks_of(name, run, quick=quick, seed=seed, chosen=readings))
    return done


def head_of(name: str) -> dict[str, Any]:
    """Return the head of a results file: its tasks say everything else, so that quick and full runs can share it."""
    return {"experiment": name}


def _complete(store: RecordStore, tasks: list[Task], *, workers: int, progress: Progress) -> Done:
    """Perform the tasks whose results are not saved yet; return all results."""
    keyed = [(key_of(task), task) for task in tasks]
    sources = {key: sources_of(task) for key, task in keyed}
    found = {key: store.get(key, sources[key]) for key, _ in keyed}
    missing = [task for key, task in keyed if found[key] is None]
    done = len(tasks) - len(missing)
    progress(done, len(tasks))
    for task, entry in run_tasks(perform, missing, workers=workers):
        key = key_of(task)
        store.add(key, entry, sources[key])
        found[key] = entry
        done += 1
        progress(done, len(tasks))
    return [(task, found[key] or {}) for key, task in keyed]


def frame_of_tasks(done: Done) -> Frame:
    """Return the results of tasks as a frame."""
    rows = [row for task, _ in done for row in task["rows"]]
    return frame_of(rows, [result for _, entry in done for result in entry["rows"]])


def chosen(run: RunPlan, frame: Frame) -> list[Row]:
    """Return the readings that play the held-out part: those that explain the first part best, and the first of all."""
    assert run.screen is not None
    readings = [row for _, row, _ in ranked(run, frame)][: run.screen.keep]
    recommended = next(row for row, _ in frame.groups(run.readings))
    return readings if recommended in readings else [*readings, recommended]


def saved(name: str, out: Path) -> Frame | None:
    """Return the results of the last run of ``name`` in a folder; None if it is not complete."""
    about = read_manifests(out).get(name)
    if about is None:
        return None
    settings = {"quick": about["quick"], "seed": about["seed"]}
    known = load(out / f"{name}{RESULTS}", head_of(name))
    with suppress(KeyError):  # a task that was not performed
        return frame_of_tasks(_collect(name, lambda tasks: [(task, known[key_of(task)]) for task in tasks], **settings))
    return None


def digest(done: Done) -> str:
    """Return the SHA-256 of tasks and results without their times, in any order."""
    lines = sorted(f"{key_of(task)} {json.dumps(list(map(without_times, entry['rows'])))}" for task, entry in done)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def without_times(row: Result) -> Result:
    """Return what a row leaves without its times."""
    return {name: value for name, value in row.items() if not name.endswith("seconds")}


def write_manifest(out: Path, name: str, done: Done, *, quick: bool, seed: int) -> None:
    """Write the manifest of a finished run beside those of the others."""
    import numba
    import numpy

    from bot import __version__

    content = read_manifests(out)
    command = f"bot experiment run {name}" + (" --quick" if quick else "") + (f" --seed {seed}" if seed else "")
    content[name] = {
        "command": command,
        "versions": {
            "bot": __version__,
            "python": platform.python_version(),
            "numba": numba.__version__,
            "numpy": numpy.__version__,
        },
        "system": f"{platform.system()} {platform.machine()}",
        "seed": seed,
        "quick": quick,
        "tasks": len(done),
        "digest": digest(done),
        "spent_s": round(sum(entry["spent_s"] for _, entry in done), 1),
    }
    ordered = {run: content[run] for run in all_runs() if run in content}
    (out / MANIFEST).write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")


def read_manifests(out: Path) -> dict[str, dict[str, Any]]:
    """Return the manifests of a folder by the names of the runs; none where there is no file."""
    path = out / MANIFEST
    try:
        content = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if all(entry.keys() >= {"seed", "quick", "digest"} for entry in content.values()):
            return dict(content)
    except (OSError, ValueError, AttributeError):
        pass
    raise UsageError(f"{path} is not a manifest.", "Name another folder, or delete the file.")


def rerun(name: str, out: Path, *, workers: int = 1, progress: Progress) -> bool:
    """Repeat the run that the manifest in ``out`` describes; return whether everything but times is equal.

    Raises UsageError where there is no manifest of the run.
    """
    about = read_manifests(out).get(name)
    if about is None:
        raise UsageError(f"{out} has no manifest of {name!r}.", HINT)
    with tempfile.TemporaryDirectory() as folder:
        again = Path(folder)
        settings = {"seed": about["seed"], "quick": about["quick"]}
        run_experiment(name, again, **settings, workers=workers, progress=progress)
        return bool(read_manifests(again)[name]["digest"] == about["digest"])
