"""A source as data: its runs, its printed tables and its statements, from NAME.toml.

A file lies in this folder or, for further publications, in the folder that BOT_PAPERS names. It is checked as a whole
when it is read, so that a wrong name is reported before the first game.
"""

from __future__ import annotations

import os
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from bot.agents.family import FOLDER
from bot.errors import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Label = int | float | str
Labels = list[Label]
Where = dict[str, Label | Labels]
"""Values of labels that a row must have: one, or one of a list; the name of another label stands for its value."""
BOUNDS = ("equal", "above", "below", "between", "differs", "rises", "likely")
"""The comparisons, of which a statement that can be tested has exactly one."""


class Strict(BaseModel):
    """A table of the file, in which every key has a meaning."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Screen(Strict):
    """A run of many readings: all play one part of the cells, and only those that explain it best play the rest.

    So does the first reading of all, whose labels have their first values: the one that the notes recommend.
    """

    table: str
    """The printed table that a reading is compared with."""
    held: dict[str, Labels]
    """The cells with one of these values of any of these labels are held out from the choice."""
    keep: int
    """Readings that play the held-out part too: those that the table shows, then the best."""


class Run(Strict):
    """Games, or questions in positions, for every combination of labels."""

    title: str
    grid: dict[str, Labels | int | str] = {}
    """Values of each label: a list, a number N for 0 to N - 1, or a set of positions (`bot.lab.experiments.plan`).

    In a list of agents, ``families`` stands for every source's programs at their own depths, and
    ``families:42@nodes=9`` for the same with what follows. Here and wherever a label has a list of values, ``"1-8"``
    stands for the numbers from 1 to 8.
    """
    quick: dict[str, Labels | int | str] = {}
    """Labels with fewer values, for a quick run."""
    players: dict[str, str] = {}
    """Two roles and the names of their agents, with labels in braces; the label ``first`` says which role starts."""
    agents: dict[str, str] = {}
    """Roles and agents that are asked in every position, the label ``position``."""
    field: list[str] = []
    """A round robin: every pair of these agents, as the labels ``one`` and ``other``."""
    judged: str = ""
    """The run that asks the agents of the field, its label ``agent``, in positions: it stands beside their ratings."""
    exact: bool | str = False
    """Whether the solver scores the columns of every position; or the role whose values do, exact ones of a paper."""
    moves: bool = False
    """Whether there is a row for every move instead of every game."""
    like: str = ""
    """A run of the same source with the same agents, and with what of its labels and its screen is not named again."""
    skip: list[dict[str, Labels]] = []
    """Combinations that are left out: rows with one of these values of every one of these labels."""
    readings: list[str] = []
    """Labels of what the source leaves open: every statement about this run is compared in each of their combinations.
    Tables show the combination of their first values."""
    screen: Screen | None = None
    work: str = ""
    """The name of another kind of work (`bot.lab.experiments.work.KINDS`), which gets the labels."""
    outside: str = ""
    """Where the statement of this run comes from, if not from the source."""


class Table(Strict):
    """A printed table: one line a row, the row's labels first; a cell is a number, a word, or - for nothing."""

    title: str
    run: str
    """The run that the cells are compared with; without it the one of the table's name."""
    rows: list[str] = []
    """The labels of a row."""
    across: str = ""
    """The label of the columns, where all columns show the same."""
    columns: dict[str, str]
    """Head and expression of each column; with ``across``, of each part of a cell."""
    printed: str
    where: Where = {}
    """Rows of the run that are shown; a statement with readings takes those of each reading."""
    machine: list[str] = []
    """Heads of columns that depend on the machine: shown, never compared."""
    digits: int = 2
    """Decimals of the numbers shown."""
    rounds: int = 0
    """Games behind a printed share, whose sampling error is then known; 0: printed numbers are taken as exact."""


