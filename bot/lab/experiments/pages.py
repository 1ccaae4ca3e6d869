"""Pages of Markdown: each source's printed tables beside ours, its ledger, and what we noticed.

Every sentence is made from a verdict and its numbers, so that none can contradict them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bot.errors import UsageError
from bot.lab.arena.statistics import Estimate
from bot.lab.experiments.compare import VERDICTS, Comparison, Finding, Frames, JudgedStatement, estimate_of, judge
from bot.lab.experiments.frame import Frame
from bot.lab.experiments.paper import Noticed, Paper, Table, all_runs, papers
from bot.lab.experiments.printed import Cell, Value, ours
from bot.lab.experiments.round_robin import agreement, standings
from bot.lab.experiments.run import HINT, MANIFEST, saved
from bot.lab.experiments.statistics import LEVEL

LEDGER, INDEX = "ledger.json", "README.md"
FINDINGS: dict[Finding, str] = {"holds": "as stated", "fails": "not as stated", "open": "not decided"}
METHOD = f"""Every statement is in our own words, with its place in the source; its verdict is computed.

- A result without chance (counts, moves, exact scores, printed numbers) decides alone.
- A sample has a 95 % interval, and a p-value at the boundary that the statement names. What it counts is named: seeded
  games are draws; a deterministic game that repeats itself is one result without error. The p-values of all samples are
  adjusted together by Holm's method, which bounds the chance of even one false verdict by {LEVEL:g}; those of a
  reading among themselves.
- *supported*: every comparison is as stated; *refuted*: one is not; *undecided*: the sample does not say.
- Where the source leaves its program open, the comparison is made in every reading: *supported* if it holds in all,
  *not reproduced* if it fails in all, *depends on the reading* if it holds in some and fails in others (samples: also
  if chance has had a try with each reading).
- Where a statement has no readings, only the program as our reading notes recommend it was tried; a statement that
  something can happen is *not reproduced* if it did not happen in what was tried.
- A vague source's readings may be too many for all games of a table. Then all play its first part, and those that
  explain it best, and the recommended one, play the rest, which has no say in the choice: its cells are held out.
