"""Printed tables: their cells, and the same cells of our results."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import numpy as np

from bot.lab.experiments.frame import Frame
from bot.lab.experiments.paper import Label, Table, Where, all_runs
from bot.lab.experiments.plan import Row, values_of

Value = float | str | None
_OUTCOME = re.compile(r"([WDL])(\d+)")


@dataclass(frozen=True)
class Cell:
    """One cell: where it stands, what is printed there, and what was measured."""

    row: tuple[tuple[str, Label], ...]
    """The labels of its row, and with a label across that of its column."""
    head: str
    printed: Value
    measured: Value = None
    is_machine: bool = False
    decimals: int = 0
    """Decimals of the printed number, to which the measured one is rounded for a comparison."""

    @property
    def is_equal(self) -> bool:
        """Whether the measured value is the printed one, to the printed decimals."""
        if isinstance(self.printed, float) and isinstance(self.measured, float):
            return abs(self.printed - self.measured) <= 0.5 * 10.0**-self.decimals + 1e-9
        return self.printed == self.measured


def printed_cells(table: Table) -> list[Cell]:
    """Return the cells of a printed table, row by row; what is not printed is None."""
    cells = []
    lines = [line.split() for line in table.printed.strip().splitlines()]
    across = [_label(text) for text in lines.pop(0)] if table.across else [None]
    heads = list(table.columns)
    for line in lines:
        labels = tuple(zip(table.rows, map(_label, line), strict=False))
        texts = iter(line[len(table.rows) :])
        for column in across:
            place = labels if column is None else (*labels, (table.across, column))
            for head in heads:
                text = next(texts)
                value = _value(text)
                decimals = len(text.partition(".")[2]) if isinstance(value, float) else 0
                cells.append(Cell(place, head, value, None, head in table.machine, decimals))
    return cells


def _label(text: str) -> Label:
    return int(text) if text.lstrip("-").isdigit() else text


def _value(text: str) -> Value:
    if text == "-":
        return None
    try:
        return float(text)
    except ValueError:
        return text


def shown_where(table: Table) -> Where:
    """Return the labels of the reading that a table shows."""
    run = all_runs()[table.run]
    return {label: values_of(run.grid[label])[0] for label in run.readings} | table.where


def shown_cells(table: Table, frame: Frame) -> list[Cell]:
    """Return the cells of a printed table with our values in the reading that it shows."""
    return measured_cells(table, frame.where(shown_where(table)))


def measured_cells(table: Table, frame: Frame) -> list[Cell]:
    """Return the cells of a printed table with our values; those that were not played are left out."""
    found = []
    for cell in printed_cells(table):
        part = frame.where(dict(cell.row))
        if part.size:
            value = part.evaluate(table.columns[cell.head])
            measured = value if isinstance(value, str) else float(value)
            found.append(Cell(cell.row, cell.head, cell.printed, measured, cell.is_machine, cell.decimals))
    return found


@cache
def printed_frame(table: Table) -> Frame:
    """Return a printed table as rows: one a cell, or with several columns one a line.

    A word such as W7 counts as a won game of seven plies, with the label ``result``.
    """
    rows: dict[tuple[tuple[str, Label], ...], dict[str, float | str]] = {}
    for cell in printed_cells(table):
        row = rows.setdefault(cell.row, {"n": 1.0})
        word = _OUTCOME.fullmatch(cell.printed) if isinstance(cell.printed, str) else None
        if word is not None:
            row |= {"result": word.group(1), "plies": float(word.group(2)), "won": float(word.group(1) == "W")}
        elif isinstance(cell.printed, float):
            row[cell.head.replace(" ", "_")] = cell.printed
    labels: list[Row] = [dict(place) | {"result": str(row.pop("result", ""))} for place, row in rows.items()]
    names = dict.fromkeys(name for row in rows.values() for name in row)
    numbers = {name: np.array([float(row.get(name, 0.0)) for row in rows.values()]) for name in names}
    return Frame({name: _column([row[name] for row in labels]) for name in labels[0]}, numbers, {})


def _column(values: list[Label]) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def agreement(table: Table, frame: Frame) -> float:
    """Return how well a reading explains a table.

    An equal word counts a point, its first letter alone another; a number counts its distance, negatively.
    """
    points = 0.0
    for cell in measured_cells(table, frame):
        if isinstance(cell.printed, float) and isinstance(cell.measured, float):
            points -= abs(cell.printed - cell.measured)
        elif isinstance(cell.printed, str) and isinstance(cell.measured, str):
            points += (cell.printed == cell.measured) + (cell.printed[:1] == cell.measured[:1])
    return points
