"""What an experiment is, and the cells that it compares with the published ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Task = dict[str, Any]
"""The input of one piece of work, as JSON; equal tasks give equal results but for times."""
Results = Sequence[tuple[Task, dict[str, Any]]]
"""Tasks with their results, in the order of the tasks."""
Value = float | str | None


@dataclass(frozen=True)
class Cell:
    """One cell of a published table beside its measurement."""

    row: str
    column: str
    published: Value
    """None where the source has no such cell."""
    measured: Value
    interval: tuple[float, float] | None = None
    """95 %, where chance is at play."""
    digits: int = 2
    """Decimals to show."""

    @property
    def difference(self) -> Value:
        """Measured less published; for words whether they agree."""
        if self.published is None or self.measured is None:
            return None
        if isinstance(self.published, str) or isinstance(self.measured, str):
            return "equal" if self.published == self.measured else "differs"
        return self.measured - self.published


@dataclass(frozen=True)
class Experiment:
    """One table or figure of a paper: what to run, and what comes of it."""

    name: str
    title: str
    source: str
    """Paper and section."""
    tasks: Callable[[bool, int], list[Task]]
    """The tasks for (quick, seed)."""
    work: Callable[[Task], dict[str, Any]]
    """Perform one task, in any process."""
    cells: Callable[[Results], list[Cell]]
    notes: Callable[[Results], list[str]]
    """Paragraphs of Markdown below the table."""
    draw: Callable[[Any, Results], None]
    """Draw on an empty matplotlib figure."""


def grid(rows: Sequence[Sequence[object]], header: Sequence[object]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in (header, ["---"] * len(header), *rows)]
    return "\n".join(lines)


def shown(value: Value, digits: int = 2) -> str:
    """A value as a table shows it: counts in full, other numbers rounded, nothing as a dash."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    return f"{value:.0f}" if digits == 0 else f"{value:.{digits}f}"
