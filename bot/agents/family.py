"""The publications' agents by name, such as ``kang-h1:4,features=1+2``: family, depth, options.

A publication is one module with the tuple ``FAMILIES``, in `bot.agents.papers` or in the folder that the environment
variable BOT_PAPERS names. Nothing else lists it.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bot.errors import UsageError

if TYPE_CHECKING:
    from bot.agents.paper import PaperAgent

PAPER_DEPTHS = range(1, 43)
"""Depths that the publications' agents accept, in plies."""
PAPERS = Path(__file__).parent / "papers"
"""Folder of the package's publications."""
FOLDER = "BOT_PAPERS"
"""Environment variable that names a folder with further publications.

A publication is NAME.py, its program; NAME_study.py, its study, which the laboratory loads; and test_NAME.py or
test_NAME_*.py, its tests.
"""


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


def paper_files() -> dict[str, Path]:
    """Return the modules of all publications by name: the package's, then those in the folder of BOT_PAPERS."""
    found = {path.stem: path for path in sorted(PAPERS.glob("[!_]*.py"))}
    for path in own_files("*.py"):
        if path.stem.startswith("test_") or path.stem.endswith("_study"):
            continue
        if path.stem in found:
            raise UsageError(f"There are two publications called {path.stem}.", f"Rename {path}.")
        found[path.stem] = path
    return found


def own_files(pattern: str) -> list[Path]:
    """Return the files of ``pattern`` in the folder that BOT_PAPERS names. Raises UsageError where that is none."""
    folder = os.environ.get(FOLDER)
    if folder and not Path(folder).is_dir():
        raise UsageError(f"{folder}, which {FOLDER} names, is not a folder.", f"Correct or unset {FOLDER}.")
    return sorted(Path(folder).glob(pattern)) if folder else []


@cache
def families_by_module() -> dict[str, tuple[Family, ...]]:
    """Return the families of all publications by the full name of their module, in the order of the modules' names."""
    found: dict[str, tuple[Family, ...]] = {}
    names = set[str]()
    for path in paper_files().values():
        module = _module(path)
        listed: Any = getattr(module, "FAMILIES", None)
        if not isinstance(listed, tuple):
            raise UsageError(f"{path} has no tuple FAMILIES.", "Name its agents there, or move it to another folder.")
        for family in listed:
            if family.name in names:
                raise UsageError(f"{path}: there is another agent {family.name!r}.", "Give it another name.")
            names.add(family.name)
        found[module.__name__] = listed
    return found


def families() -> tuple[Family, ...]:
    """Return the families of all publications, in the order of the modules' names."""
    return tuple(family for listed in families_by_module().values() for family in listed)


def _module(path: Path) -> ModuleType:
    if path.parent == PAPERS:
        return importlib.import_module(f"bot.agents.papers.{path.stem}")
    name = f"bot_paper_{path.stem}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # numba looks its kernels up there
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del sys.modules[name]
            raise UsageError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from None
    return sys.modules[name]


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
