"""Versions: what decides a result, so that it is used again only while that is unchanged.

An agent of this package is known by the content of the rooms below and of its own room or publication. One from outside
is known by the content of its file and of the modules beside it that it imports; a program by its file, and by the
files among its arguments. Where the content does not say what runs, as with a shell script or an interpreter without a
file, no two runs have the same version.

Who saves a result adds the modules by which its agents are asked.
"""

from __future__ import annotations

import hashlib
import shutil
import uuid
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from modulefinder import ModuleFinder
from pathlib import Path

from bot.agents.catalogue import family_of, is_external
from bot.agents.external.names import command_of, file_of
from bot.agents.family import papers, split_budget

_PACKAGE = Path(__file__).parents[1]
_BELOW = ("game", "engine", "agents", "learn", "proof")
"""Rooms on which any result can depend."""


def sources_of(name: str, *modules: str) -> str:
    """Return what changes with the moves of an agent, and with ``modules``, by which it is asked."""
    return f"{fingerprint(modules)} {version_of(name)}"


def version_of(name: str) -> str:
    """Return eight characters that change with the content behind an agent; raise UsageError where there is none."""
    if not is_external(name):
        return fingerprint((family_of(name).module,))[:8]
    files = own_files(name)
    return _digest(files)[:8] if files else _unknown(name)


@cache
def fingerprint(modules: tuple[str, ...]) -> str:
    """Return 16 hex digits that change with the sources of the rooms of ``modules``, and of the rooms below.

    Of a publication it is its own folder and what all publications share. What a study or a page says of results is no
    source; everything else counts, even a comment. Sources are as they were when the process first asked.
    """
    known = papers()
    found = {path for room in _BELOW for path in (_PACKAGE / room).rglob("*.py")}
    for module in modules:
        _, room, name, *_ = module.split(".")
        found.update((_PACKAGE / room).glob("*.py"))
        found.update(known.get(name, _PACKAGE / room / name).rglob("*.py"))
    return _digest({path for path in found if path.name not in ("study.py", "page.py")})


def _digest(files: Iterable[Path]) -> str:
    """Return 16 hex digits of the names and the content of these files."""
    content = hashlib.sha256()
    for path in sorted(files):
        content.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return content.hexdigest()[:16]


def own_files(name: str) -> set[Path]:
    """Return the files that decide the moves of an agent from outside; empty where they do not say all."""
    base = split_budget(name)[0]
    file = file_of(base)
    return _files_of_command(command_of(base)) if file is None else _with_imports(file.resolve())


def _files_of_command(words: Iterable[str]) -> set[Path]:
    program, *arguments = words
    if _is_shell_script(Path(program)):
        return set()
    files: set[Path] = set()
    for path in map(Path.resolve, filter(Path.is_file, map(Path, arguments))):
        files |= _with_imports(path)
    is_interpreter = shutil.which(Path(program).name) == program
    return files if is_interpreter else {*files, Path(program).resolve()}


def _is_shell_script(path: Path) -> bool:
    with path.open("rb") as file:
        first = file.readline(200)
    return first.startswith(b"#!") and first.split(b"/")[-1].strip().endswith(b"sh")


def _with_imports(path: Path) -> set[Path]:
    """Return a file, and the modules beside it that it imports, directly or not."""
    finder = ModuleFinder([str(path.parent)])
    with suppress(SyntaxError, ValueError):  # what cannot be parsed imports nothing
        finder.run_script(str(path))
    files = [getattr(module, "__file__", None) for module in finder.modules.values()]
    return {path, *map(Path, filter(None, files))}


@cache
def _unknown(name: str) -> str:  # noqa: ARG001  # one version for each agent and process
    return uuid.uuid4().hex[:8]
