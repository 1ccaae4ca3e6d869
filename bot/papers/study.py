"""What a study says: printed tables beside ours, and statements with a verdict that follows from numbers by a rule.

A number of ours is a float, or a `Range` where chance or a clock is in it. A statement has a test of that number. The
recommended reading of the text decides it, and the other readings are counted:

| verdict | where |
|---|---|
| holds | the recommended reading passes the test, and at most 5 % of the others fail it |
| does not hold | the recommended reading fails the test, and at most 5 % of the others pass it |
| depends on what the text leaves open | more of the others say the opposite |
| cannot be told | the recommended reading has no number, or a range that passes at one end only |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from bot.gauntlet.arena.statistics import Range, share

HOLDS, FAILS = "holds", "does not hold"
DEPENDS, UNKNOWN = "depends on what the text leaves open", "cannot be told"
FEW = 0.05
"""Share of the other readings that may say the opposite."""


def listed(numbers: Iterable[Any], form: str = ",") -> str:
    """Return numbers in this form with commas between them, as a sentence shows them."""
    return ", ".join(f"{number:{form}}" for number in numbers)


def one_line(text: str) -> str:
    """Return a text that stands on several lines of a program as one line."""
    return " ".join(text.split())


def results(points: Any) -> str:
    """Return how many games are won, lost and drawn by these points."""
    return listed((points == each).sum() for each in (1, 0, 0.5))


def measured(values: Sequence[float]) -> Range:
    """Return the mean of repeated measurements, with the least and the greatest."""
    return Range(fmean(values), min(values), max(values))


@dataclass(frozen=True)
class Statement:
    """How our numbers judge one statement of a source; its wording and its rule stand in notes.md."""

    ours: float | Range | None
    """The number of the recommended reading."""
    test: Callable[[float], bool | None]
    """The rule: returns whether a number is for the statement; None: neither for nor against."""
    why: str
    """What was found, in sentences."""
    form: str = "{:,.6g}"
    """How a number is shown, with its unit."""
    others: Sequence[float | Range] = ()
    """The numbers of the other readings."""
    few: float = FEW

    def says(self, number: float | Range | None) -> bool | None:
        """Return whether a number is for the statement; None where both ends of its range do not agree."""
        ends = {self.test(end) for end in _range(number)[1:]} if number is not None else {None}
        return ends.pop() if len(ends) == 1 else None

    def as_json(self) -> dict[str, str]:
        """Return what a page shows: our number, the range over the other readings, the verdict, and why."""
        own = self.says(self.ours)
        opposite = [*map(self.says, self.others)].count(not own)
        verdict = HOLDS if own else FAILS
        if own is None:
            verdict = UNKNOWN
        elif opposite > self.few * len(self.others):
            verdict = DEPENDS
        ours = "" if self.ours is None else self.form.format(_range(self.ours))
        return {"ours": ours, "others": self._others(opposite), "verdict": verdict, "why": one_line(self.why)}

    def _others(self, opposite: int) -> str:
        """Return the range over the other readings, and how many of them say the opposite of the recommended one."""
        if not self.others:
            return ""
        values = sorted(_range(other).value for other in self.others)
        number = self.form[: self.form.index("}") + 1]
        least = f"{number.format(values[0])} to " * int(values[0] < values[-1])
        counted = f"; {opposite:,} of {len(values):,} say the opposite" * (self.says(self.ours) is not None)
        return f"{least}{self.form.format(values[-1])}{counted}"


def _range(number: Any) -> Range:
    return number if isinstance(number, Range) else Range(number, number, number)


@dataclass(frozen=True)
class Table:
    """A printed table and ours in its shape."""

    title: str
    printed: str
    """A line of heads, then lines that begin with their label, divided by blanks; ``_`` stands for a blank."""
    ours: Sequence[Sequence[float | str]]
    """Line by line, without labels."""
    machine: Sequence[str] = ()
    """Heads of the columns that depend on the machine."""
    games: int = 0
    """Games behind a printed share; 0: the cells are without chance."""
    note: str = ""

    @property
    def rows(self) -> list[list[str]]:
        """The heads, then the lines: in each cell what is printed, the sign, and ours."""
        heads, *lines = map(str.split, self.printed.strip().splitlines())
        found = [heads]
        for line, ours in zip(lines, self.ours, strict=True):
            found.append([line[0], *map(self._cell, heads[1:], line[1:], ours)])
        return ["\n".join(row).replace("_", " ").split("\n") for row in found]

    def _cell(self, head: str, text: str, ours: float | str) -> str:
        """Return one cell of `rows`."""
        if isinstance(ours, str):
            return f"{text} {'=' if text == ours else '≠'} {ours}"
        if head in self.machine:
            return f"{text} ~ {ours:.3g}"
        number, digits, same = float(text), len(text.partition(".")[2]), "=≈"[self.games > 0]
        half = 0.5 * 10.0**-digits + 1e-9
        chance = (
            share(round(number * self.games), self.games) if self.games else Range(number, number - half, number + half)
        )
        return f"{text} {same if chance.low <= ours <= chance.high else '≠'} {ours:.{digits}f}"

    @property
    def agree(self) -> list[bool]:
        """For each printed cell that does not depend on the machine, whether ours agrees."""
        cells = [cell for row in self.rows[1:] for cell in row[1:] if "~" not in cell]
        return ["≠" not in cell for cell in cells]


@dataclass(frozen=True)
class Study:
    """What a study found; what the source says stands in notes.md."""

    found: Sequence[str]
    """At most three sentences with numbers and units."""
    tables: Sequence[Table]
    statements: Sequence[Statement]
    """As in notes.md, at most eight."""
    plot: str
    """The plot's title."""
    lines: Mapping[str, Any]
    """Its lines by their names: a mapping of x to y, or a pandas Series, whose name of the index is the label of x."""
    is_logarithmic: bool = False
    """Whether the y axis is."""
