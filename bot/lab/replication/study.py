"""A study: what a source's file registers, in the order in which it stands there.

A file makes one `Study` and decorates its functions:

| decorator | function |
|---|---|
| ``@study.run`` | yields the tasks of a run (`bot.lab.arena.tasks`) |
| ``@study.table`` | returns a printed table beside ours (`bot.lab.replication.tables`) |
| ``@study.statement`` | returns the `Finding` on one statement, which its docstring quotes with its place |
| ``@study.noticed`` | returns a sentence on what the source does not state |
| ``@study.plot`` | draws the plot that answers the study's main question on the axes it gets |
| ``@study.found`` | returns the two sentences that the page begins with |

A function gets what its parameters name: ``quick`` and ``seed`` of the run, ``axes``, ``findings`` (those of the
statements, by their names), any table, and as a DataFrame the rows of any run. So a run can go on from another.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from bot.errors import BotError, UsageError

Function = TypeVar("Function", bound=Callable[..., Any])
Rows = Any
"""A DataFrame: one row a task, its labels and its result as columns."""
STUDIES = Path(__file__).parents[1] / "studies"
GIVEN = ("quick", "seed", "axes", "findings", "found")
"""What a function can ask for besides runs and tables."""
ENDING = "_study"
"""Ending of a study's file in the folder that BOT_PAPERS names, where NAME.py is the program."""


class Study:
    """The experiments of one source."""

    def __init__(self, module: str, source: str, cite: str, identified: str, *, terms: str = "") -> None:
        """``module``: the file's ``__name__``. ``identified``: whether the source tells which program it played.

        ``terms``: the words of the source that a reader of the page needs, explained.
        """
        self.name = module.rpartition(".")[2].removeprefix("bot_study_")
        self.source, self.cite, self.identified, self.terms = source, cite, identified, terms
        self.runs: dict[str, Callable[..., Any]] = {}
        self.tables: dict[str, Callable[..., Any]] = {}
        self.statements: dict[str, Callable[..., Any]] = {}
        self.remarks: dict[str, Callable[..., Any]] = {}
        self.plots: dict[str, Callable[..., Any]] = {}
        self.summaries: dict[str, Callable[..., Any]] = {}

    def run(self, function: Function) -> Function:
        """Register a run; one of another study too, whose tasks are then shared."""
        return self._registered(self.runs, function)

    def table(self, function: Function) -> Function:
        """Register a printed table."""
        return self._registered(self.tables, function)

    def statement(self, function: Function) -> Function:
        """Register a statement."""
        return self._registered(self.statements, function)

    def noticed(self, function: Function) -> Function:
        """Register what was noticed."""
        return self._registered(self.remarks, function)

    def plot(self, function: Function) -> Function:
        """Register the plot; the first line of its docstring is the title."""
        return self._registered(self.plots, function)

    def found(self, function: Function) -> Function:
        """Register the summary."""
        return self._registered(self.summaries, function)

    def _registered(self, functions: dict[str, Callable[..., Any]], function: Function) -> Function:
        kinds = (self.runs, self.tables, self.statements, self.remarks, self.plots, self.summaries)
        if any(function.__name__ in kind for kind in kinds) or function.__name__ in GIVEN:
            raise UsageError(f"{self.name}: two things are called {function.__name__}.", "Rename the function.")
        functions[function.__name__] = function
        return function

    def call(self, function: Callable[..., Any], known: Mapping[str, Any]) -> Any:
        """Call a function of the study with what its parameters name."""
        names = inspect.signature(function).parameters
        missing = sorted(names.keys() - known.keys())
        if missing:
            hint = f"It can have: {', '.join(known)}."
            raise UsageError(f"The study {self.name}: {function.__name__} asks for {', '.join(missing)}.", hint)
        try:
            found = function(**{name: known[name] for name in names})
            if inspect.isgenerator(found):
                found = list(found)
        except BotError:
            raise
        except Exception as error:
            file = function.__code__.co_filename
            lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
            where = f"{function.__name__} of the study {self.name} failed in line {lines[-1]}"
            raise UsageError(f"{where}: {type(error).__name__}: {error}.", f"Correct {file}.") from error
        is_nothing = found is None or (isinstance(found, list) and not found)
        if is_nothing and function.__name__ not in self.plots:
            hint = "A run yields tasks, any other function returns something."
            raise UsageError(f"{function.__name__} of the study {self.name} gives nothing.", hint)
        return found


def paragraphs(function: Callable[..., Any]) -> list[str]:
    """Return the docstring's paragraphs, each in one line."""
    text = inspect.getdoc(function) or function.__name__
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]


@cache
def studies() -> dict[str, Study]:
    """Return all studies by name: the package's, then those in the folder that BOT_PAPERS names.

    Raises UsageError for a file that cannot be loaded, or has no study.
    """
    files = sorted(path for path in STUDIES.glob("*.py") if path.stem != "__init__")
    found: dict[str, Study] = {}
    for path in files:
        study = getattr(_module(path), "study", None)
        if not isinstance(study, Study) or study.name in found:
            raise UsageError(
                f"{path} has no study, or another one has its name.", "Write study = Study(__name__, ...)."
            )
        found[study.name] = study
    return found


def _module(path: Path) -> ModuleType:
    if path.parent == STUDIES:
        return importlib.import_module(f"bot.lab.studies.{path.stem}")
    name = f"bot_study_{path.stem.removesuffix(ENDING)}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        hint = "Correct it, or move it to another folder."
        raise UsageError(f"{path} cannot be loaded: {type(error).__name__}: {error}", hint) from None
    return module


def find_study(name: str) -> Study:
    """Return a study by name; raise UsageError where there is none."""
    if name not in studies():
        raise UsageError(f"There is no study called {name!r}.", f"There are: {', '.join(studies())}, or all.")
    return studies()[name]
