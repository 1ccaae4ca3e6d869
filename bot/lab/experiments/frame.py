"""Rows of results as columns, and expressions over their sums.

An expression is Python over the sums of a group of rows: ``X.leaves / O.leaves`` is a ratio of sums, ``100 * X.won / n``
a percentage of games. Names:

| name | sum of |
|---|---|
| `n` | rows |
| `X.leaves`, `.nodes`, `.passes`, `.seconds`, `.moves` | the work of role X, and its moves |
| `X.won`, `.drawn`, `.lost`, `.points` | games; `first.points` are the first mover's |
| `plies`, `leaves`, `nodes`, `seconds`, `ply` | plies of the games; in runs with a row for every move, that move's |
| `X.kept`, `X.regret` | positions: whether X's column keeps the exact outcome, and the points it gives away |
| `depth` or another label | its value, where all rows have the same |
| `by.depth[8].X.leaves` | X.leaves of the rows with depth 8; `by.result['W']`: games that the first role won |
| `rows('opponent > system').n` | n of the rows for which this holds |

Functions: `outcome(X)` (W, D or L and the plies, of one game), `agree(label)` (share of games that do not change with
the label), `same(X, O)` (share of positions with the same column), `rank('leaves', 'ply')` (Spearman's correlation over
rows; also of labels), `across('leaf', 'X.kept / n', 'O.kept / n')` (the same over the values of a label),
`slope('depth', 'X.won / n')` (change of a value from one value of the label to the next). `abs`, `max`, `min`, `log`,
`floor`, `comb` and `score("moves")`, the exact score of a position, are there too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.errors import UsageError
from bot.lab.experiments.paper import Label, Run, Where
from bot.lab.experiments.plan import Row, agents_of
from bot.lab.experiments.work import COUNTS, Result

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
            if isinstance(wanted, str) and label in self.labels and wanted in self.labels:
                chosen &= np.asarray(self.labels[label] == self.labels[wanted], dtype=np.bool_)
            elif label in columns:
                values = wanted if isinstance(wanted, list) else [wanted]
                chosen &= np.array([value in values for value in columns[label]], dtype=np.bool_)
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
            return _evaluate(expression, View(self, np.ones(self.size) if weights is None else weights))
        except (AttributeError, LookupError, NameError, SyntaxError, TypeError, ValueError) as error:
            raise UsageError(f"{expression!r} cannot be computed: {error}.") from None

    def each_row(self, expression: str) -> Array | None:
        """Return the value of an expression for every row alone; None for one that needs several rows."""
        try:
            with np.errstate(all="ignore"):
                found = np.asarray(_evaluate(expression, RowView(self, np.ones(self.size))), dtype=np.float64)
        except (TypeError, ValueError, AttributeError, KeyError):
            return None
        return found if found.shape == (self.size,) else None  # one number for all is not a number for each


def frame_of(run: Run, rows: Sequence[Row], results: Sequence[Result]) -> Frame:
    """Return the results of a run."""
    if run.moves:
        rows, results = _by_move(rows, results)
    labels = {label: _objects([row[label] for row in rows]) for label in (rows[0] if rows else {})}
    numbers: dict[str, list[float]] = {"n": [1.0] * len(rows)}
    texts: dict[str, list[str]] = {}
    for row, result in zip(rows, results, strict=True):
        cells = _game(run, row, result) if run.players and not run.moves else _plain(result)
        for name, value in cells.items():
            (texts if isinstance(value, str) else numbers).setdefault(name, []).append(value)  # type: ignore[arg-type]
    return Frame(
        labels,
        {name: np.array(column, dtype=np.float64) for name, column in numbers.items()},
        {name: _objects(column) for name, column in texts.items()},
    )


def _objects(values: Sequence[Any]) -> NDArray[np.object_]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _by_move(rows: Sequence[Row], results: Sequence[Result]) -> tuple[list[Row], list[Result]]:
    """Return a row for each move after the opening, with the labels ``ply`` and ``moved``, its number of the game."""
    labels, found = list[Row](), list[Result]()
    for number, (row, result) in enumerate(zip(rows, results, strict=True)):
        for place in range(len(result["nodes"])):
            ply = result["opening"] + place
            labels.append({**row, "moved": number, "ply": ply})
            found.append({"ply": ply, **{name: result[name][place] for name in COUNTS}})
    return labels, found


def _game(run: Run, row: Row, result: Result) -> dict[str, float | str]:
    roles = list(agents_of(run, row))
    first = str(row.get("first", roles[0]))
    cells: dict[str, float | str] = {"moves": result["moves"], "plies": float(len(result["moves"]))}
    for role in roles:
        points = result["result"] if role == first else 1 - result["result"]
        found = {**dict(zip((*COUNTS, "moves"), result[role], strict=True)), "points": points}
        found |= {"won": points == 1, "drawn": points == 0.5, "lost": points == 0}
        cells.setdefault("result", letter_of(points))
        for name, value in found.items():
            cells[f"{role}.{name}"] = float(value)
            if role == first:
                cells[f"first.{name}"] = float(value)
    return cells


def letter_of(points: float) -> str:
    """Return W, D or L for the points of a game."""
    return {1.0: "W", 0.5: "D"}.get(points, "L")


def _plain(result: Result) -> dict[str, float | str]:
    """Return the numbers of a position or of another kind of work; a list becomes an agent's answer."""
    names = ("column", "value", *COUNTS, "kept", "regret")
    cells: dict[str, float | str] = {}
    for key, value in result.items():
        if isinstance(value, list):
            cells |= {f"{key}.{name}": float(part) for name, part in zip(names, value, strict=False)}
        else:
            cells[key] = value if isinstance(value, str) else float(value)
    return cells


