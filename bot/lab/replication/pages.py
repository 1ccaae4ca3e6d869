"""The page of a study, and the same as JSON: what was found, tables, plot, statements, how it was made.

A page is written from saved games and answers, so a changed statement, sentence or plot plays no game.
"""

from __future__ import annotations

import json
import math
import platform
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from bot.errors import UsageError
from bot.files import replace_file
from bot.lab.arena.statistics import Estimate
from bot.lab.replication.findings import VERDICTS, Finding, shown
from bot.lab.replication.plots import drawn
from bot.lab.replication.run import FinishedRun, command_of, saved_study
from bot.lab.replication.study import Rows, Study, paragraphs
from bot.lab.replication.tables import ComparedTable


def write_page(study: Study, runs: Mapping[str, FinishedRun], out: Path, *, seed: int, quick: bool) -> Path:
    """Write a study's page, its plot and its JSON into a folder; return the page's path."""
    known: dict[str, Any] = {"quick": quick, "seed": seed, **{name: run.rows for name, run in runs.items()}}
    known |= {name: study.call(function, known) for name, function in study.tables.items()}
    findings: dict[str, Finding] = {name: study.call(function, known) for name, function in study.statements.items()}
    known["findings"] = findings
    known["found"] = [study.call(function, known) for function in study.summaries.values()]
    page = out / f"{study.name}.md"
    replace_file(page, ("\n\n".join(_parts(study, known, out)) + "\n").encode())
    about = _manifest(study, runs, seed=seed, quick=quick)
    about |= {"found": known["found"], "statements": _as_json(study, findings)}
    replace_file(out / f"{study.name}.json", (json.dumps(about, indent=1) + "\n").encode())
    return page


def rewrite_page(study: Study, out: Path) -> Path:
    """Write a study's page from saved results, as its last run made them; raise UsageError where some are missing."""
    about = read_about(study.name, out)
    settings = {"seed": about["seed"], "quick": about["quick"]}
    return write_page(study, saved_study(study, out, **settings), out, **settings)


def read_about(name: str, out: Path) -> dict[str, Any]:
    """Return the JSON of a study's last run in a folder; raise UsageError where there is none."""
    path = out / f"{name}.json"
    try:
        about: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if {"seed", "quick", "statements"} <= about.keys():
            return about
    except (OSError, ValueError, AttributeError):
        pass
    raise UsageError(
        f"{out} has no finished run of {name}.", f"Run `bot experiment run {name}`, or name another folder."
    )


def _parts(study: Study, known: Mapping[str, Any], out: Path) -> list[str]:
    """Return the paragraphs of a page."""
    parts = [f"# {study.source}", study.cite, *filter(None, [study.terms])]
    if known["quick"]:
        parts.append("A quick run: few games, wide intervals.")
    parts += known["found"]
    parts += [_forfeits(name, known[name]) for name in study.runs if "forfeit" in known[name]]
    if study.identified:
        parts.append(f"**Is the program identified?** {study.identified}")
    for name, function in study.tables.items():
        table: ComparedTable = known[name]
        parts += [f"## {paragraphs(function)[0]}", table.as_markdown(), *filter(None, [table.note])]
    for function in study.plots.values():
        draw = partial(_draw, study, function, known)
        parts += filter(None, [drawn(out / f"{study.name}.svg", paragraphs(function)[0], draw)])
    if known["findings"]:
        parts += ["## Statements", counted(Counter(each.verdict for each in known["findings"].values()))]
        parts.append("\n".join(_statement(study, name, each) for name, each in known["findings"].items()))
    remarks = [study.call(function, known) for function in study.remarks.values()]
    if remarks:
        parts += ["## What we noticed", "The source does not state this.", "\n".join(f"- {each}" for each in remarks)]
    return parts


def _forfeits(name: str, rows: Rows) -> str:
    """Return the sentence on a run in which agents failed."""
    reasons = rows.forfeit.dropna()
    return f"Forfeited games of {name}, which count as lost: {len(reasons)}. The first one: {reasons.iloc[0]}"


def _draw(study: Study, function: Callable[..., None], known: Mapping[str, Any], axes: Any) -> None:
    study.call(function, {**known, "axes": axes})


def counted(verdicts: Counter[str]) -> str:
    """Return how often each verdict was found, in words."""
    named = [f"{verdict} {verdicts[verdict]}" for verdict in VERDICTS if verdicts[verdict]]
    statements = "statement" if verdicts.total() == 1 else "statements"
    return f"{verdicts.total()} {statements}: {', '.join(named)}."


def _statement(study: Study, name: str, finding: Finding) -> str:
    """Return a statement as an item of a list: verdict, quotation, and what was found."""
    quotation = paragraphs(study.statements[name])[0]
    decided = ""
    if finding.estimate is not None:
        decided = f" *({finding.unit}: {shown(finding.estimate)}; as stated if {finding.stated})*"
    return f"- **{finding.verdict}** {quotation}<br>{finding.sentence}{decided}"


def _as_json(study: Study, findings: Mapping[str, Finding]) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{study.name}.{name}",
            "statement": paragraphs(study.statements[name])[0],
            "verdict": finding.verdict,
            "sentence": finding.sentence,
            "unit": finding.unit,
            "stated": finding.stated,
            "estimate": _finite(finding.estimate),
        }
        for name, finding in findings.items()
    ]


def _finite(estimate: Estimate | None) -> dict[str, Any] | None:
    """Return an estimate as JSON, which has no infinite numbers: they are null."""
    if estimate is None:
        return None
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in vars(estimate).items()
    }


def _manifest(study: Study, runs: Mapping[str, FinishedRun], *, seed: int, quick: bool) -> dict[str, Any]:
    """Return what is needed to repeat a study, and to see whether the repetition is equal."""
    import numba
    import numpy
    import pandas
    import scipy

    from bot import __version__

    libraries = {each.__name__: each.__version__ for each in (numba, numpy, pandas, scipy)}
    versions = {"bot": __version__, "python": platform.python_version(), **libraries}
    return {
        "source": study.source,
        "command": command_of(study, seed=seed, quick=quick),
        "seed": seed,
        "quick": quick,
        "versions": versions,
        "system": f"{platform.system()} {platform.machine()}",
        "runs": {name: run.about() for name, run in runs.items()},
    }