- In tables a cell is "printed -> ours"; a cell that differs, if only by chance, is bold."""


def write_pages(out: Path, names: Sequence[str] = ()) -> list[Path]:
    """Judge every statement by the saved results, and write a page for each source, the ledger and the plots.

    Returns the pages. Raises UsageError where there are no results.
    """
    from bot.lab.experiments.plots import draw

    found = papers()
    frames = {run: frame for run in all_runs() if (frame := saved(run, out)) is not None}
    if not frames:
        raise UsageError(f"There are no results of experiments in {out}.", HINT)
    judged = judge(list(found.values()), frames)
    pages = []
    for paper in found.values():
        if names and paper.name not in names:
            continue
        pictures = draw(paper, frames, out)
        mine = [each for each in judged if each.paper.name == paper.name]
        pages.append(out / f"{paper.name}.md")
        pages[-1].write_text("\n\n".join(page(paper, mine, frames, pictures)) + "\n", encoding="utf-8")
    (out / LEDGER).write_text(json.dumps([as_json(each) for each in judged], indent=1) + "\n", encoding="utf-8")
    verdicts = counts([(each.paper.source, each.verdict) for each in judged])
    (out / INDEX).write_text(f"# What the sources state\n\n{METHOD}\n\n{verdicts}\n", encoding="utf-8")
    return [*pages, out / INDEX]


def page(paper: Paper, judged: Sequence[JudgedStatement], frames: Frames, pictures: Sequence[str]) -> list[str]:
    """Return the page of a source, as paragraphs."""
    parts = [f"# {paper.source}", paper.cite]
    for table in paper.table.values():
        if table.run in frames:
            cells, worth = ours(table, frames[table.run])
            parts += [f"## {table.title}", beside(table, cells), *filter(None, [worth])]
    for name, run in paper.run.items():
        if run.field and name in frames:
            parts += [f"## {run.title}", *ratings(frames[name], frames.get(run.judged))]
    parts += pictures
    if judged:
        rows = [
            [f"`{each.statement.id}`", each.statement.at, each.statement.text, each.verdict, evidence(each)]
            for each in judged
        ]
        parts += ["## Statements", table_of(["id", "place", "statement", "verdict", "evidence"], rows)]
    noticed = [sentence for each in paper.noticed if (sentence := _noticed(each, frames))]
    if noticed:
        parts += ["## What we noticed", "The source does not state this.", "\n".join(f"- {each}" for each in noticed)]
    missing = [run for run in paper.run if run not in frames]
    if missing:
        parts.append(f"Not run: {', '.join(missing)}.")
    return parts


def ratings(frame: Frame, judged: Frame | None) -> list[str]:
    """Return the table of a round robin, best first, and how well ratings and exact accuracy agree."""
    found = standings(frame, judged)
    rows = [
        [
            f"`{each.agent}`",
            f"{each.rating.elo:+.0f} +- {each.rating.error:.0f}",
            f"{each.points:g} of {each.games}",
            number(each.kept) if each.kept else "-",
        ]
        for each in found
    ]
    head = ["agent", "Elo, 95 %", "points", "outcome kept in positions"]
    correlation = agreement(found)
    text = "" if correlation is None else f"Spearman's correlation of rating and outcome kept: {correlation:.2f}."
    return [table_of(head, rows), text]


def table_of(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def beside(table: Table, cells: Sequence[Cell]) -> str:
    """Return a printed table in its own shape, each cell "printed -> ours"; a cell that differs is bold."""
    lines: dict[tuple[Any, ...], dict[Any, list[str]]] = {}
    for cell in cells:
        place = dict(cell.row)
        column = place.pop(table.across) if table.across else cell.head
        lines.setdefault(tuple(place.values()), {}).setdefault(column, []).append(_cell(cell))
    columns = list(dict.fromkeys(column for line in lines.values() for column in line))
    head = [" \\ ".join([*table.rows, *filter(None, [table.across])]), *columns]
    rows = [
        [" / ".join(map(str, place)), *(", ".join(line.get(column, ())) for column in columns)]
        for place, line in lines.items()
    ]
    return table_of(head, rows)


def _cell(cell: Cell) -> str:
    digits = cell.decimals if cell.printed is not None else 2
    text = f"{shown(cell.printed, digits)} -> {shown(cell.measured, digits)}"
    return f"**{text}**" if cell.is_compared and not cell.is_equal else text


def shown(value: Value, digits: int) -> str:
    """Return a value as tables show it: rounded, words as they are, None as a dash."""
    if value is None:
        return "-"
    return value if isinstance(value, str) else f"{value:.{digits}f}"


def number(estimate: Estimate) -> str:
    """Return a number with its interval and its sample, such as "0.55 (0.52 to 0.57; n = 568, opening)"."""
    if estimate.is_exact:
        return f"{estimate.value:.6g}"
    return f"{estimate.value:.3g} ({estimate.low:.3g} to {estimate.high:.3g}; n = {estimate.size}, {estimate.unit})"


def sentence(comparison: Comparison, finding: Finding, p_value: float) -> str:
    """Return one comparison with its numbers and what it shows."""
    found = comparison.shown or number(comparison.estimate)
    chance = "" if comparison.estimate.is_exact else f", p {'< 0.001' if p_value < 0.001 else f'= {p_value:.3f}'}"
    return f"{comparison.label}: {found}; stated {comparison.allowed}: {FINDINGS[finding]}{chance}"


def evidence(judged: JudgedStatement) -> str:
    """Return what decides a statement, in a line."""
    statement = judged.statement
    if judged.missing:
        return f"Not run: {', '.join(judged.missing)}."
    if statement.untestable:
        return statement.untestable
    if not judged.readings:
        return "No reading played all cells."
    if judged.readings[0].labels:
        tally = Counter(judged.findings)
        parts = [f"{tally[finding]} {FINDINGS[finding]}" for finding in FINDINGS if tally[finding]]
        played, labels = len(judged.readings), ", ".join(judged.readings[0].labels)
        return f"{played} of {played + judged.left_out} readings ({labels}): {', '.join(parts)}."
    comparisons = judged.readings[0].comparisons
    findings = [each.finding(p) for each, p in zip(comparisons, judged.p_values, strict=True)]
    order = ("holds", "open", "fails") if statement.exists else ("fails", "open", "holds")
    worst = sorted(zip(comparisons, findings, judged.p_values, strict=True), key=lambda each: order.index(each[1]))
    rest = f" and {len(worst) - 3} more" if len(worst) > 3 else ""
    link = f" [{', '.join(statement.run)}]({MANIFEST})" if statement.run else ""
    return "; ".join(sentence(*each) for each in worst[:3]) + rest + "." + link


def _noticed(noticed: Noticed, frames: Frames) -> str:
    """Return what was noticed, with its numbers; nothing where its run was not made."""
    found = []
    for run in noticed.run:
        if run not in frames:
            return ""
        for row, part in frames[run].where(noticed.where).groups(noticed.each):
            if not part.size:
                return ""
            numbers = [number(estimate_of(part, expression, noticed.unit)) for expression in noticed.values]
            found.append(" ".join([*(f"{label} {value}:" for label, value in row.items()), ", ".join(numbers)]))
    return f"{noticed.text} {', '.join(found)}." if found else noticed.text


def counts(verdicts: Sequence[tuple[str, str]]) -> str:
    """Return the table of verdicts by source, from the source and the verdict of each statement."""
    rows = []
    for source in [*dict.fromkeys(source for source, _ in verdicts), "all"]:
        tally = Counter(verdict for one, verdict in verdicts if source in (one, "all"))
        rows.append([source, *(tally[verdict] for verdict in VERDICTS), sum(tally.values())])
    return table_of(["source", *VERDICTS, "statements"], rows)


def as_json(judged: JudgedStatement) -> dict[str, Any]:
    """Return a statement with its verdict as JSON."""
    statement = judged.statement
    return {
        "id": statement.id,
        "source": judged.paper.source,
        "place": statement.at,
        "statement": statement.text,
        "verdict": judged.verdict,
        "evidence": evidence(judged),
        "findings": Counter(judged.findings),
    }
