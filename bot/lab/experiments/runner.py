"""Run an experiment: perform its missing tasks, then write its page, CSV table and plot."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.lab.arena.workers import run_tasks
from bot.lab.experiments.base import Cell, Experiment, Results, Task, markdown_table, shown
from bot.lab.experiments.catalogue import find
from bot.lab.experiments.store import Store, fingerprint, versions, writing

Progress = Callable[[int, int], None]
"""Called with the number of finished tasks and the number of all tasks."""


def perform(named: tuple[str, Task]) -> tuple[dict[str, Any], float]:
    """Perform one task of an experiment, given by name, in any process; return the result and its seconds."""
    name, task = named
    start = time.perf_counter()
    result = find(name).work(task)
    return result, time.perf_counter() - start


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
    tasks = experiment.tasks(quick, seed)
    with Store(out / f"{name}.jsonl", fingerprint=fingerprint(experiment), seed=seed, quick=quick) as store:
        missing = [(name, task) for task in tasks if store.result(task) is None]
        done = len(tasks) - len(missing)
        progress(done, len(tasks))
        for (_, task), (result, seconds) in run_tasks(perform, missing, workers=workers, scheduler=scheduler):
            # Through JSON and back, so that a first and a resumed run see equal results.
            store.save(task, json.loads(json.dumps(result)), seconds)
            done += 1
            progress(done, len(tasks))
        results = [(task, store.result(task) or {}) for task in tasks]
        spent_s = sum(store.seconds(task) for task in tasks)
    about = {"seed": seed, "quick": quick, "tasks": len(tasks), "seconds": round(spent_s, 2), **versions()}
    cells = experiment.cells(results)
    notes = experiment.notes(results)
    with writing(out):
        write_csv(out / f"{name}.csv", cells)
        has_plot = draw(experiment, results, out)
        page = markdown(experiment, cells, notes, about, has_plot)
        (out / f"{name}.md").write_text(page, encoding="utf-8")
    return has_plot


def write_csv(path: Path, cells: list[Cell]) -> None:
    """Write one line for each cell, in full precision."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["row", "column", "published", "measured", "difference", "low", "high"])
        for cell in cells:
            low, high = cell.interval or (None, None)
            writer.writerow([cell.row, cell.column, cell.published, cell.measured, cell.difference, low, high])


def markdown(experiment: Experiment, cells: list[Cell], notes: list[str], about: dict[str, Any], has_plot: bool) -> str:
    """Return the experiment's page in Markdown."""
    rows = [
        [
            cell.row,
            cell.column,
            shown(cell.published, cell.digits),
            shown(cell.measured, cell.digits),
            shown(cell.difference, cell.digits),
            "-" if cell.interval is None else f"{cell.interval[0]:.2f} to {cell.interval[1]:.2f}",
        ]
        for cell in cells
    ]
    parts = [
        f"# {experiment.title}",
        f"Source: {experiment.source}. `python -m bot experiment run {experiment.name}`",
        *notes,
        *([f"![{experiment.title}]({experiment.name}.svg)"] if has_plot else []),
        f"<details><summary>All {len(cells)} cells</summary>",
        markdown_table(rows, ["row", "column", "published", "measured", "difference", "95 % interval"]),
        "</details>",
        "Run with " + ", ".join(f"{key} {value}" for key, value in about.items()) + ".",
    ]
    return "\n\n".join(parts) + "\n"


def draw(experiment: Experiment, results: Results, out: Path) -> bool:
    """Write the plot as PNG and SVG; return False without matplotlib."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(9, 5), layout="constrained")
    experiment.draw(figure, results)
    # Text instead of outlines, and no date: the files are small, and equal for equal results.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": experiment.name}):
        figure.savefig(out / f"{experiment.name}.svg", metadata={"Date": None})
    figure.savefig(out / f"{experiment.name}.png", dpi=120)
    return True
