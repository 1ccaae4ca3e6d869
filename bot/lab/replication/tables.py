"""A printed table beside ours, in its own shape."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.lab.arena.statistics import Estimate
from bot.lab.replication.statistics import LEVEL
from bot.lab.replication.study import Rows

DASH = "-"
"""Stands in a printed table where nothing is printed."""
BETWEEN = "/"
"""Divides the numbers of a printed cell that has several."""


def printed(text: str) -> Rows:
    """Return a printed table as a DataFrame of texts: a line of heads, then lines that begin with their label.

    Heads and cells are divided by blanks; in a head, ``_`` stands for a blank.
    """
    import pandas as pd

    found = pd.read_csv(io.StringIO(text), sep=r"\s+", dtype=str, index_col=0, keep_default_na=False)
    found.columns = [head.replace("_", " ") for head in found.columns]
    return found.rename_axis(found.index.name.replace("_", " "))


@dataclass(frozen=True)
class ComparedTable:
    """A printed table and ours: DataFrames with the same index and columns."""

    printed: Rows
    ours: Rows
    """Numbers and words without chance, `Estimate` for shares of a sample; tuples of them where a cell has several."""
    machine: Sequence[str] = ()
    """Columns that depend on the machine: shown with the digits that we measured, never compared."""
    rounds: int = 0
    """Games behind a printed share; 0: printed numbers are exact."""
    note: str = ""
    """What ours is, in a sentence: the reading, the number of games."""

    def cells(self) -> Iterator[tuple[Any, Any, str, Any]]:
        """Yield row, column, printed text and our value of each number that is printed."""
        for row, line in self.printed.iterrows():
            for column, text in line.items():
                ours = self.ours.loc[row, column]
                values = ours if isinstance(ours, tuple) else (ours,)
                for each, value in zip(text.split(BETWEEN), values, strict=True):
                    yield row, column, each, value

    def compared(self) -> list[bool]:
        """Return for each printed number that does not depend on the machine whether ours is equal."""
        return [
            not self.differs(text, value)
            for _, column, text, value in self.cells()
            if column not in self.machine and text != DASH
        ]

    def differs(self, text: str, value: Any) -> bool:
        """Return whether a cell of ours differs: after rounding as printed, or beyond chance where there is chance.

        Both shares are compared as counts by Fisher's exact test, at a level that is divided by their number.
        """
        if isinstance(value, str):
            return text != value
        if not isinstance(value, Estimate):
            return not abs(float(text) - value) <= 0.5 * 10.0 ** -decimals(text) + 1e-9  # NaN differs
        from scipy import stats

        won, ours = round(float(text) * self.rounds), round(value.value * value.size)
        counts = [[won, self.rounds - won], [ours, value.size - ours]]
        return bool(stats.fisher_exact(counts).pvalue < LEVEL / sum(1 for _ in self.cells()))

    def as_markdown(self) -> str:
        """Return the table: in each cell what is printed, then ours, bold where it differs."""
        cells: dict[tuple[Any, Any], list[str]] = {}
        for row, column, text, value in self.cells():
            cells.setdefault((row, column), []).append(self._cell(column, text, value))
        shown = self.printed.astype(object)
        for (row, column), texts in cells.items():
            shown.loc[row, column] = ", ".join(texts)
        return markdown([shown.index.name, *shown.columns], shown.itertuples(name=None))

    def _cell(self, column: Any, text: str, value: Any) -> str:
        if text == DASH:
            return text
        if column in self.machine:
            return f"{text} -> {value:.3g}"
        ours = value if isinstance(value, str) else number(value, decimals(text))
        if self.differs(text, value):
            ours = f"**{ours}**"
        return f"{text} -> {ours}"


def decimals(text: str) -> int:
    """Return the number of decimals of a printed number."""
    return len(text.partition(".")[2])


def number(value: float | Estimate, digits: int) -> str:
    """Return a number with ``digits`` decimals, an estimate with its interval."""
    if isinstance(value, Estimate):
        return f"{value.value:.2f} ({value.low:.2f} to {value.high:.2f})"
    return f"{value:.{digits}f}"


def markdown(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
