"""What an agent's name stands for: a family, its number (a depth, as a rule) and options: ``kang-h1:4,features=1+2``.

Any name can end with a budget of its own: ``mtdf@nodes=10000``, ``tommy-ab:12@time=0.1``.

Most families are those of publications. A publication is a folder of `bot.papers`, or of the folder that the
environment variable BOT_PAPERS names. Its program is the module ``program`` with the tuple ``FAMILIES``. Nothing lists
the publications, and nothing here imports them but by name: they stand above this room.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from bot.engine.agent import NO_LIMIT_S, Agent, Derived, Limit
from bot.errors import BotError, UsageError

PACKAGE = "bot.papers"
"""Package of the publications; the folder that BOT_PAPERS names becomes a further place of it."""
FOLDER = "BOT_PAPERS"
"""Environment variable that names a folder with further publications, each in a folder as in the package."""


@dataclass(frozen=True)
class Option:
    """An option of an agent's name."""

    about: str
    """What it means, as a short fragment for a table."""
    read: Callable[[str], Any]
    """Returns the value of a text; raises ValueError or KeyError for a text that is none."""
    hint: str
    """What to write, as a sentence."""
    default: Any = None


def one_of(about: str, *values: Any) -> Option:
    """Return an option with a few values, the first of which is the default; truth values are written as 0 and 1."""
    texts = {str(int(value) if isinstance(value, bool) else value): value for value in values}
    return Option(about, texts.__getitem__, f"Write one of {', '.join(texts)}.", values[0])


def above_0(about: str, kind: type[int] | type[float]) -> Option:
    """Return an option with a number above 0: a whole number, or seconds, which are a float."""

    def read(text: str) -> float:
        value = kind(text)
        if not 0 < value < float("inf"):
            raise ValueError
        return value

    hint = "Write a whole number above 0." if kind is int else "Write seconds, such as 2 or 0.5."
    return Option(about, read, hint)


def numbers(about: str, *default: int) -> Option:
    """Return an option with as many whole numbers (0 or more) as its default has, written as 10+100+1000."""

    def read(text: str) -> tuple[int, ...]:
        parts = text.split("+")
        if len(parts) != len(default) or not all(part.isdecimal() for part in parts):
            raise ValueError
        return tuple(map(int, parts))

    return Option(about, read, f"Write whole numbers such as {'+'.join(map(str, default))}.", default)


def settings(options: Mapping[str, Option], name: str, texts: list[str]) -> dict[str, Any]:
    """Return the values that ``key=value`` texts in an agent's name give to options.

    Raises UsageError for any other text.
    """
    found: dict[str, Any] = {}
    for text in texts:
        key, _, value = text.partition("=")
        if not key or not value or key in found:
            raise UsageError(f"{text!r} in {name!r} is not an option.", "Write options as key=value, each once.")
        if key not in options:
            known = ", ".join(options)
            hint = f"Its options: {known}." if known else "It takes none: write the name without the comma."
            raise UsageError(f"{name!r} has no option {key!r}.", hint)
        try:
            found[key] = options[key].read(value)
        except (ValueError, KeyError):
            raise UsageError(f"The option {key} in {name!r} cannot be {value!r}.", options[key].hint) from None
    return found


BUDGETS = {
    "time": above_0("Seconds of a move", float),
    "depth": above_0("Plies", int),
    "nodes": above_0("Positions visited", int),
    "leaves": above_0("Positions evaluated", int),
}
"""What a budget can limit."""
_SUFFIX = re.compile(r"@((?:time|depth|nodes|leaves)=[^@/\s]*)$")


def split_budget(name: str) -> tuple[str, Limit | None]:
    """Return an agent's name without its budget, and the budget as a limit; None if the name has none.

    Raises UsageError for a budget that cannot be read.
    """
    found = _SUFFIX.search(name)
    if found is None:
        return name, None
    limits = settings(BUDGETS, name, found[1].split(","))
    time_s = limits.pop("time", NO_LIMIT_S)
    return name[: found.start()], Limit(hard_s=time_s, think_s=time_s, **limits)


def budgeted(name: str, agent: Agent, budget: Limit) -> Agent:
    """Return an agent of this name that searches within its own budget as well as within the limit of each choice."""
    return Derived(name, (agent,), lambda board, limit, stop: agent.choose(board, _smaller(limit, budget), stop))


