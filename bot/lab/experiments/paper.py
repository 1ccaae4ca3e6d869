"""A source as data: its runs, its printed tables and its statements, from NAME.toml.

A file lies in this folder or, for further publications, in the folder that BOT_PAPERS names. It is checked as a whole
when it is read, so that a wrong name is reported before the first game.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator

from bot.agents.family import FOLDER
from bot.errors import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Label = int | float | str
Labels = list[Label]
Where = dict[str, Label | Labels]
"""Values of labels that a row must have: one, or one of a list."""
Names = Annotated[list[str], BeforeValidator(lambda value: [value] if isinstance(value, str) else value)]
"""In the file one name, or a list of names."""
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


class RunPlan(Strict):
    """Games, or questions in positions, for every combination of labels."""

    title: str
    grid: dict[str, Labels | int | str] = {}
    """Values of each label: a list, a number N for 0 to N - 1, or a set of positions (`bot.lab.experiments.plan`).

    In a list of agents, ``families`` stands for every source's programs at their own depths, and
    ``families:42@nodes=9`` for the same with what follows.
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
    skip: list[dict[str, Labels]] = []
    """Combinations that are left out: rows with one of these values of every one of these labels."""
    readings: list[str] = []
    """Labels of what the source leaves open: every statement about this run is compared in each of their combinations.
    Tables show the combination of their first values."""
    screen: Screen | None = None
    work: str = ""
    """A module of this folder that does another kind of work than games and questions; it gets the labels."""


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
    rounds: int = 0
    """Games behind a printed share, whose sampling error is then known; 0: printed numbers are taken as exact."""


class Item(Strict):
    """What is shown of some rows: of the runs named, or of those behind the cells of a printed table."""

    run: Names = []
    table: str = ""
    where: Where = {}
    each: Names = []
    """Labels: one number for each of their values."""
    unit: Names = []
    """The label whose values are the sample, or two that are crossed; without one a result is exact, or each seeded
    game is a draw."""
    values: list[str] = []
    """Expressions over sums of rows (`bot.lab.experiments.frame`)."""
    readings: list[str] | None = None
    """In place of those of the run, for this item alone."""

    @property
    def called(self) -> str:
        """What messages call it."""
        return str(next(getattr(self, key) for key in ("id", "title", "text") if hasattr(self, key)))


class Statement(Item):
    """A statement of the source in our own words, and what decides it.

    With a ``table`` and no values, the cells of the printed table are compared; with values, these are evaluated over
    the games of the table, or with ``printed`` over what is printed.
    """

    id: str
    at: str
    """Section or table."""
    text: str
    printed: bool = False
    """In the file also ``"both"``: one statement on our games, and one with ``-printed`` behind its id."""
    equal: list[float | str] | Literal["all cells"] | None = None
    margin: float = 0.0
    above: float | None = None
    below: float | None = None
    between: tuple[float, float] | None = None
    differs: float | None = None
    rises: str | None = None
    """A label: the value rises with it from each value to the next."""
    likely: str | None = None
    """A label of draws: the printed table is as likely as tables of these draws are. With ``rounds`` its shares, and
    what each row leaves of 1, are compared as counts with ours."""
    why: str = ""
    """Where a margin or a bound comes from."""
    exceptions: bool = False
    """Whether the values count exceptions, so that a reading that has one fails even if it did not play all cells."""
    exists: bool = False
    """Whether one comparison that holds is enough; where all fail, others might hold."""
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


class Plot(Item):
    """A picture that answers one question."""

    title: str
    kind: Literal["lines", "strip"]
    x: str = ""
    series: dict[str, str] = {}
    """Legend and expression of each line."""
    y: str = ""
    log: bool = False


class Noticed(Item):
    """What the source does not state, and we noticed: shown, never judged."""

    text: str


class Paper(Strict):
    """One source."""

    name: str
    source: str
    cite: str
    run: dict[str, RunPlan] = {}
    table: dict[str, Table] = {}
    says: list[Statement] = []
    plot: list[Plot] = []
    noticed: list[Noticed] = []


