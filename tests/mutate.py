"""Mutation check: change one thing in the code, and see whether a test fails.

    python -m tests.mutate [--sample 120] [--seed 1] [FILES ...]

Mutates comparisons, arithmetic, boolean operators, constants, conditions, returned values, and keyword arguments of
``replace``. Prints every survivor and the share of mutants that the tests kill. Default files: all of
bot/course/session and bot/course/journal/writer.py. Nothing is written to the project: each mutant is the source of one
module in a forked process, so this needs an operating system with fork.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.util
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import hypothesis  # noqa: F401 - imported once, before the forks
import pytest

ROOT = Path(__file__).parents[1]
STEPS = ["refusals", "conflicts", "statistics", "unreadable", "failures", "first_contact", "transitions"]
TESTS = {
    "answers": [["answers"], STEPS],
    "belief": [["belief"], STEPS],
    "clock": [["clock"], STEPS],
    "events": [["fold"], STEPS],
    "fold": [["fold"]],
    "machine": [["transitions", "failures", "table"], ["first_contact", "unreadable", "openings"], STEPS[:3], ["fold"]],
    "policy": [["policy"]],
    "position": [["position"], STEPS],
    "replies": [["refusals", "conflicts"], ["lost_replies"], STEPS[2:]],
    "state": [["statistics", "transitions", "openings"], STEPS],
    "statistics": [["statistics"], ["first_contact"], STEPS],
    "writer": [["writer"], ["reader", "damage"]],
}
"""The tests for each module, in the order in which they are run until one fails."""
LIMIT_S = 300
"""Time for the tests of one mutant, seconds; a mutant that hangs counts as killed."""
_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Div, ast.Div: ast.Mult, ast.And: ast.Or, ast.Or: ast.And, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip

Change = Callable[[ast.AST], None]


@dataclass(frozen=True)
class Mutant:
    """One change of a module."""

    path: Path
    tree: ast.Module
    """The module as it is; `changed` leaves it alone."""
    node: int
    """Which node of the tree changes, in the order of `ast.walk`."""
    change: Change
    text: str

    def changed(self) -> ast.Module:
        """Return the changed module."""
        tree = copy.deepcopy(self.tree)
        self.change(list(ast.walk(tree))[self.node])
        return tree


def mutants(path: Path, tree: ast.Module) -> Iterator[Mutant]:
    """Yield the changes of a module."""
    fixed = _declarations(tree)
    for index, node in enumerate(ast.walk(tree)):
        for change in () if node in fixed else _changes(node):
            changed = copy.deepcopy(node)
            change(changed)
            text = f"line {getattr(node, 'lineno', 0)}: {_text(node)!r} -> {_text(changed)!r}"
            yield Mutant(path, tree, index, change, text)


def _declarations(tree: ast.Module) -> set[ast.AST]:
    """Return the nodes of annotations and decorators, which decide nothing at run time."""
    roots: list[ast.AST | None] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            roots += node.decorator_list
        if isinstance(node, ast.FunctionDef):
            roots.append(node.returns)
        if isinstance(node, (ast.arg, ast.AnnAssign)):
            roots.append(node.annotation)
    return {child for root in roots if root is not None for child in ast.walk(root)}


def _text(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:70]


def _changes(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPS:
        yield lambda target: target.ops.__setitem__(0, _SWAPS[type(target.ops[0])]())  # type: ignore[attr-defined]
    elif isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in _SWAPS:
        yield lambda target: setattr(target, "op", _SWAPS[type(target.op)]())  # type: ignore[attr-defined]
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield lambda target: setattr(target, "value", not target.value)  # type: ignore[attr-defined]
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        yield lambda target: setattr(target, "value", target.value + 1)  # type: ignore[attr-defined]
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield lambda target: setattr(target, "test", ast.UnaryOp(ast.Not(), target.test))  # type: ignore[attr-defined]
    elif isinstance(node, ast.Return) and ast.unparse(node) not in ("return", "return None"):
        yield lambda target: setattr(target, "value", ast.Constant(None))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "replace":
        for place in range(len(node.keywords)):
            yield lambda target, place=place: target.keywords.pop(place)  # type: ignore[misc]


class _Importer(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from a changed tree."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self._name, self._path, self._tree = name, path, tree

    def find_spec(self, fullname: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder`."""
        if fullname != self._name:
            return None
        return importlib.util.spec_from_file_location(fullname, self._path, loader=self)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:  # noqa: ARG002
        """Leave it to the import system."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed code."""
        exec(compile(ast.fix_missing_locations(self._tree), str(self._path), "exec"), module.__dict__)


def killed(path: Path, tree_of: Callable[[], ast.Module]) -> bool:
    """Return whether a test fails with another tree in place of the module at ``path``, in a process of its own."""
    child = os.fork()
    if child == 0:
        signal.alarm(LIMIT_S)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        sys.meta_path.insert(0, _Importer(".".join(path.with_suffix("").parts), path, tree_of()))
        code = 1
        try:
            code = int(any(_fails("/".join(path.parts[1:-1]), stems) for stems in TESTS[path.stem]))
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return status != 0


def _fails(room: str, stems: Sequence[str]) -> bool:
    """Return whether one of these test files of a room fails."""
    options = ["-o", "addopts=--import-mode=importlib", "-x", "-q", "-m", "not slow", "-p", "no:cacheprovider"]
    return pytest.main([*options, "--tb=no", *(f"tests/{room}/test_{stem}.py" for stem in stems)]) != 0


def check(candidates: Sequence[Mutant], total: int) -> tuple[int, int]:
    """Try the mutants, print the survivors and the progress; return how many were killed, of how many."""
    dead = 0
    for tried, mutant in enumerate(candidates, start=1):
        if killed(mutant.path, mutant.changed):
            dead += 1
        else:
            print(f"survived: {mutant.path}, {mutant.text}", flush=True)
        if tried % 20 == 0:
            print(f"{dead} of {tried} killed ({total} mutants in all)", flush=True)
    return dead, len(candidates)


def main() -> None:
    """Run the check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--sample", type=int, default=0, help="mutants to try, drawn at random; default: all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.chdir(ROOT)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # loading all plugins takes longer than the tests of one mutant
    session = (path for path in sorted(Path("bot/course/session").glob("*.py")) if path.stem in TESTS)
    files = options.files or [*session, Path("bot/course/journal/writer.py")]
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}
    candidates = [mutant for path, tree in trees.items() for mutant in mutants(path, tree)]
    total = len(candidates)
    if options.sample:
        candidates = random.Random(options.seed).sample(candidates, min(options.sample, total))
    for path in sorted({mutant.path for mutant in candidates}):
        if killed(path, partial(trees.__getitem__, path)):
            sys.exit(f"The tests of {path} fail without any change.")
    dead, tried = check(candidates, total)
    print(f"{dead} of {tried} killed, {dead / max(tried, 1):.1%}; {total} mutants in all")


if __name__ == "__main__":
    main()
