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
import re
import shutil
import uuid
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from bot.agents.budgeted import split_budget
from bot.agents.catalogue import agent_modules, is_external
from bot.agents.external.names import COMMAND, command_of, file_of, installed_agents
from bot.agents.family import own_folder

_PACKAGE = Path(__file__).parents[1]


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
    return _digest(files)[:8]


@cache
def fingerprint(modules: tuple[str, ...]) -> str:
    """Return 16 hex digits that change with the sources of ``modules`` and of all that they import, even by a comment.

    Sources are as they were when the process first asked.
    """
    bases = (_PACKAGE, _PACKAGE / "papers", *own_folder())
    starts = [file for module in modules for file in _module_files(module, bases)]
    return _digest(_with_imports(starts, *bases))


def _digest(files: Iterable[Path]) -> str:
    """Return 16 hex digits of the names and the content of these files."""
    content = hashlib.sha256()
    for path in sorted(files):
        content.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
    return content.hexdigest()[:16]


def own_files(name: str) -> set[Path]:
    """Return the files that decide the moves of an agent from outside; empty where they do not say all."""
    base = split_budget(name)[0]
    if base.startswith(COMMAND):
        return _files_of_command(command_of(base))
    file = file_of(base)
    if file is not None:
        return _with_imports([file.resolve()], file.resolve().parent)
    module = installed_agents()[base.partition(",")[0]].partition(":")[0]
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        return set()
    path = Path(found.origin)
    folders = module.count(".") + (path.name == "__init__.py")
    return _with_imports([path], path.parents[folders])


def _files_of_command(words: Iterable[str]) -> set[Path]:
    program, *arguments = words
    if _is_shell_script(Path(program)):
        return set()
    files: set[Path] = set()
    for path in map(Path.resolve, filter(Path.is_file, map(Path, arguments))):
        files |= _with_imports([path], path.parent)
    is_interpreter = shutil.which(Path(program).name) == program
    return files if is_interpreter else {*files, Path(program).resolve()}


def _is_shell_script(path: Path) -> bool:
    with path.open("rb") as file:
        first = file.readline(200)
    return first.startswith(b"#!") and first.split(b"/")[-1].strip().endswith(b"sh")


def _with_imports(starts: Iterable[Path], *bases: Path) -> set[Path]:
    """Return these files, and the modules in the folders ``bases`` and below that they import, directly or not."""
    found = set[Path]()
    waiting = [*starts]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        folders = {folder for folder in path.parents if any(map(folder.is_relative_to, bases))}
        with suppress(SyntaxError, ValueError):  # what cannot be parsed imports nothing
            for name in _imports(path.read_bytes()):
                waiting += _module_files(name, folders.union(bases))
    return found


@cache
def _imports(source: bytes) -> frozenset[str]:
    """Return the names that a module's import statements may load: modules, and what is imported from them."""
    found = set[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = [node.module] if node.module else []
            found |= {*package, *(".".join([*package, alias.name]) for alias in node.names)}
    return frozenset(found)


def _module_files(name: str, folders: Iterable[Path]) -> list[Path]:
    """Return the files of a module, and of the packages that it is in, where they lie in these folders.

    Those of this package are looked for in its own folder, and publications in any folder of publications.
    """
    parts = re.sub(r"^bot\.(papers\.)?", "", name).split(".")
    found = []
    for folder in folders:
        for length in range(1, len(parts) + 1):
            place = folder.joinpath(*parts[:length])
            found += [place.with_name(f"{place.name}.py"), place / "__init__.py"]
    return [path for path in found if path.is_file()]


@cache
def _unknown(name: str) -> str:  # noqa: ARG001  # one version for each agent and process
    return uuid.uuid4().hex[:8]
