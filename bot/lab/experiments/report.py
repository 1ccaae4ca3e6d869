"""The report: the pages of all experiments, joined into one."""

from __future__ import annotations

from pathlib import Path

from bot.errors import UsageError
from bot.lab.experiments.base import Results, markdown_table
from bot.lab.experiments.catalogue import EXPERIMENTS
from bot.lab.experiments.findings import findings
from bot.lab.experiments.store import key_of, load, writing

NAME = "report.md"


def write_report(out: Path) -> Path:
    """Join the pages in ``out`` to report.md and return its path; raise UsageError if there are no pages."""
    pages = {name: out / f"{name}.md" for name in EXPERIMENTS if (out / f"{name}.md").exists()}
    if not pages:
        raise UsageError(
            f"There are no results of experiments in {out}.",
            "Run the experiments first: python -m bot experiment run all --quick.",
        )
    results = {name: found for name in pages if (found := finished(name, out))}
    rows = [[finding.source, finding.claim, finding.evidence] for finding in findings(results)]
    missing = [name for name in EXPERIMENTS if name not in pages]
    parts = [
        "# The laboratory's report",
        "Results that five sources published about Connect Four programs, beside those of the rebuilt programs.",
        "Experiments: " + ", ".join(pages) + (f"; not run: {', '.join(missing)}" if missing else "") + ".",
        "## What the papers got wrong",
        markdown_table(rows, ["source", "claim", "evidence"]),
        *(lower(path.read_text(encoding="utf-8")) for path in pages.values()),
    ]
    path = out / NAME
    with writing(out):
        path.write_text("\n\n".join(part.strip() for part in parts) + "\n", encoding="utf-8")
    return path


def finished(name: str, out: Path) -> Results:
    """Return the saved results of the last run of ``name``; empty if the run is not complete."""
    header, entries = load(out / f"{name}.jsonl")
    if not header:
        return []
    tasks = EXPERIMENTS[name].tasks(header["quick"], header["seed"])
    if any(key_of(task) not in entries for task in tasks):
        return []
    return [(task, entries[key_of(task)]["result"]) for task in tasks]


def lower(page: str) -> str:
    """Return the page with its headings one level lower."""
    return "\n".join("#" + line if line.startswith("#") else line for line in page.splitlines())
