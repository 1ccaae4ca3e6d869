"""Fingerprints of the sources that decide a result: what its modules import, no more and no less.

A saved result is used again only while the sources behind it are unchanged. Which modules count follows from the import
statements in the files, those inside functions included. Imports for type checkers decide nothing and are left out, and
a package's own file counts only where something is imported from it: that a parent package is loaded changes no result.

Agents are loaded by name, without an import statement (`bot.agents.catalogue`, `bot.agents.family`); otherwise every
agent would depend on every other. Who saves a result adds the modules of its agents (`agent_modules`).
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from bot.agents.family import PACKAGE as PAPERS
from bot.agents.family import own_folder

PACKAGE = Path(__file__).parents[1]


@cache
def fingerprint(modules: tuple[str, ...]) -> str:
    """Return 16 hex digits that change with the sources of ``modules`` and of all that they import, even by a comment.

    Sources are as they were when the process first asked.
    """
    return fingerprint_in(texts(), modules)


def fingerprint_in(known: Mapping[str, str], modules: Iterable[str]) -> str:
    """Return the fingerprint of ``modules`` where ``known`` has the text of each module by its name."""
    named = "".join(f"{name}\0{known[name]}\0" for name in sorted(closure(modules, known)))
    return hashlib.sha256(named.encode()).hexdigest()[:16]


@cache
def texts() -> dict[str, str]:
    """Return the text of each module of the package and of the folder of publications, by the module's full name."""
    package = {path: path.relative_to(PACKAGE.parent).with_suffix("").parts for path in PACKAGE.rglob("*.py")}
    found = {".".join(parts).removesuffix(".__init__"): path for path, parts in package.items()}
    for folder in own_folder():
        parts = {path: path.relative_to(folder).with_suffix("").parts for path in folder.rglob("*.py")}
        found |= {".".join((PAPERS, *names)): path for path, names in parts.items()}
    return {name: path.read_text(encoding="utf-8") for name, path in found.items()}


def closure(modules: Iterable[str], known: Mapping[str, str]) -> set[str]:
    """Return ``modules`` and all modules among ``known`` that they import, directly or not."""
    found = set[str]()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += imports(known[name]) & known.keys()
    return found


@cache
def imports(text: str) -> frozenset[str]:
    """Return the names that a module's import statements may load: modules, and what is imported from them."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body.clear()
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names]
            found |= {node.module, *(f"{node.module}.{name}" for name in names)} if node.module else set(names)
    return frozenset(found)
