"""A printed table beside ours, in its own shape."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.errors import UsageError
from bot.lab.arena.statistics import Estimate
from bot.lab.replication.statistics import LEVEL
from bot.lab.replication.study import Rows


def printed(text: str) -> Rows:
    """Return a printed table as a DataFrame of texts: a line of heads, then lines that begin with their label.

    Heads and cells are divided by blanks; in a head, ``_`` stands for a blank.
    """
    import pandas as pd

    found = pd.read_csv(io.StringIO(text), sep=r"\s+", dtype=str, index_col=0, keep_default_na=False)
    found.columns = [head.replace("_", " ") for head in found.columns]
    return found.rename_axis(found.index.name.replace("_", " "))


def blank(table: Rows) -> Rows:
    """Return a table of the same shape without values, to be filled with ours."""
    import pandas as pd

    return pd.DataFrame(index=table.index, columns=table.columns, dtype=object)


@dataclass(frozen=True)
class ComparedTable:
    """A printed table and ours: DataFrames with the same index and columns, which are texts (`blank`)."""

    printed: Rows
    ours: Rows
    """Numbers and words without chance, or `Estimate` for shares of a sample."""
    machine: Sequence[str] = ()
    """Columns that depend on the machine: shown with the digits that we measured, never compared."""
    rounds: int = 0
    """Games behind a printed share."""
    note: str = ""
    """What ours is, in a sentence: the reading, the number of games."""

    def __post_init__(self) -> None:
        """Raise UsageError where a value of ours is missing, or a printed share has no number of games."""
        is_alike = self.ours.index.equals(self.printed.index) and self.ours.columns.equals(self.printed.columns)
        if not is_alike or self.ours.isna().any(axis=None):
            raise UsageError("A cell of a table has no value of ours.", "Fill every cell of blank(printed table).")
        if not self.rounds and any(isinstance(value, Estimate) for value in self.ours.to_numpy().ravel()):
            raise UsageError("A table with shares of samples needs the number of printed games.", "Give it as rounds.")

    def compared(self) -> list[bool]:
        """Return for each printed cell that does not depend on the machine whether ours is equal."""
        columns = [column for column in self.printed.columns if column not in self.machine]
        return [
            not self.differs(text, value)
            for column in columns
            for text, value in zip(self.printed[column], self.ours[column], strict=True)
        ]

    def differs(self, text: str, value: Any) -> bool:
        """Return whether a cell of ours differs: after rounding as printed, or beyond chance where there is chance.

        Both shares are compared as counts by Fisher's exact test, at a level that is divided by the number of cells.
        """
        if isinstance(value, str):
            return text != value
        if not isinstance(value, Estimate):
            return bool(abs(float(text) - value) > 0.5 * 10.0 ** -decimals(text) + 1e-9)
        from scipy import stats

        won, ours = round(float(text) * self.rounds), round(value.value * value.size)
        counts = [[won, self.rounds - won], [ours, value.size - ours]]
        return bool(stats.fisher_exact(counts).pvalue < LEVEL / self.printed.size)

    def as_markdown(self) -> str:
        """Return the table: in each cell what is printed, then ours, bold where it differs."""
        shown = blank(self.printed)
        for column in shown.columns:
            cells = zip(self.printed[column], self.ours[column], strict=True)
            shown[column] = [self._cell(column, text, value) for text, value in cells]
        return markdown([shown.index.name, *shown.columns], shown.itertuples(name=None))

    def _cell(self, column: str, text: str, value: Any) -> str:
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