class View(Mapping[str, Any]):
    """The names of an expression: sums of rows that count with weights."""

    def __init__(self, frame: Frame, weights: Array) -> None:
        self.frame = frame
        self.weights = weights
        self.roles = {name.partition(".")[0] for name in frame.numbers if "." in name}

    def total(self, name: str) -> float:
        """Return the sum of a column."""
        return float(self.frame.numbers[name] @ self.weights)

    def __getitem__(self, name: str) -> Any:
        if name in self.frame.numbers:
            return self.total(name)
        if name in self.roles:
            return Role(self, name)
        if name == "by":
            return By(self)
        if name in self.frame.labels:
            return self._label(name)
        function = _FUNCTIONS.get(name)
        if function is None:
            raise KeyError(name)
        return lambda *given: function(self, *given)

    def __getattr__(self, name: str) -> Any:  # `by.depth[8].X.leaves`
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def _label(self, name: str) -> Label:
        values = set(self.frame.labels[name][self.weights > 0])
        if len(values) != 1:
            raise ValueError(f"{name} has {len(values)} values")
        value: Label = values.pop()
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self.frame.numbers)

    def __len__(self) -> int:
        return len(self.frame.numbers)


class RowView(View):
    """The names of an expression, where a sum is that of each row alone: an array."""

    def __getitem__(self, name: str) -> Any:
        if name in _OF_ROWS:
            raise ValueError(f"{name} needs several rows")
        return super().__getitem__(name)

    def total(self, name: str) -> Any:
        """Return a column."""
        return self.frame.numbers[name]

    def _label(self, name: str) -> Any:
        return self.frame.labels[name]


@dataclass(frozen=True)
class Role:
    """One side: its sums as attributes."""

    view: View
    name: str

    def __getattr__(self, what: str) -> float:
        try:
            return self.view.total(f"{self.name}.{what}")
        except KeyError:
            raise AttributeError(f"{self.name} has no {what}") from None


@dataclass(frozen=True)
class By:
    """The rows of one value of a label: ``by.depth[8]``."""

    _view: View

    def __getattr__(self, label: str) -> Rows:
        return Rows(self._view, label)


