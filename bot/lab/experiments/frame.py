"""Rows of results as columns, and expressions over their sums.

An expression is Python over the sums of a group of rows: ``X.leaves / O.leaves`` is a ratio of sums,
``100 * X.won / n`` a percentage of games. Names:

| name | sum of |
|---|---|
| `n` | rows |
| `X.leaves`, `.nodes`, `.passes`, `.seconds`, `.moves` | the work of role X, and its moves |
| `X.won`, `.drawn`, `.lost`, `.points` | games; `first.points` are the first mover's |
| `plies`, `leaves`, `nodes`, `seconds`, `ply` | plies of the games; in runs with a row for every move, that move's |
| `X.column`, `X.value` | positions: X's column (0 to 6) and the value that it gives the position |
| `X.kept`, `X.regret` | positions: whether X's column keeps the exact outcome, and the points it gives away |
| `depth` or another label | its value, where all rows have the same |
| `by('depth', 8).X.leaves` | X.leaves of the rows with depth 8; `by('result', 'W')`: games that the first role won |
| `rows('opponent > system').n` | n of the rows for which this holds |
| `by('depth', 8).value('X.won / n')` | the value of an expression over these rows |

Functions: `outcome(X)` (W, D or L and the plies, of one game), `agree('label')` (share of games that do not change with
the label), `same(X, O)` (share of positions with the same column), `rank('leaves', 'ply')` (Spearman's correlation over
rows; also of labels), `across('leaf', 'X.kept / n', 'O.kept / n')` (the same over the values of a label),
`slope('depth', 'X.won / n')` (change of a value from one value of the label to the next). `abs`, `max`, `min`, `log`,
`floor`, `comb` and `score('moves')`, the exact score of a position, are there too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import CodeType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.errors import UsageError
from bot.lab.experiments.paper import Label, Where
from bot.lab.experiments.plan import Row
from bot.lab.experiments.play import Result

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Frame:
    """Rows as columns of equal length: labels (objects), sums (numbers), and texts."""

    labels: dict[str, NDArray[np.object_]]
    numbers: dict[str, Array]
    texts: dict[str, NDArray[np.object_]]

    @property
    def size(self) -> int:
        return len(self.numbers["n"])

    def mask(self, where: Where) -> NDArray[np.bool_]:
        """Return which rows have the values that ``where`` names; a label that the run does not have matches all.

        A number of each row, such as ``ply``, is a label too.
        """
        columns = {**self.numbers, **self.labels}
        chosen = np.ones(self.size, dtype=np.bool_)
        for label, wanted in where.items():
            if label in columns:
                values = wanted if isinstance(wanted, list) else [wanted]
                chosen &= np.logical_or.reduce([columns[label] == value for value in values])
        return chosen

    def where(self, where: Where) -> Frame:
        """Return the rows that have these values."""
        return self.take(self.mask(where)) if where else self

    def take(self, chosen: NDArray[Any]) -> Frame:
        """Return the rows at these places, or those for which this is true."""
        parts = (
            {name: column[chosen] for name, column in part.items()} for part in (self.labels, self.numbers, self.texts)
        )
        return Frame(*parts)

    def values(self, label: str) -> list[Label]:
        """Return the values of a label, in the order of the rows; none where the run does not have it."""
        return list(dict.fromkeys(self.labels.get(label, ())))

    def groups(self, labels: Sequence[str]) -> Iterator[tuple[Row, Frame]]:
        """Yield the combinations of these labels' values with their rows."""
        if not labels:
            yield {}, self
            return
        places: dict[tuple[Label, ...], list[int]] = {}
        for place, values in enumerate(zip(*(self.labels[label] for label in labels), strict=True)):
            places.setdefault(values, []).append(place)
        for values, chosen in places.items():
            yield dict(zip(labels, values, strict=True)), self.take(np.array(chosen))

    def evaluate(self, expression: str, weights: Array | None = None) -> Any:
        """Return the value of an expression over all rows, or over rows that count with ``weights``.

        Raises UsageError for an expression that is none, or that names what the rows do not have.
        """
        try:
            return FrameView(self, np.ones(self.size) if weights is None else weights).value(expression)
        except (AttributeError, LookupError, NameError, SyntaxError, TypeError, ValueError) as error:
            raise UsageError(f"{expression!r} cannot be computed: {error}.") from None

    def each_row(self, expression: str) -> Array | None:
        """Return the value of an expression for every row alone; None for one that needs several rows."""
        try:
            with np.errstate(all="ignore"):
                found = np.asarray(RowView(self, np.ones(self.size)).value(expression), dtype=np.float64)
        except (AttributeError, LookupError, NameError, TypeError, ValueError):
            return None
        return found if found.shape == (self.size,) else None  # one number for all is not a number for each


def frame_of(rows: Sequence[Row], results: Sequence[Result]) -> Frame:
    """Return the results of a run.

    A row with numbers for each move becomes one for each, with the labels ``moved``, its number, and ``ply``.
    """
    if results and isinstance(results[0].get("ply"), list):
        pairs = list(zip(rows, results, strict=True))
        rows = [{**row, "moved": place, "ply": ply} for place, (row, found) in enumerate(pairs) for ply in found["ply"]]
        results = [
            dict(zip(found, values, strict=True)) for _, found in pairs for values in zip(*found.values(), strict=True)
        ]
    labels = {label: _objects([row[label] for row in rows]) for label in (rows[0] if rows else {})}
    names = results[0].keys() - {"forfeit"} if results else ()
    columns = {name: [found.get(name, math.nan) for found in results] for name in names}
    texts = {name: _objects(column) for name, column in columns.items() if isinstance(column[0], str)}
    numbers = {name: np.array(column, dtype=np.float64) for name, column in columns.items() if name not in texts}
    return Frame(labels, {"n": np.ones(len(rows)), **numbers}, texts)


