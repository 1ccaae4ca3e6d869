"""From a run to its tasks: every combination of labels, in pieces that one process performs and one line stores.

A value of the grid is a list, a number N for 0 to N - 1, or a set of positions:

| text | positions |
|---|---|
| `all 4` | one order of moves for each position after four plies, mirror images once; so `all 0-4` |
| `judge 4-15` | the judge's positions with 4 to 15 discs, whose exact scores are known |
| `random 6` | six random plies, drawn anew for each value of the label ``game`` |

`/ 8` behind it takes every eighth position; `all 2 + judge 4-15 / 8` has the positions of both sets. A run with the
label ``game`` is seeded: each game is a draw. One without repeats itself move for move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

from bot.agents.catalogue import agent_modules
from bot.agents.family import families
from bot.errors import UsageError
from bot.lab.experiments.paper import Label, Labels, RunPlan

Row = dict[str, Label]
Task = dict[str, Any]
"""All that decides the results: ``run``, ``seed``, ``work`` (a module of this folder), what is asked, ``rows`` (the
labels of each game or position) and ``agents`` (those of each row by role). Equal ones give equal results but for
times."""
PIECE = 30
"""Most rows of a task."""
_SET = re.compile(r"(all|judge|random) (\d+)(?:-(\d+))?(?: / (\d+))?")


def tasks_of(name: str, run: RunPlan, *, quick: bool, seed: int, chosen: list[Row] | None = None) -> list[Task]:
    """Return the tasks of a run; with a screen, those of its first stage, or for ``chosen`` readings of its second."""
    rows = [row for row in rows_of(run, quick=quick) if is_held(run, row) == (chosen is not None)]
    if chosen is not None:
        kept = {tuple(reading.values()) for reading in chosen}
        rows = [row for row in rows if tuple(map(row.get, run.readings)) in kept]
    return pieces(name, run, rows, seed)


def is_held(run: RunPlan, row: Row) -> bool:
    """Return whether a row belongs to the part that has no say in the choice of a reading."""
    return run.screen is not None and any(row[label] in values for label, values in run.screen.held.items())


def rows_of(run: RunPlan, *, quick: bool) -> Iterator[Row]:
    """Yield the labels of every game or position of a run, the first label slowest."""
    grid = run.grid | (run.quick if quick else {})
    field: Labels = agents_in(list(run.field))
    pairs: list[Row] = [{"one": one, "other": other} for one, other in combinations(field, 2)]
    for pair, values in product(pairs or [{}], product(*map(values_of, grid.values()))):
        row = {**pair, **dict(zip(grid, values, strict=True))}
        if not any(all(row[label] in wanted for label, wanted in each.items()) for each in run.skip):
            yield row


def values_of(value: Labels | int | str) -> Labels:
    """Return the values of a label; a set that is drawn by the game stays as it is."""
    if isinstance(value, int):
        return list(range(value))
    return list(_positions(value)) if isinstance(value, str) else agents_in(value)


def agents_in(values: Labels) -> Labels:
    """Return a list with every source's programs in place of ``families``: at their own depths, or with what follows.

    A source that is added appears by itself, also one of BOT_PAPERS.
    """
    found: Labels = []
    for value in values:
        name, everyone, rest = str(value).partition("families")
        if everyone and not name:
            found += [f"{family.name}{rest or f':{family.own_depth}'}" for family in families()]
        else:
            found.append(value)
    return found


@cache
def _positions(text: str) -> tuple[Label, ...]:
    from bot.lab.positions import all_openings, read_positions

    if " + " in text:
        return tuple(position for part in text.split(" + ") for position in _positions(part))
    parts = _SET.fullmatch(text)
    if parts is None:
        raise UsageError(f"{text!r} is not a set of positions.", "Write all 4, judge 4-15 or random 6, with / 8.")
    kind, first, last, step = parts.group(1), int(parts.group(2)), int(parts.group(3) or parts.group(2)), parts.group(4)
    if kind == "random":
        return (text,)
    if kind == "all":
        found = [opening for plies in range(first, last + 1) for opening in all_openings(plies)]
    else:
        found = [position.columns for position in read_positions() if first <= position.ply <= last]
    return tuple("".join(map(str, columns)) for columns in found[:: int(step or 1)])


def pieces(name: str, run: RunPlan, rows: list[Row], seed: int) -> list[Task]:
    """Return the rows in tasks, each of agents from the same modules: an edit repeats no other paper's games."""
    asks = "ask_exact" if run.exact is True else "ask"
    work = run.work or ("play" if run.players else asks)
    tasks: list[Task] = []
    last: object = None
    for row in rows:
        agents = agents_of(run, row)
        modules = _modules(agents)
        if modules != last or len(tasks[-1]["rows"]) == PIECE:
            asked = {"work": work, "moves": run.moves, "exact": run.exact}
            tasks.append({"run": name, "seed": seed, **asked, "rows": [], "agents": []})
        last = modules
        tasks[-1]["rows"].append(row)
        tasks[-1]["agents"].append(agents)
    return tasks


def modules_of(task: Task) -> list[str]:
    """Return the modules that decide the results of a task, as names."""
    return [f"bot.lab.experiments.{task['work']}", *_modules(task["agents"][0])]


def _modules(agents: dict[str, str]) -> list[str]:
    return sorted({module for name in agents.values() for module in agent_modules(name)})


def agents_of(run: RunPlan, row: Row) -> dict[str, str]:
    """Return the full name of each role's agent; raise UsageError for a label that the row does not have."""
    try:
        found = {role: name.format(**row) for role, name in (run.players or run.agents).items()}
    except KeyError as error:
        raise UsageError(f"{run.title}: no label of the grid is called {error}.") from None
    if run.players and row.get("first", next(iter(found))) not in found:
        raise UsageError(f"{run.title}: no player is called {row['first']!r}.", f"It has: {', '.join(found)}.")
    return found