def _smaller(limit: Limit, budget: Limit) -> Limit:
    """Return the smaller of both limits in every respect; a budget by count alone leaves the time to its caller.

    A count then ends the search, not the time that the caller aims at: equal budgets search equal trees.
    """
    counts: dict[str, Any] = {}
    for name in ("depth", "nodes", "leaves"):
        given = filter(None, (getattr(limit, name), getattr(budget, name)))
        counts[name] = min(given, default=None)
    hard_s = min(limit.hard_s, budget.hard_s)
    think_s = limit.think_s
    if budget.hard_s < NO_LIMIT_S:
        think_s = budget.think_s
    elif budget.is_counted:
        think_s = hard_s
    return replace(limit, hard_s=hard_s, think_s=min(think_s, hard_s), **counts)


@dataclass(frozen=True)
class Family:
    """One agent, or the agents of one program, which differ in a number and options."""

    name: str
    about: str
    build: Callable[..., Agent]
    """Makes an agent from (full name, number, seed) and its options as keywords; a seed of None: another one each time.
    """
    options: Mapping[str, Option] = field(default_factory=dict)
    depth: int | None = 4
    """The number offered where none is given; None: the name is all that there is to write."""
    depth_optional: bool = False
    """Whether the name alone, without a number, is an agent."""
    deepest: int = 42
    """The largest number."""
    number: str = "DEPTH"
    """What the number means, as lists of names show it; a depth is in plies."""
    sign: str = ":"
    """What stands between name and number."""
    randomises: bool = False
    """Whether it can choose at random among moves that it finds equal without an option that says so."""
    moves_everywhere: bool = True
    """Whether it has a move in every unfinished position; `proof` has none off its plan."""
    counts: bool = True
    """Whether its search can be limited by nodes and leaves."""
    module: str = "bot.agents.catalogue"
    """The module of its publication, or of the list of all other agents."""

    def maker(self, name: str) -> Callable[[int | None], Agent]:
        """Return what makes the agent of a full name, given the seed; nothing is loaded before.

        Raises UsageError for a number out of range, and for an option that the family does not have.
        """
        if self.depth is None:
            return partial(self.build, name, None)
        head, *texts = name.split(",")
        text = head.removeprefix(self.name).removeprefix(self.sign)
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else 0
        if head == self.name and self.depth_optional:
            number = self.depth
        if not 1 <= number <= self.deepest:
            meaning = f"from 1 to {self.deepest:,}, its {self.number.lower()}"
            raise UsageError(f"{name!r} needs a number {meaning}.", f"Write {self.full_name()}, for instance.")
        defaults = {key: option.default for key, option in self.options.items()}
        given = settings(self.options, name, texts)
        return lambda seed: self.build(name, number, seed, **defaults | given)

    @property
    def may_randomise(self) -> bool:
        """Whether it can choose at random among moves that it finds equal."""
        return self.randomises or "ties" in self.options

    def full_name(self, number: int | None = None) -> str:
        """Return the name of an agent: ``depth3``, ``tommy-ab:4`` or just ``perfect``."""
        return self.name if self.depth is None else f"{self.name}{self.sign}{number or self.depth}"


def papers() -> dict[str, Path]:
    """Return the folders of all publications by name: the package's, then those in the folder of BOT_PAPERS.

    Raises UsageError where BOT_PAPERS names no folder, or two publications have one name.
    """
    folder = os.environ.get(FOLDER)
    if folder and not Path(folder).is_dir():
        raise UsageError(f"{folder}, which {FOLDER} names, is not a folder.", f"Correct or unset {FOLDER}.")
    package = import_module(PACKAGE)
    package.__path__[1:] = [folder] if folder else []
    found: dict[str, Path] = {}
    for path in (path for place in package.__path__ for path in sorted(Path(place).glob("*"))):
        if (path / "program.py").is_file() or (path / "study.py").is_file():
            if path.name in found:
                raise UsageError(f"There are two publications called {path.name}.", f"Rename {path}.")
            found[path.name] = path
    return found


def load(name: str, part: str) -> ModuleType:
    """Return the module ``part`` of a publication; raise UsageError where it cannot be loaded."""
    path = papers()[name] / f"{part}.py"
    try:
        return import_module(f"{PACKAGE}.{name}.{part}")
    except BotError:
        raise
    except Exception as error:
        raise UsageError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error


@cache
def paper_families() -> tuple[Family, ...]:
    """Return the families of all publications; it loads numba and their modules, but compiles nothing."""
    found: dict[str, Family] = {}
    for publication, folder in papers().items():
        if not (folder / "program.py").is_file():
            continue
        module = load(publication, "program")
        listed: Any = getattr(module, "FAMILIES", None)
        if not isinstance(listed, tuple):
            raise UsageError(f"{module.__file__} has no tuple FAMILIES.", "Name its agents there.")
        for family in listed:
            if family.name in found:
                raise UsageError(f"{module.__file__}: there is another agent {family.name!r}.", "Give it another name.")
            found[family.name] = replace(family, module=module.__name__)
    return tuple(found.values())