class Statement(Strict):
    """A statement of the source in our own words, and what decides it."""

    id: str
    at: str
    """Section or table."""
    text: str
    run: str | list[str] = []
    table: str = ""
    """Compare the cells of a printed table; with values, evaluate them over the games of the table, or with
    ``printed`` over what is printed."""
    printed: bool = False
    """In the file also ``"both"``: one statement on our games, and one with ``-printed`` behind its id."""
    where: Where = {}
    each: str | list[str] = ""
    """A label, or several: one comparison for each of their values."""
    unit: str | list[str] = []
    """The label whose values are the sample, or two that are crossed; without one a result is exact, or each seeded
    game is a draw."""
    values: list[str] = []
    """Expressions over sums of rows (`bot.lab.experiments.frame`)."""
    of: list[str] = []
    """Texts, each of which stands once for ``{of}`` in the expressions, its first character for ``{of[0]}``."""
    equal: list[float | str] | str | None = None
    margin: float = 0.0
    above: float | str | None = None
    below: float | str | None = None
    between: tuple[float, float] | None = None
    differs: float | None = None
    rises: str | None = None
    """A label: the value rises with it from each value to the next."""
    likely: str | None = None
    """A label of draws: the printed table is as likely as tables of these draws are. With ``rounds`` its shares, and
    what each row leaves of 1, are compared as counts with ours."""
    why: str = ""
    """Where a margin or a bound comes from."""
    readings: list[str] = []
    """The same as those of the run, for this statement alone."""
    exceptions: bool = False
    """Whether the values count exceptions, so that a reading that has one fails even if it did not play all cells."""
    average: bool = False
    """Whether the expression is evaluated for each unit alone, and the estimate is the mean."""
    exists: bool = False
    """Whether one comparison that holds is enough; where all fail, others might hold."""
    goal: bool = False
    """Whether somebody wants to reach it, and the source prints no result."""
    untestable: str = ""
    """Why nothing here decides it."""

    @model_validator(mode="after")
    def _has_one_comparison(self) -> Statement:
        given = [name for name in BOUNDS if getattr(self, name) is not None]
        if len(given) != (0 if self.untestable else 1):
            raise ValueError(f"the statement {self.id} needs one of {', '.join(BOUNDS)}, or untestable")
        if self.margin and not self.why:
            raise ValueError(f"the statement {self.id} has a margin without why")
        return self


class Plot(Strict):
    """A picture that answers one question."""

    title: str
    kind: str
    """lines, heat or strip."""
    run: str = ""
    table: str = ""
    x: str = ""
    series: dict[str, str] = {}
    """Legend and expression of each line."""
    by: str = ""
    """A label: a line for each of its values, which is then the legend."""
    y: str = ""
    unit: str | list[str] = []
    where: Where = {}
    log: bool = False


class Noticed(Strict):
    """What the source does not state, and we noticed: shown, never judged."""

    text: str
    run: str = ""
    where: Where = {}
    each: str | list[str] = ""
    unit: str | list[str] = []
    values: list[str] = []


class Paper(Strict):
    """One source."""

    name: str
    source: str
    cite: str
    run: dict[str, Run] = {}
    table: dict[str, Table] = {}
    says: list[Statement] = []
    plot: list[Plot] = []
    noticed: list[Noticed] = []


def paper_files() -> list[Path]:
    """Return the files of all sources: the package's, then those in the folder of BOT_PAPERS."""
    folder = os.environ.get(FOLDER)
    own = sorted(Path(__file__).parent.glob("*.toml"))
    return own + (sorted(Path(folder).glob("*.toml")) if folder else [])


@cache
def papers() -> dict[str, Paper]:
    """Return all sources by name; raise UsageError for a file that is wrong."""
    found: dict[str, Paper] = {}
    for path in paper_files():
        if path.stem in found:
            raise UsageError(f"There are two sources called {path.stem}.", f"Rename {path}.")
        found[path.stem] = read_paper(path)
    _check(found)
    return found


def read_paper(path: Path) -> Paper:
    """Return one source; raise UsageError with the place of the first mistake."""
    try:
        content: dict[str, Any] = _spread(tomllib.loads(path.read_text(encoding="utf-8")))
        for name, table in content.get("table", {}).items():
            table.setdefault("run", name)
        for run in content.get("run", {}).values():
            _complete(run, content["run"].get(run.get("like"), {}))
        content["says"] = [one for each in content.get("says", []) for one in _both(each)]
        return Paper(name=path.stem, **content)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        hint = "The keys are described in bot/lab/experiments/README.md."
        raise UsageError(f"{path}: {place}: {first['msg']}.", hint) from None


