"""From a run to its tasks: every combination of labels, in pieces that one process performs and one line stores.

A value of the grid is a list, a number N for 0 to N - 1, or a set of positions:

| text | positions |
|---|---|
| `all 4` | one order of moves for each position after four plies, mirror images once |
| `judge 4-15` | the judge's positions with 4 to 15 discs, whose exact scores are known |
| `random 6` | six random plies, drawn anew for each value of the label ``game`` |

`/ 8` behind it takes every eighth position, and `+` joins sets. A run with the label ``game`` is seeded: each game is a
draw. One without repeats itself move for move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

from bot.errors import UsageError
from bot.lab.experiments.paper import Label, Labels, Run
from bot.lab.sources import agent_modules

Row = dict[str, Label]
Task = dict[str, Any]
"""``run``, ``seed``, and ``rows``: the labels of each game or position. Equal tasks give equal results but for times."""
PIECE = 30
"""Most rows of a task."""
GAME = "game"
_SET = re.compile(r"(all|judge|random) (\d+)(?:-(\d+))?(?: / (\d+))?")


def tasks_of(name: str, run: Run, *, quick: bool, seed: int) -> list[Task]:
    """Return the tasks of a run; with a screen, those of its first stage."""
    rows = list(rows_of(run, quick=quick))
    if run.screen is not None:
        rows = [row for row in rows if not is_held(run, row)]
    return pieces(name, run, rows, seed)


def held_tasks(name: str, run: Run, chosen: list[Row], *, quick: bool, seed: int) -> list[Task]:
    """Return the tasks of the second stage: the held-out rows of the ``chosen`` readings."""
    rows = [
        row
        for row in rows_of(run, quick=quick)
        if is_held(run, row) and any(reading.items() <= row.items() for reading in chosen)
    ]
    return pieces(name, run, rows, seed)


def is_held(run: Run, row: Row) -> bool:
    """Return whether a row belongs to the part that has no say in the choice of a reading."""
    return run.screen is not None and any(row[label] in values for label, values in run.screen.held.items())


def rows_of(run: Run, *, quick: bool) -> Iterator[Row]:
    """Yield the labels of every game or position of a run, the first label slowest."""
    grid = run.grid | (run.quick if quick else {})
    pairs: Iterable[Row] = [{"one": one, "other": other} for one, other in combinations(run.field, 2)] or [{}]
    for pair, values in product(pairs, product(*map(values_of, grid.values()))):
        yield {**pair, **dict(zip(grid, values, strict=True))}


def values_of(value: Labels | int | str) -> Labels:
    """Return the values of a label; a set that is drawn by the game stays as it is."""
    if isinstance(value, int):
        return list(range(value))
    if isinstance(value, str):
        return list(dict.fromkeys(position for text in value.split(" + ") for position in _positions(text)))
    return value


@cache
def _positions(text: str) -> tuple[Label, ...]:
    from bot.lab.positions import all_openings, read_positions

    parts = _SET.fullmatch(text)
    if parts is None:
        raise UsageError(f"{text!r} is not a set of positions.", "Write all 4, judge 4-15 or random 6, with / 8.")
    kind, first, last, step = parts.group(1), int(parts.group(2)), int(parts.group(3) or parts.group(2)), parts.group(4)
    if kind == "random":
        return (text,)
    if kind == "all":
        found = all_openings(first)
    else:
        found = [position.columns for position in read_positions() if first <= position.ply <= last]
    return tuple("".join(map(str, columns)) for columns in found[:: int(step or 1)])


def pieces(name: str, run: Run, rows: list[Row], seed: int) -> list[Task]:
    """Return the rows in tasks, each of agents from the same modules, so that an edit repeats no other paper's games."""
    tasks: list[Task] = []
    last: object = None
    for row in rows:
        modules = modules_of(run, row)
        if modules != last or len(tasks[-1]["rows"]) == PIECE:
            tasks.append({"run": name, "seed": seed, "rows": []})
        last = modules
        tasks[-1]["rows"].append(row)
    return tasks


def modules_of(run: Run, row: Row) -> tuple[str, ...]:
    """Return the modules that decide the result of a row, as names."""
    own = (f"bot.lab.experiments.{run.work}",) if run.work else ("bot.lab.experiments.work",)
    agents = {module for name in agents_of(run, row).values() for module in agent_modules(name)}
    return (*own, *sorted(agents))


def agents_of(run: Run, row: Row) -> dict[str, str]:
    """Return the full name of each role's agent; an option whose label is empty is left out."""
    return {role: name.format(**row) for role, name in (run.players or run.agents).items()}