@cache
def papers() -> dict[str, Paper]:
    """Return all sources by name: the package's, then those in the folder of BOT_PAPERS.

    Raises UsageError for a file that is wrong.
    """
    folders = [Path(__file__).parent, *map(Path, filter(None, [os.environ.get(FOLDER)]))]
    found: dict[str, Paper] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("*.toml"))):
        if path.stem in found:
            raise UsageError(f"There are two sources called {path.stem}.", f"Rename {path}.")
        found[path.stem] = read_paper(path)
    _check(found)
    return found


def read_paper(path: Path) -> Paper:
    """Return one source; raise UsageError with the place of the first mistake."""
    try:
        content: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        for name, table in content.get("table", {}).items():
            table.setdefault("run", name)
        content["says"] = [one for each in content.get("says", []) for one in _both(each)]
        return Paper(name=path.stem, **content)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        hint = "The keys are described in bot/lab/experiments/README.md."
        raise UsageError(f"{path}: {place}: {first['msg']}.", hint) from None


def _both(says: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a statement, or that on our games and that on the printed table."""
    if says.get("printed") != "both":
        return [says]
    text = f"{says['text']} (In the printed table.)"
    return [says | {"printed": False}, says | {"id": f"{says['id']}-printed", "text": text, "printed": True}]


def _check(found: dict[str, Paper]) -> None:
    """Raise UsageError for a name that is given twice, or a run, a table or a label that does not exist."""
    runs, tables = all_runs(found), all_tables(found)
    once = set[str]()
    for paper in found.values():
        for statement in paper.says:
            if statement.id in once:
                raise UsageError(f"{paper.name}.toml: there is another statement {statement.id!r}.", "Rename it.")
            once.add(statement.id)
        for run in paper.run.values():
            _known(paper, run.title, [run.judged, run.screen.table if run.screen else ""], {**runs, **tables})
            _known(paper, run.title, [*run.quick, *run.readings, *(["position"] if run.agents else [])], run.grid)
        for table in paper.table.values():
            _known(paper, table.title, [table.run], runs)
            _known(paper, table.title, [*table.rows, table.across], runs[table.run].grid)
        for item in (*paper.says, *paper.plot, *paper.noticed):
            _known(paper, item.called, item.run, runs)
            _known(paper, item.called, [item.table], tables)
            used, labels = list(item.run), ["one", "other", "moved", "ply"]
            if item.table:
                table = tables[item.table]
                used, labels = [*used, table.run], [*labels, *table.rows, table.across]
            labels += [label for name in used for label in runs[name].grid]
            more = [getattr(item, key, None) or "" for key in ("rises", "likely")]
            _known(paper, item.called, [*item.where, *item.unit, *item.each, *(item.readings or ()), *more], labels)


def _known(paper: Paper, name: str, wanted: Iterable[str], known: Collection[str]) -> None:
    for each in wanted:
        if each and each not in known:
            message = f"{paper.name}.toml: {name!r} names {each!r}, which does not exist."
            raise UsageError(message, f"It has: {', '.join(sorted({*known} - {''}))}.")


def all_runs(found: dict[str, Paper] | None = None) -> dict[str, RunPlan]:
    """Return the runs of all sources by their names; raise UsageError for a name that is given twice."""
    return _together(found or papers(), "run")


def all_tables(found: dict[str, Paper] | None = None) -> dict[str, Table]:
    """Return the printed tables of all sources by their names; raise UsageError for a name that is given twice."""
    return _together(found or papers(), "table")


def _together(found: dict[str, Paper], what: str) -> dict[str, Any]:
    together: dict[str, Any] = {}
    for paper in found.values():
        for name, part in getattr(paper, what).items():
            if name in together:
                raise UsageError(f"{paper.name}.toml: there is another {what} {name!r}.", "Give it another name.")
            together[name] = part
    return together


def find_run(name: str) -> RunPlan:
    """Return the run called ``name``; raise UsageError, with the list of names, if there is none."""
    runs = all_runs()
    if name not in runs:
        raise UsageError(f"There is no experiment {name!r}.", f"Choose one of: {', '.join(runs)}.")
    return runs[name]