@dataclass(frozen=True)
class Rows:
    """The values of a label; one that was not run has no rows."""

    view: View
    label: str

    def __getitem__(self, value: Label) -> View:
        frame = self.view.frame
        chosen = (frame.labels | frame.texts)[self.label] == value
        return View(self.view.frame, self.view.weights * chosen)


def _evaluate(expression: str, view: View) -> Any:
    try:
        return eval(expression, {"__builtins__": {}}, view)  # the file is the package's, or the user's own code
    except ZeroDivisionError:
        return math.nan


def _outcome(view: View, role: Role) -> str:
    """Return the result of one game: W, D or L for the role, and the plies."""
    return f"{letter_of(role.points)}{view.total('plies'):.0f}" if view.total("n") == 1 else ""


def _agree(view: View, label: str) -> float:
    """Return the share of games whose moves are the same for all values of ``label``."""
    frame = view.frame
    others = [name for name in frame.labels if name != label]
    games: dict[tuple[Any, ...], set[str]] = {}
    for place in np.flatnonzero(view.weights):
        key = tuple(frame.labels[name][place] for name in others)
        games.setdefault(key, set()).add(frame.texts["moves"][place])
    return sum(len(moves) == 1 for moves in games.values()) / len(games)


def _same(view: View, one: Role, other: Role) -> float:
    """Return the share of positions in which both play the same column."""
    numbers = view.frame.numbers
    equal = numbers[f"{one.name}.column"] == numbers[f"{other.name}.column"]
    return float(equal @ view.weights / view.weights.sum())


def _rank(view: View, one: str, other: str) -> float:
    """Return Spearman's correlation of two columns over the rows."""
    from scipy.stats import spearmanr

    columns = view.frame.labels | view.frame.numbers
    chosen = view.weights > 0
    pair = [columns[name][chosen].astype(float) for name in (one, other)]
    return float(spearmanr(*pair).statistic) if all(map(np.ptp, pair)) else math.nan  # a constant has no ranks


def _across(view: View, label: str, one: str, other: str) -> float:
    """Return Spearman's correlation of two expressions over the values of a label."""
    from scipy.stats import spearmanr

    parts = [part for _, part in view.frame.take(view.weights > 0).groups([label])]
    return float(spearmanr(*([part.evaluate(text) for part in parts] for text in (one, other))).statistic)


def _rows(view: View, condition: str) -> View:
    """Return the rows for which a condition on each row's own values holds."""
    holds = _evaluate(condition, RowView(view.frame, view.weights))
    return View(view.frame, view.weights * holds.astype(float))


def _within(_view: View, part: View, expression: str) -> Any:
    """Return the value of an expression over some of the rows."""
    return _evaluate(expression, part)


def _slope(view: View, label: str, expression: str) -> float:
    """Return how much a value changes from one value of ``label`` to the next, by least squares."""
    values = [_evaluate(expression, Rows(view, label)[value]) for value in view.frame.values(label)]
    places = np.arange(len(values)) - (len(values) - 1) / 2
    return float(places @ values) / float(places @ places)


def _score(_view: View, moves: str) -> int:
    """Return the exact score of the position after ``moves`` (columns 1 to 7), for the side to move."""
    from bot.lab.experiments.work import exact_scores

    columns = "".join(str(int(column) - 1) for column in moves)
    return max(score for score in exact_scores(columns) if score is not None)


_OF_ROWS = ("by", "rows", "within", "across", "rank", "agree", "same")
"""Names without a meaning for one row."""
_FUNCTIONS: dict[str, Any] = {
    "outcome": _outcome,
    "agree": _agree,
    "same": _same,
    "rank": _rank,
    "across": _across,
    "rows": _rows,
    "slope": _slope,
    "score": _score,
    "within": _within,
    "abs": lambda _view, value: abs(value),
    "max": lambda _view, *values: max(values),
    "min": lambda _view, *values: min(values),
    "log": lambda _view, value: math.log(value),
    "comb": lambda _view, *values: math.comb(*values),
    "floor": lambda _view, value: math.floor(value),
}