def _objects(values: Sequence[Any]) -> NDArray[np.object_]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


PLAIN = {
    "__builtins__": {},
    **{name: getattr(math, name) for name in ("log", "floor", "comb")},
    **{function.__name__: function for function in (abs, max, min)},
}


@cache
def _compiled(expression: str) -> CodeType:
    return compile(expression, "expression", "eval")


class FrameView:
    """The names of an expression: sums of rows that count with weights, and as methods its functions."""

    def __init__(self, frame: Frame, weights: Array) -> None:
        self.frame = frame
        self.weights = weights

    def value(self, expression: str) -> Any:
        """Return the value of an expression over these rows."""
        try:
            return eval(_compiled(expression), PLAIN, self)  # type: ignore[arg-type]  # the package's, or the user's own code
        except ZeroDivisionError:
            return math.nan

    def total(self, name: str) -> Any:
        """Return the sum of a column."""
        return float(self.frame.numbers[name] @ self.weights)

    def label(self, name: str) -> Any:
        """Return the value of a label, which all rows must share."""
        values = set(self.frame.labels[name][self.weights > 0])
        if len(values) != 1:
            raise ValueError(f"{name} has {len(values)} values")
        return values.pop()

    def __getitem__(self, name: str) -> Any:
        if name in self.frame.numbers:
            return self.total(name)
        if any(column.startswith(f"{name}.") for column in self.frame.numbers):
            return Role(self, name)
        if name in self.frame.labels:
            return self.label(name)
        if name in FUNCTIONS:
            return getattr(self, name)
        raise KeyError(name)

    def __getattr__(self, name: str) -> Any:  # `by('depth', 8).X.leaves`
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def part(self, chosen: Any) -> FrameView:
        """Return the rows for which this is true."""
        return FrameView(self.frame, self.weights * chosen)

    def by(self, label: str, value: Label) -> FrameView:
        """Return the rows with this value of the label; none where it was not run."""
        return self.part((self.frame.labels | self.frame.texts)[label] == value)

    def rows(self, condition: str) -> FrameView:
        """Return the rows for which a condition on each row's own values holds."""
        return self.part(RowView(self.frame, self.weights).value(condition).astype(float))

    def outcome(self, role: Role) -> str:
        """Return the result of one game: W, D or L for the role, and the plies."""
        return f"{'LDW'[int(2 * role.points)]}{self.total('plies'):.0f}" if self.total("n") == 1 else ""

    def agree(self, label: str) -> float:
        """Return the share of games whose moves are the same for all values of ``label``."""
        others = [name for name in self.frame.labels if name != label]
        groups = self.frame.take(self.weights > 0).groups(others)
        return float(np.mean([len(set(games.texts["moves"])) == 1 for _, games in groups]))

    def same(self, one: Role, other: Role) -> float:
        """Return the share of positions in which both play the same column."""
        columns = [self.frame.numbers[f"{role.name}.column"] for role in (one, other)]
        return float((columns[0] == columns[1]) @ self.weights / self.weights.sum())

    def rank(self, one: str, other: str) -> float:
        """Return Spearman's correlation of two columns over the rows."""
        part = self.frame.take(self.weights > 0)
        columns = part.labels | part.numbers
        return _correlation(columns[one].astype(float), columns[other].astype(float))

    def across(self, label: str, one: str, other: str) -> float:
        """Return Spearman's correlation of two expressions over the values of a label."""
        parts = [part for _, part in self.frame.take(self.weights > 0).groups([label])]
        return _correlation(*(np.array([part.evaluate(text) for part in parts]) for text in (one, other)))

    def slope(self, label: str, expression: str) -> float:
        """Return how much a value changes from one value of ``label`` to the next, by least squares."""
        values = [self.by(label, value).value(expression) for value in self.frame.values(label)]
        places = np.arange(len(values)) - (len(values) - 1) / 2
        return float(places @ values) / float(places @ places)

    def score(self, moves: str) -> int:
        """Return the exact score of the position after ``moves`` (columns 1 to 7), for the side to move."""
        from bot.lab.exact import exact_scores

        columns = "".join(str(int(column) - 1) for column in moves)
        return max(score for score in exact_scores(columns) if score is not None)


FUNCTIONS = ("by", "rows", "outcome", "agree", "same", "rank", "across", "slope", "score")


class RowView(FrameView):
    """The names of an expression, where a sum is that of each row alone: an array."""

    def total(self, name: str) -> Any:
        """Return a column."""
        return self.frame.numbers[name]

    def label(self, name: str) -> Any:
        """Return the label of each row."""
        return self.frame.labels[name]


@dataclass(frozen=True)
class Role:
    """One side: its sums as attributes."""

    view: FrameView
    name: str

    def __getattr__(self, what: str) -> Any:
        try:
            return self.view.total(f"{self.name}.{what}")
        except KeyError:
            raise AttributeError(f"{self.name} has no {what}") from None


def _correlation(one: Array, other: Array) -> float:
    from scipy.stats import spearmanr

    return float(spearmanr(one, other).statistic) if np.ptp(one) and np.ptp(other) else math.nan  # constants: no ranks
