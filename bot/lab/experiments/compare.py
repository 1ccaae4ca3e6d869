"""Statements and results: the comparisons of a statement, what each shows, and the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from bot.errors import UsageError
from bot.lab.arena.statistics import Estimate, share
from bot.lab.experiments.frame import Array, Frame
from bot.lab.experiments.paper import Item, Paper, Statement, Table, all_runs, all_tables
from bot.lab.experiments.plan import Row
from bot.lab.experiments.play import GAME
from bot.lab.experiments.printed import Value, measured_cells, printed_cells, printed_frame
from bot.lab.experiments.statistics import (
    LEVEL,
    exact,
    holm,
    jackknife,
    likelihood,
    p_value,
    same_shares,
)

Finding = Literal["holds", "fails", "open"]
Verdict = Literal["supported", "refuted", "undecided", "not reproduced", "depends on the reading", "not testable"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
TINY = 1e-12
"""What makes "above" and "below" strict."""
Frames = Mapping[str, Frame]
"""The results of the runs that were made, by their names."""


@dataclass(frozen=True)
class Comparison:
    """An estimate and the range in which the statement says that the true number lies."""

    label: str
    estimate: Estimate
    low: float = -np.inf
    high: float = np.inf
    allowed: str = ""
    """The range in words."""
    differs: bool = False
    """Whether the statement says that the number is *not* ``low``."""
    shown: str = ""
    """What was compared, where one number does not say it."""

    @property
    def is_inside(self) -> bool:
        value = self.estimate.value
        if self.differs:
            return value != self.low
        return self.low <= value <= self.high

    @property
    def p_value(self) -> float:
        """Two-sided p-value at the boundary that is nearest to the estimate."""
        value = self.estimate.value
        bounds = [bound for bound in (self.low, self.high) if np.isfinite(bound)]
        return p_value(self.estimate, min(bounds, key=lambda bound: abs(bound - value)))

    def finding(self, p_value: float) -> Finding:
        """Return what the comparison shows; ``p_value`` is the adjusted one, which only a sample needs."""
        if np.isnan(self.estimate.value) or (not self.estimate.is_exact and not p_value < LEVEL):
            return "open"  # nothing was run, or too little
        return "holds" if self.is_inside else "fails"


@dataclass(frozen=True)
class Reading:
    """One choice of what the source leaves open, and its comparisons."""

    labels: Row
    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True)
class JudgedStatement:
    """A statement with its readings (one, without labels, where the source leaves nothing open) and the verdict."""

    paper: Paper
    statement: Statement
    readings: tuple[Reading, ...]
    findings: tuple[Finding, ...]
    """What each reading shows."""
    p_values: tuple[float, ...]
    """The adjusted p-values of the comparisons, where there is one reading."""
    verdict: Verdict
    missing: tuple[str, ...] = ()
    """Runs that were not made."""
    left_out: int = 0
    """Readings that did not play all cells."""


def judge(papers: Sequence[Paper], frames: Frames) -> list[JudgedStatement]:
    """Return the verdict on every statement.

    The p-values of all sampled comparisons are adjusted together by Holm. Those of a reading are adjusted among
    themselves: each reading is a choice of its own, and only the number of readings is reported.
    """
    prepared = []
    for paper in papers:
        for statement in paper.says:
            missing = tuple(run for run in runs_of(statement) if run not in frames)
            try:
                tried = () if missing or statement.untestable else tuple(readings_of(statement, frames))
            except UsageError as error:
                raise UsageError(f"{paper.name}.toml: {statement.id}: {error.message}") from None
            found = tuple(filter(None, tried))
            prepared.append((paper, statement, found, missing, len(tried) - len(found)))
    single = [found[0].comparisons for _, _, found, *_ in prepared if len(found) == 1 and not found[0].labels]
    families = [[each for comparisons in single for each in comparisons]]
    families += [[*reading.comparisons] for _, _, found, *_ in prepared for reading in found if reading.labels]
    adjusted: dict[int, float] = {}
    for family in families:
        sampled = [each for each in family if not each.estimate.is_exact]
        adjusted |= zip(map(id, sampled), holm([each.p_value for each in sampled]), strict=True)
    judged = []
    for paper, statement, found, missing, left_out in prepared:
        p_values = [tuple(adjusted.get(id(each), 0.0) for each in reading.comparisons) for reading in found]
        findings, certain = (
            tuple(
                _together(
                    statement, [each.finding(p * trials) for each, p in zip(reading.comparisons, chances, strict=True)]
                )
                for reading, chances in zip(found, p_values, strict=True)
            )
            for trials in (1, len(found))
        )
        verdict = _verdict(statement, found, findings, certain)
        judged.append(
            JudgedStatement(
                paper, statement, found, findings, p_values[0] if p_values else (), verdict, missing, left_out
            )
        )
    return judged


def runs_of(item: Item) -> list[str]:
    """Return the runs that an item needs."""
    if item.run or not item.table or getattr(item, "printed", False):
        return item.run
    return [all_tables()[item.table].run]


def _together(statement: Statement, findings: list[Finding]) -> Finding:
    """Return what all comparisons show together: all must hold, or with ``exists`` one."""
    wanted: tuple[Finding, Finding] = ("holds", "fails") if statement.exists else ("fails", "holds")
    if wanted[0] in findings:
        return wanted[0]
    return wanted[1] if findings and all(each == wanted[1] for each in findings) else "open"


def _verdict(
    statement: Statement, found: Sequence[Reading], findings: Sequence[Finding], certain: Sequence[Finding]
) -> Verdict:
    """Return the verdict; ``certain`` is what the readings show if chance has had a try with each of them."""
    if statement.untestable:
        return "not testable"
    if not findings:
        return "undecided"
    if not found[0].labels:
        failed: Verdict = "not reproduced" if statement.exists else "refuted"
        words: dict[Finding, Verdict] = {"holds": "supported", "fails": failed, "open": "undecided"}
        return words[findings[0]]
    if all(each == "holds" for each in findings):
        return "supported"
    if all(each == "fails" for each in findings):
        return "not reproduced"
    if {"holds", "fails"} <= {*certain}:
        return "depends on the reading"
    return "undecided"


def readings_of(statement: Statement, frames: Frames) -> Iterator[Reading | None]:
    """Yield the readings of a statement with their comparisons; None for one that did not play all cells.

    With ``exceptions`` it is None only where it has none.
    """
    table = all_tables().get(statement.table)
    names = statement.run or ([table.run] if table else [])
    if table and statement.printed:
        parts = [printed_frame(table)]
    else:  # a statement on no run is one on a number, such as an exact score
        parts = [frames[name] for name in names] or [Frame({}, {"n": np.ones(1)}, {})]
    parts = [part.where((table.where if table else {}) | statement.where) for part in parts]
    wanted = statement.readings
    if wanted is None:
        wanted = all_runs()[names[0]].readings if names and not statement.printed else []
    labels = [label for label in wanted if label in parts[0].labels]
    if not labels:
        yield Reading({}, tuple(each for part in parts for each in compare(statement, part)))
        return
    groups = list(parts[0].groups(labels))
    whole = max((group.size for _, group in groups), default=0)
    for row, group in groups:
        found = tuple(compare(statement, group))
        is_whole = group.size == whole or (statement.exceptions and not all(each.is_inside for each in found))
        yield Reading(row, found) if is_whole else None


def compare(statement: Statement, frame: Frame) -> Iterator[Comparison]:
    """Yield the comparisons of a statement with the rows of one run and one reading."""
    if statement.table and not statement.values:
        yield _with_table(statement, all_tables()[statement.table], frame)
        return
    for row, group in frame.groups([label for label in statement.each if label in frame.labels]):
        place = "".join(f", {label} {value}" for label, value in row.items())
        for number, expression in enumerate(statement.values):
            if statement.rises is not None:
                yield from _rising(statement, group, expression, place)
            else:
                estimate = estimate_of(group, expression, statement.unit)
                low, high, allowed = _bounds(statement, group, number)
                differs = statement.differs is not None
                yield Comparison(f"{expression}{place}", estimate, low, high, allowed, differs)


def _bounds(statement: Statement, frame: Frame, number: int) -> tuple[float, float, str]:
    """Return the range that a statement allows its value with this number, and its words."""
    if statement.between is not None:
        low, high = statement.between
        return low, high, f"{low:g} to {high:g}"
    if statement.differs is not None:
        return statement.differs, statement.differs, f"not {statement.differs:g}"
    if statement.above is not None:
        return statement.above + TINY, np.inf, f"above {statement.above:g}"
    if statement.below is not None:
        return -np.inf, statement.below - TINY, f"below {statement.below:g}"
    assert isinstance(statement.equal, list)
    wanted = statement.equal[number]
    value = float(frame.evaluate(wanted)) if isinstance(wanted, str) else wanted
    decimals = len(f"{value:.10f}".rstrip("0").partition(".")[2])  # a whole number is a count, not a rounded one
    margin = statement.margin or (0.5 * 10.0**-decimals if decimals else 0) + 1e-9
    return value - margin, value + margin, f"{value:g} +- {margin:g}" if statement.margin else f"{value:g}"


def _rising(statement: Statement, frame: Frame, expression: str, place: str) -> Iterator[Comparison]:
    """Yield a comparison for each step of the label: the value there less the value before is above 0."""
    label = str(statement.rises)
    values = frame.values(label)
    for before, after in pairwise(values):
        steps = (f"by({label!r}, {value!r}).value({expression!r})" for value in (after, before))
        estimate = estimate_of(frame, " - ".join(steps), statement.unit)
        name = f"{expression}, {label} {after} less {before}{place}"
        yield Comparison(name, estimate, low=TINY, allowed="above 0")


def _with_table(statement: Statement, table: Table, frame: Frame) -> Comparison:
    """Return the comparison of all cells of a printed table, which must be equal, or likely beside ours."""
    printed = [cell for cell in printed_cells(table) if cell.is_compared]
    if statement.likely is None:
        equal = sum(cell.is_equal for cell in measured_cells(table, frame) if cell.is_compared)
        shown = f"{equal} of {len(printed)} cells"
        return Comparison("cells equal", exact(equal), len(printed), np.inf, "all", shown=shown)
    if table.rounds:
        chance, shown = _same_counts(table, frame)
    else:
        draws = []
        for cell in printed:
            games = frame.where(dict(cell.row)).groups([statement.likely])
            draws.append([str(game.evaluate(table.columns[cell.head]))[:1] for _, game in games])
        found, chance = likelihood([str(cell.printed)[:1] for cell in printed], draws)
        shown = f"log-likelihood {found:.1f}; tables drawn from the same games are as unlikely in {chance:.1%} of 999"
    return Comparison("printed table", exact(chance), LEVEL, 1.0, f"at least {LEVEL:g}", shown=shown)


def _same_counts(table: Table, frame: Frame) -> tuple[float, str]:
    """Compare the printed shares of each place, and what they leave of 1, with ours, as counts."""
    cells, width = measured_cells(table, frame), len(table.columns)
    sizes = [frame.where(dict(cell.row)).size for cell in cells[::width]]

    def counts(shares: Sequence[Value], games: Sequence[int]) -> Array:
        parts = np.array(shares, dtype=np.float64).reshape(-1, width)
        whole = np.column_stack([parts, 1 - parts.sum(axis=1)]).clip(0)
        return np.asarray(whole * np.array(games)[:, None])

    printed = counts([cell.printed for cell in cells], [table.rounds] * len(sizes))
    chance = same_shares(printed, counts([cell.measured for cell in cells], sizes))
    return chance, f"tables drawn from the same shares differ as much in {chance:.1%} of 999"


def estimate_of(frame: Frame, expression: str, unit: Sequence[str]) -> Estimate:
    """Return the value of an expression with its error over the units; exact where the rows have no such label.

    A seeded run without a unit counts its games.
    """
    if not frame.size:
        return exact(np.nan)
    labels = [label for label in unit if label in frame.labels]
    if not labels and GAME not in frame.labels:
        return exact(float(frame.evaluate(expression)))
    name = " x ".join(labels) or "games"
    units = [np.unique(frame.labels[label].astype(str), return_inverse=True)[1] for label in labels]
    if not labels or (len(labels) == 1 and units[0].max() + 1 == frame.size):  # each row is a draw
        rows, units = frame.each_row(expression), [np.arange(frame.size)]
        is_share = rows is not None and ((rows >= 0) & (rows <= 1)).all()
        if rows is not None and is_share and abs(rows.mean() - frame.evaluate(expression)) < TINY:
            return share(float(rows.sum()), frame.size, name)
    return jackknife(lambda weights: float(frame.evaluate(expression, weights)), units, name)
