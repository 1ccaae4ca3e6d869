"""All finished experiments on one page."""

from __future__ import annotations

from pathlib import Path

from bot.errors import UsageError
from bot.lab.experiments.base import Results, grid
from bot.lab.experiments.catalogue import EXPERIMENTS
from bot.lab.experiments.findings import findings
from bot.lab.experiments.store import key_of, load, writing

NAME = "report.md"


def write_report(out: Path) -> Path:
    """Write ``out``/report.md from the pages there; returns its path. Raises UsageError when there are none."""
    pages = {name: out / f"{name}.md" for name in EXPERIMENTS if (out / f"{name}.md").exists()}
    if not pages:
        raise UsageError(f"{out} holds no experiment.", "Run one first: python -m bot experiment run all --quick.")
    results = {name: found for name in pages if (found := finished(name, out))}
    rows = [[finding.source, finding.claim, finding.evidence] for finding in findings(results)]
    missing = [name for name in EXPERIMENTS if name not in pages]
    parts = [
        "# The laboratory's report",
        "What five sources published about Connect Four programs, beside what their rebuilt systems do.",
        "Experiments: " + ", ".join(pages) + (f"; not run: {', '.join(missing)}" if missing else "") + ".",
        "## What the papers got wrong",
        grid(rows, ["source", "claim", "evidence"]),
        *(lower(path.read_text(encoding="utf-8")) for path in pages.values()),
    ]
    path = out / NAME
    with writing(out):
        path.write_text("\n\n".join(part.strip() for part in parts) + "\n", encoding="utf-8")
    return path


def finished(name: str, out: Path) -> Results:
    """The saved results of the last run of ``name``; none when it was not finished."""
    header, entries = load(out / f"{name}.jsonl")
    if not header:
        return []
    tasks = EXPERIMENTS[name].tasks(header["quick"], header["seed"])
    if any(key_of(task) not in entries for task in tasks):
        return []
    return [(task, entries[key_of(task)]["result"]) for task in tasks]


def lower(page: str) -> str:
    """The page with its headings one level down."""
    return "\n".join("#" + line if line.startswith("#") else line for line in page.splitlines())
