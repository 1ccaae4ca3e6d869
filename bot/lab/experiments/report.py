"""The report: the ledger of claims, then the pages of all experiments; written anew from the saved results."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from bot.errors import UsageError
from bot.lab.experiments.base import Results
from bot.lab.experiments.catalogue import EXPERIMENTS
from bot.lab.experiments.ledger.catalogue import CLAIMS
from bot.lab.experiments.ledger.claim import Data, judge
from bot.lab.experiments.ledger.sheet import ledger_json, ledger_markdown
from bot.lab.experiments.manifest import SUFFIX, Manifest, read_manifest
from bot.lab.experiments.runner import all_tasks, write_files
from bot.lab.experiments.store import key_of, load, writing

NAME, LEDGER = "report.md", "ledger.json"


def write_report(
    out: Path,
    written: Collection[str] = (),
    *,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Path:
    """Write all pages, tables and plots in ``out`` anew from the saved results, and the report over them.

    The files of the experiments ``written`` are up to date. Returns the report's path. Raises UsageError if there are
    no results.
    """
    complete = {name: found for name in EXPERIMENTS if (found := finished(name, out)) is not None}
    if not complete:
        raise UsageError(
            f"There are no results of experiments in {out}.",
            "Run the experiments first: bot experiment run all --quick.",
        )
    for done, (name, (results, about)) in enumerate(complete.items()):
        progress(done, len(complete))
        if name not in written:
            write_files(EXPERIMENTS[name], results, about, out)
    progress(len(complete), len(complete))
    judged = judge(CLAIMS, Data({name: results for name, (results, _) in complete.items()}))
    missing = [name for name in EXPERIMENTS if name not in complete]
    parts = [
        "# The laboratory's report",
        "What five sources state about Connect Four programs, and what the rebuilt programs show. Written by"
        " `bot experiment report` from the saved results.",
        "Experiments: " + ", ".join(complete) + (f"; not run: {', '.join(missing)}" if missing else "") + ".",
        *ledger_markdown(judged),
        *(lower((out / f"{name}.md").read_text(encoding="utf-8")) for name in complete),
    ]
    with writing(out):
        (out / LEDGER).write_text(json.dumps(ledger_json(judged), indent=1) + "\n", encoding="utf-8")
        (out / NAME).write_text("\n\n".join(part.strip() for part in parts) + "\n", encoding="utf-8")
    return out / NAME


def finished(name: str, out: Path) -> tuple[Results, Manifest] | None:
    """Return the saved results of the last run of ``name`` and its manifest; None if the run is not complete."""
    header, entries = load(out / f"{name}.jsonl")
    manifest = out / f"{name}{SUFFIX}"
    if not header or not manifest.exists():
        return None
    tasks = all_tasks(EXPERIMENTS[name], entries, quick=header["quick"], seed=header["seed"])
    if any(key_of(task) not in entries for task in tasks):
        return None
    return [(task, dict[str, Any](entries[key_of(task)]["result"])) for task in tasks], read_manifest(manifest)


def lower(page: str) -> str:
    """Return the page with its headings one level lower."""
    return "\n".join("#" + line if line.startswith("#") else line for line in page.splitlines())
