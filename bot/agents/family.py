"""The publications' agents by name, such as ``kang-h1:4,features=1+2``: family, depth, options.

A publication is a folder of `bot.papers`, or of the folder that the environment variable BOT_PAPERS names. Its program
is the module ``program`` with the tuple ``FAMILIES``. Nothing lists the publications, and nothing here imports them but
by name: they stand above this room.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bot.errors import BotError, UsageError

if TYPE_CHECKING:
    from bot.agents.paper import PaperAgent

PAPER_DEPTHS = range(1, 43)
"""Depths that the publications' agents accept, in plies."""
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


@dataclass(frozen=True)
class Family:
    """The agents of one published program, which differ in depth and options."""

    name: str
    source: str
    about: str
    make: Callable[..., PaperAgent]
    """Makes an agent from (full name, depth in plies, seed) and its options as keywords."""
    options: Mapping[str, Option] = field(default_factory=dict)
    default_depth: int | None = None
    """Depth in plies where a name gives none; None: the name must give a depth."""
    own_depth: int = 4
    """Depth in plies at which the program meets the others: the deepest that its source plays, where affordable."""

    def settings(self, name: str, texts: list[str]) -> dict[str, Any]:
        """Return the options by their names, from ``key=value`` texts; raise UsageError for any other text."""
        found: dict[str, Any] = {}
        for text in texts:
            key, _, value = text.partition("=")
            if not key or not value or key in found:
                raise UsageError(f"{text!r} in {name!r} is not an option.", "Write options as key=value, each once.")
            if key not in self.options:
                known = ", ".join(self.options)
                hint = f"Its options: {known}." if known else "It takes none: write the name without the comma."
                raise UsageError(f"{name!r} has no option {key!r}.", hint)
            try:
                found[key] = self.options[key].read(value)
            except (ValueError, KeyError):
                raise UsageError(f"The option {key} in {name!r} cannot be {value!r}.", self.options[key].hint) from None
        return {key: option.default for key, option in self.options.items()} | found


def papers() -> dict[str, Path]:
    """Return the folders of all publications by name: the package's, then those in the folder of BOT_PAPERS.

    Raises UsageError where BOT_PAPERS names no folder, or two publications have one name.
    """
    package = import_module(PACKAGE)
    package.__path__[1:] = map(str, own_folder())
    found: dict[str, Path] = {}
    for path in (path for place in package.__path__ for path in sorted(Path(place).glob("*"))):
        if (path / "program.py").is_file() or (path / "study.py").is_file():
            if path.name in found:
                raise UsageError(f"There are two publications called {path.name}.", f"Rename {path}.")
            found[path.name] = path
    return found


def own_folder() -> list[Path]:
    """Return the folder that BOT_PAPERS names, or nothing. Raises UsageError where it is no folder."""
    folder = os.environ.get(FOLDER)
    if not folder:
        return []
    if not Path(folder).is_dir():
        raise UsageError(f"{folder}, which {FOLDER} names, is not a folder.", f"Correct or unset {FOLDER}.")
    return [Path(folder)]


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
def families_by_module() -> dict[str, tuple[Family, ...]]:
    """Return the families of all publications by the full name of their module, in the order of the modules' names."""
    found: dict[str, tuple[Family, ...]] = {}
    names = set[str]()
    for publication, folder in papers().items():
        if not (folder / "program.py").is_file():
            continue
        module = load(publication, "program")
        listed: Any = getattr(module, "FAMILIES", None)
        if not isinstance(listed, tuple):
            raise UsageError(f"{module.__file__} has no tuple FAMILIES.", "Name its agents there.")
        for family in listed:
            if family.name in names:
                raise UsageError(f"{module.__file__}: there is another agent {family.name!r}.", "Give it another name.")
            names.add(family.name)
        found[module.__name__] = listed
    return found


def families() -> tuple[Family, ...]:
    """Return the families of all publications, in the order of the modules' names."""
    return tuple(family for listed in families_by_module().values() for family in listed)


def make_paper_agent(name: str, seed: int | None = None) -> PaperAgent:
    """Return the paper's agent called ``name``; equal seeds play equal games.

    Raises UsageError for an unknown family, a depth outside 1..42, or an option that the family does not have.
    """
    head, *texts = name.split(",")
    family_name, colon, depth_text = head.partition(":")
    family = next((family for family in families() if family.name == family_name), None)
    if family is None:
        names = ", ".join(family.name for family in families())
        raise UsageError(f"The laboratory has no agent {name!r}.", f"It has: {names}.")
    depth = family.default_depth
    if colon:
        depth = int(depth_text) if depth_text.isascii() and depth_text.isdigit() else 0
    if depth is None or depth not in PAPER_DEPTHS:
        hint = f"Write {family_name}:5, for instance."
        raise UsageError(f"{name!r} needs a depth from 1 to {PAPER_DEPTHS[-1]}.", hint)
    return family.make(name, depth, seed, **family.settings(name, texts))
