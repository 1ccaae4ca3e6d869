"""Definition of an experiment, and the cells that compare its results with the published ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Task = dict[str, Any]
"""Input of one independent piece of work, as JSON; equal tasks give equal results except for times."""
Results = Sequence[tuple[Task, dict[str, Any]]]
"""The tasks with their results, in the order of the tasks."""
Value = float | str | None


@dataclass(frozen=True)
class Cell:
    """One cell of a published table beside its measurement."""

    row: str
    column: str
    published: Value
    """None where the source prints no such value."""
    measured: Value
    interval: tuple[float, float] | None = None
    """95 % confidence interval, where the result is a sample."""
    digits: int = 2
    """Decimals in tables."""
    goal: Value = None
    """What somebody wants to reach; the source does not print it as a result."""
    basis: str = ""
    """What the sample consists of, such as "97 different of 100 games"."""

    @property
    def difference(self) -> Value:
        """Measured less published; "equal" or "differs" for words."""
        if self.published is None or self.measured is None:
            return None
        if isinstance(self.published, str) or isinstance(self.measured, str):
            return "equal" if self.published == self.measured else "differs"
        return self.measured - self.published


@dataclass(frozen=True)
class Experiment:
    """One table or figure of a paper: its tasks, and the table, notes and plot of their results."""

    name: str
    title: str
    source: str
    """Paper and its table or section."""
    tasks: Callable[[bool, int], list[Task]]
    """Returns the tasks for (quick, seed)."""
    work: Callable[[Task], dict[str, Any]]
    """Performs one task, in any process."""
    cells: Callable[[Results], list[Cell]]
    notes: Callable[[Results], list[str]]
    """Returns paragraphs of Markdown that explain the results."""
    draw: Callable[[Any, Results], None]
    """Draws the results on an empty matplotlib figure."""
    more: Callable[[Results, bool, int], list[Task]] | None = None
    """Returns the tasks of a second stage for (results of the first, quick, seed): where the first chooses them."""


def markdown_table(rows: Sequence[Sequence[object]], header: Sequence[object]) -> str:
    """Return a table in Markdown."""
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in (header, ["---"] * len(header), *rows)]
    return "\n".join(lines)


def shown(value: Value, digits: int = 2) -> str:
    """Return a value as tables show it: rounded to ``digits`` decimals, words as they are, None as a dash."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    return f"{value:.0f}" if digits == 0 else f"{value:.{digits}f}"
