"""Run an experiment: perform its missing tasks, then write its page, CSV table and plot."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from bot.lab.arena.workers import run_tasks
from bot.lab.experiments.base import Cell, Experiment, Results, Task, markdown_table, shown
from bot.lab.experiments.catalogue import find
from bot.lab.experiments.manifest import Manifest, manifest, summary, write_manifest
from bot.lab.experiments.plots import SIZE, STYLE
from bot.lab.experiments.store import Entries, Store, fingerprint, key_of, writing

Progress = Callable[[int, int], None]
"""Called with the number of finished tasks and the number of all tasks."""


def perform(named: tuple[str, Task]) -> tuple[dict[str, Any], float]:
    """Perform one task of an experiment, given by name, in any process; return the result and the seconds it took.

    They are processor time, which does not depend on what else the machine does.
    """
    name, task = named
    start = time.process_time()
    result = find(name).work(task)
    return result, time.process_time() - start


def run_experiment(
    name: str,
    out: Path,
    *,
    seed: int = 0,
    quick: bool = False,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress = lambda _done, _total: None,
) -> bool:
    """Run ``name`` and write its files into ``out``; return False if no plot was drawn because matplotlib is missing.

    A run that was interrupted continues after its last finished task. Raises UsageError for an unknown name and for a
    folder that cannot be written.
    """
    experiment = find(name)
    with Store(out / f"{name}.jsonl", fingerprint=fingerprint(experiment), seed=seed, quick=quick) as store:
        run = partial(_perform_all, store, workers=workers, scheduler=scheduler, progress=progress)
        results = run(experiment, experiment.tasks(quick, seed))
        if experiment.more is not None:
            results += run(experiment, experiment.more(results, quick, seed), done_before=len(results))
        spent_s = sum(store.seconds(task) for task, _ in results)
    about = manifest(name, results, fingerprint=fingerprint(experiment), seed=seed, quick=quick, spent_s=spent_s)
    write_manifest(out, about)
    return write_files(experiment, results, about, out)


def _perform_all(
    store: Store,
    experiment: Experiment,
    tasks: list[Task],
    *,
    workers: int,
    scheduler: str | None,
    progress: Progress,
    done_before: int = 0,
) -> list[tuple[Task, dict[str, Any]]]:
    """Perform the tasks whose results are not saved yet; return all results."""
    missing = [(experiment.name, task) for task in tasks if store.result(task) is None]
    done, total = done_before + len(tasks) - len(missing), done_before + len(tasks)
    progress(done, total)
    for (_, task), (result, seconds) in run_tasks(perform, missing, workers=workers, scheduler=scheduler):
        # Through JSON and back, so that a first and a resumed run see equal results.
        store.save(task, json.loads(json.dumps(result)), seconds)
        done += 1
        progress(done, total)
    return [(task, store.result(task) or {}) for task in tasks]


def write_files(experiment: Experiment, results: Results, about: Manifest, out: Path) -> bool:
    """Write table, plot and page of finished results; return False if no plot was drawn."""
    cells = experiment.cells(results)
    with writing(out):
        write_csv(out / f"{experiment.name}.csv", cells)
        has_plot = draw(experiment, results, out)
        page = markdown(experiment, cells, experiment.notes(results), about, has_plot)
        (out / f"{experiment.name}.md").write_text(page, encoding="utf-8")
    return has_plot


def write_csv(path: Path, cells: list[Cell]) -> None:
    """Write one line for each cell, in full precision."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["row", "column", "published", "goal", "measured", "difference", "low", "high", "basis"])
        for cell in cells:
            low, high = cell.interval or (None, None)
            values = (cell.published, cell.goal, cell.measured, cell.difference)
            writer.writerow([cell.row, cell.column, *values, low, high, cell.basis])


def markdown(experiment: Experiment, cells: list[Cell], notes: list[str], about: Manifest, has_plot: bool) -> str:
    """Return the experiment's page in Markdown."""
    rows = [
        [
            cell.row,
            cell.column,
            shown(cell.published, cell.digits),
            shown(cell.measured, cell.digits),
            shown(cell.goal, cell.digits),
            "-" if cell.interval is None else " to ".join(shown(bound, cell.digits) for bound in cell.interval),
            cell.basis or "-",
        ]
        for cell in cells
    ]
    parts = [
        f"# {experiment.title}",
        f"Source: {experiment.source}. `bot experiment run {experiment.name}`",
        *notes,
        *([f"![{experiment.title}]({experiment.name}.svg)"] if has_plot else []),
        f"<details><summary>All {len(cells)} cells</summary>",
        markdown_table(rows, ["row", "column", "published", "measured", "goal", "95 % interval", "basis"]),
        "</details>",
        summary(about),
    ]
    return "\n\n".join(parts) + "\n"


def draw(experiment: Experiment, results: Results, out: Path) -> bool:
    """Write the plot as PNG and SVG; return False without matplotlib."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        return False
    with rc_context({**STYLE, "svg.hashsalt": experiment.name}):
        figure = Figure(figsize=SIZE, layout="constrained")
        experiment.draw(figure, results)
        # Without a date, the files are equal for equal results.
        figure.savefig(out / f"{experiment.name}.svg", metadata={"Date": None})
        figure.savefig(out / f"{experiment.name}.png", dpi=120)
    return True


def all_tasks(experiment: Experiment, entries: Entries, *, quick: bool, seed: int) -> list[Task]:
    """Return the tasks of a run, with those of the second stage if the results of the first are among ``entries``."""
    tasks = experiment.tasks(quick, seed)
    if experiment.more is None or any(key_of(task) not in entries for task in tasks):
        return tasks
    return tasks + experiment.more([(task, entries[key_of(task)]["result"]) for task in tasks], quick, seed)