def _spread(value: Any) -> Any:
    """Return a file's content with lists of numbers in place of texts such as 1-8."""
    if isinstance(value, dict):
        return {key: part if key == "at" else _spread(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_spread(part) for part in value]
    ends = re.fullmatch(r"(\d+)-(\d+)", value) if isinstance(value, str) else None
    return list(range(int(ends.group(1)), int(ends.group(2)) + 1)) if ends else value


def _both(says: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a statement, or that on our games and that on the printed table."""
    if says.get("printed") != "both":
        return [says]
    return [says | {"printed": False}, says | {"id": f"{says['id']}-printed", "printed": True, "readings": []}]


def _complete(run: dict[str, Any], base: dict[str, Any]) -> None:
    """Give a run the agents and labels of the one that it is like."""
    if base:
        for key in {"players", "agents", "readings"} & base.keys():
            run.setdefault(key, base[key])
        named = run.get("grid", {})
        quick = {label: values for label, values in base.get("quick", {}).items() if label not in named}
        run |= {"grid": base["grid"] | named, "quick": quick | run.get("quick", {})}
        if "screen" in run:
            run["screen"] = base["screen"] | run["screen"]


def _check(found: dict[str, Paper]) -> None:
    """Raise UsageError for a name that is given twice, or a run, a table or a label that does not exist."""
    runs, tables = all_runs(found), all_tables(found)
    once = set[str]()
    for paper in found.values():
        for name in (*paper.run, *(f"the statement {statement.id}" for statement in paper.says)):
            if name in once:
                raise UsageError(f"{paper.name}.toml: there is another {name!r}.", "Give it another name.")
            once.add(name)
    for paper in found.values():
        for run in paper.run.values():
            _known(paper, run.title, run.judged, runs)
            _known(paper, run.title, run.screen.table if run.screen else "", tables)
        for table in paper.table.values():
            _known(paper, table.title, table.run, runs)
        items: list[Statement | Plot | Noticed] = [*paper.says, *paper.plot, *paper.noticed]
        for item in items:
            name = item.id if isinstance(item, Statement) else item.title if isinstance(item, Plot) else item.text
            for named in as_list(item.run):
                _known(paper, name, named, runs)
            if not isinstance(item, Noticed):
                _known(paper, name, item.table, tables)
            _check_labels(paper, name, item, runs, tables)


def _check_labels(
    paper: Paper, name: str, item: Statement | Plot | Noticed, runs: dict[str, Run], tables: dict[str, Table]
) -> None:
    """Raise UsageError for a label that none of the item's runs has; one of them is enough."""
    table = tables.get(getattr(item, "table", ""))
    known = ["one", "other", "moved", "ply", *(label for run in as_list(item.run) for label in runs[run].grid)]
    if table is not None:
        known += [*runs[table.run].grid, *table.rows, table.across, "result"]
    each = getattr(item, "each", "")
    readings = item.readings if isinstance(item, Statement) else []
    for label in (*item.where, *as_list(item.unit), *as_list(each), *readings, getattr(item, "rises", None)):
        _known(paper, name, label or "", dict.fromkeys(known))


def _known(paper: Paper, name: str, wanted: str, known: dict[str, Any]) -> None:
    if wanted and wanted not in known:
        raise UsageError(
            f"{paper.name}.toml: {name!r} names {wanted!r}, which does not exist.", f"It has: {', '.join(known)}."
        )


def as_list(value: str | list[str]) -> list[str]:
    """Return a name or a list of names as a list."""
    return [value] if isinstance(value, str) and value else list(value)


def all_runs(found: dict[str, Paper] | None = None) -> dict[str, Run]:
    """Return the runs of all sources by their ids."""
    return {id_: run for paper in (found or papers()).values() for id_, run in paper.run.items()}


def all_tables(found: dict[str, Paper] | None = None) -> dict[str, Table]:
    """Return the printed tables of all sources by their ids."""
    return {id_: table for paper in (found or papers()).values() for id_, table in paper.table.items()}


def find_run(name: str) -> Run:
    """Return the run called ``name``; raise UsageError, with the list of names, if there is none."""
    runs = all_runs()
    if name not in runs:
        raise UsageError(f"There is no experiment {name!r}.", f"Choose one of: {', '.join(runs)}.")
    return runs[name]
