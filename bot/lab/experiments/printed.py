"""Printed tables: their cells, and the same cells of our results."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from bot.errors import UsageError
from bot.lab.experiments.frame import Frame, frame_of
from bot.lab.experiments.paper import Label, RunPlan, Table, Where, all_runs, all_tables
from bot.lab.experiments.plan import Row, values_of
from bot.lab.experiments.play import Result

Value = float | str | None
_OUTCOME = re.compile(r"([WDL])(\d+)")
_ROLE = re.compile(r"outcome\((\w+)\)")
ENDS = {"won": "W", "drawn": "D", "lost": "L"}
SHUFFLES = 999


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
    def is_compared(self) -> bool:
        """Whether something is printed, and does not depend on the machine."""
        return self.printed is not None and not self.is_machine

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
    width = len(table.rows) + len(across) * len(heads)
    for line in lines:
        if len(line) != width:
            raise UsageError(
                f"{table.title}: the line {' '.join(line)!r} has not {width} words.", "Write - for nothing."
            )
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


def ours(table: Table, frame: Frame) -> tuple[list[Cell], str]:
    """Return the cells of a printed table with our values, and where a reading was chosen what that is worth, in words.

    The reading shown is the one that explains the first part best, or without a screen that of the first values.
    """
    run = all_runs()[table.run]
    if run.screen is not None:
        best, worth = screening(run, frame)
        return measured_cells(table, best), worth
    first = {label: values_of(run.grid[label])[0] for label in run.readings}
    where: Where = {**first, **table.where}
    return measured_cells(table, frame.where(where)), f"Ours is the reading {_named(first)}." if first else ""


def _named(reading: Row) -> str:
    return ", ".join(f"{label}={value}" for label, value in reading.items())


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


def printed_frame(table: Table) -> Frame:
    """Return a printed table as rows: one a cell, or with several columns one a line.

    A word such as W7 counts as a won game of seven plies, by the role whose ``outcome`` the column shows.
    """
    roles = {head: found.group(1) for head, text in table.columns.items() if (found := _ROLE.search(text))}
    rows: dict[tuple[tuple[str, Label], ...], Result] = {}
    for cell in printed_cells(table):
        word = _OUTCOME.fullmatch(str(cell.printed))
        if word is not None:
            letter, role = word.group(1), roles[cell.head]
            won = {f"{role}.{name}": int(letter == end) for name, end in ENDS.items()}
            rows.setdefault(cell.row, {}).update(won, result=letter, plies=int(word.group(2)))
        elif cell.printed is not None:
            rows.setdefault(cell.row, {})[cell.head.replace(" ", "_")] = cell.printed
    return frame_of([dict(place) for place in rows], list(rows.values()))


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


def ranked(run: RunPlan, frame: Frame) -> list[tuple[float, Row, Frame]]:
    """Return the readings of a run with a screen, each with how well it explains the first part of the table.

    The best one is the first.
    """
    assert run.screen is not None
    table = all_tables()[run.screen.table]
    groups = frame.where(table.where).groups(run.readings)
    found = [(agreement(table, first_part(run, part)), row, part) for row, part in groups]
    return sorted(found, key=lambda reading: -reading[0])


def first_part(run: RunPlan, frame: Frame, *, held: bool = False) -> Frame:
    """Return the rows that have a say in the choice of a reading, or those that are held out from it."""
    assert run.screen is not None
    held_out = [frame.mask({label: values}) for label, values in run.screen.held.items()]
    return frame.take(np.logical_or.reduce(held_out) == held)


def screening(run: RunPlan, frame: Frame) -> tuple[Frame, str]:
    """Return the rows of the reading that explains the first part best, and what that choice is worth, in words.

    How well chance does: the printed results are shuffled over the cells of the first part, and the best of all
    readings is sought again.
    """
    assert run.screen is not None
    table, readings = all_tables()[run.screen.table], ranked(run, frame)
    most, chosen, best = readings[0]
    text = f"Ours is the reading {_named(chosen)}, which explains the first part best of {len(readings)}."
    if not all(isinstance(cell.printed, str) for cell in printed_cells(table)):
        return best, text
    letters = [[_letters(table, first_part(run, part, held=held)) for *_, part in readings] for held in (False, True)]
    equal = [[sum(map(str.__eq__, *pair)) for pair in part] for part in letters]
    printed = [part[0][1] for part in letters]
    size, whole = map(len, printed)
    tied = [
        held
        for held, (mine, _), (points, *_) in zip(equal[1], letters[1], readings, strict=True)
        if len(mine) == whole and points == most
    ]
    common = max("WDL", key=(printed[0] + printed[1]).count)
    mine, random = np.array([each for each, _ in letters[0]]), np.random.default_rng(0)
    shuffled = [int((mine == random.permutation(printed[0])).sum(axis=1).max()) for _ in range(SHUFFLES)]
    reached = sum(each >= max(equal[0]) for each in shuffled) / SHUFFLES
    return best, (
        f"{text} It has {equal[0][0]} of the {size} results that choose (all: {min(equal[0])} to {max(equal[0])})"
        f" and {equal[1][0]} of the {whole} held-out ones; {len(tied)} readings explain the first part equally well"
        f" and have {min(tied)} to {max(tied)} of the held-out ones. {common} in every cell would have"
        f" {printed[0].count(common)} and {printed[1].count(common)}. With the printed results of the first part"
        f" shuffled, the best reading has as many as here in {reached:.1%} of {SHUFFLES} cases."
    )


def _letters(table: Table, frame: Frame) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the first letters of our cells and of the printed ones."""
    cells = measured_cells(table, frame)
    return tuple(str(cell.measured)[:1] for cell in cells), tuple(str(cell.printed)[:1] for cell in cells)
