"""Versions: what decides a result, so that it is used again only while that is unchanged.

An agent of this package is known by the sources of its modules and of all that they import. One from outside is known
by the content of its file and of the modules beside it that it imports; a program by its file, and by the files among
its arguments. Where the content does not say what runs, as with a shell script or an interpreter without a file, no two
runs have the same version.

Agents are loaded by name, without an import statement (`bot.agents.catalogue`, `bot.agents.family`); otherwise every
agent would depend on every other. Who saves a result adds the modules of its agents (`agent_modules`).
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import shutil
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from modulefinder import AddPackagePath, ModuleFinder
from pathlib import Path

from bot.agents.budgeted import split_budget
from bot.agents.catalogue import agent_modules, is_external
from bot.agents.external.names import COMMAND, command_of, file_of, installed_agents
from bot.agents.family import PACKAGE as PAPERS
from bot.agents.family import own_folder

OwnFiles = dict[Path, Path]
"""The files behind an agent from outside, each with its place in a copy of all of them."""


def sources_of(name: str, *modules: str) -> str:
    """Return what changes with the moves of an agent, and with ``modules``, by which it is asked."""
    known = fingerprint((*modules, *agent_modules(name)))
    return f"{known} {version_of(name)}" if is_external(name) else known


def version_of(name: str) -> str:
    """Return eight characters that change with the content behind an agent; raise UsageError where there is none."""
    if not is_external(name):
        return fingerprint(agent_modules(name))[:8]
    files = own_files(name)
    if not files:
        return _unknown(name)
    return _digest({str(place): path for path, place in files.items()})[:8]


@cache
def fingerprint(modules: tuple[str, ...]) -> str:
    """Return 16 hex digits that change with the sources of ``modules`` and of all that they import, even by a comment.

    Sources are as they were when the process first asked. `bot.api` decides nothing: only type checkers import it.
    """
    for folder in own_folder():
        AddPackagePath(PAPERS, str(folder))
    finder = ModuleFinder([str(Path(__file__).parents[2])], excludes=["bot.api"])
    for module in modules:
        finder.import_hook(module)
    return _digest({name: Path(module.__file__) for name, module in finder.modules.items() if module.__file__})


def _digest(files: Mapping[str, Path]) -> str:
    """Return 16 hex digits of the content of these files and of their names."""
    content = hashlib.sha256()
    for name, path in sorted(files.items()):
        content.update(f"{name}\0".encode() + path.read_bytes() + b"\0")
    return content.hexdigest()[:16]


def own_files(name: str) -> OwnFiles:
    """Return the files that decide the moves of an agent from outside; empty where they do not say all."""
    base = split_budget(name)[0]
    if base.startswith(COMMAND):
        return _files_of_command(command_of(base))
    file = file_of(base)
    if file is not None:
        return _with_imports(file.resolve(), file.resolve().parent)
    module = installed_agents()[base.partition(",")[0]].partition(":")[0]
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        return {}
    path = Path(found.origin)
    folders = module.count(".") + (path.name == "__init__.py")
    return _with_imports(path, path.parents[folders])


def _files_of_command(words: Iterable[str]) -> OwnFiles:
    program, *arguments = words
    files: OwnFiles = {}
    for number, word in enumerate(arguments):
        path = Path(word)
        if path.is_file():
            own = _with_imports(path.resolve(), path.resolve().parent)
            files |= {each: Path(str(number), place) for each, place in own.items()}
    if _is_shell_script(Path(program)):
        return {}
    if shutil.which(Path(program).name) != program:  # no interpreter from the search path
        files[Path(program).resolve()] = Path(Path(program).name)
    return files


def _is_shell_script(path: Path) -> bool:
    with path.open("rb") as file:
        first = file.readline(200)
    return first.startswith(b"#!") and first.split(b"/")[-1].strip().endswith(b"sh")


def _with_imports(start: Path, base: Path) -> OwnFiles:
    """Return a file, and the modules in ``base`` and below that it imports, directly or not."""
    found: OwnFiles = {}
    waiting = [start]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found[path] = path.relative_to(base)
        folders = [folder for folder in path.parents if folder.is_relative_to(base)]
        with suppress(SyntaxError, ValueError):  # what cannot be parsed imports nothing
            for name in _imports(path.read_bytes()):
                waiting += _module_files(name, folders)
    return found


def _imports(source: bytes) -> Iterator[str]:
    """Yield the names that a module's import statements may load: modules, and what is imported from them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            package = [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            yield from package
            yield from (".".join([*package, alias.name]) for alias in node.names)


def _module_files(name: str, folders: Iterable[Path]) -> list[Path]:
    """Return the files of a module, and of the packages that it is in, where they lie in these folders."""
    parts = name.split(".")
    found = []
    for folder in folders:
        for length in range(1, len(parts) + 1):
            place = folder.joinpath(*parts[:length])
            found += [place.with_name(f"{place.name}.py"), place / "__init__.py"]
    return [path for path in found if path.is_file()]


@cache
def _unknown(name: str) -> str:  # noqa: ARG001  # one version for each agent and process
    return uuid.uuid4().hex[:8]
