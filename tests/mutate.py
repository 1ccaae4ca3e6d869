"""Mutation check: change one thing in the code of a room, and see whether a test of the room fails.

    python -m tests.mutate bot/course/session.py [bot/course/journal ...] [--sample 100] [--seed 1]

Changes comparisons, arithmetic, boolean operators, constants, conditions, returned values, and keyword arguments of
``replace``. Prints every change that no test finds, and the share of those that a test does. The tests of a module are
those of the folder of `tests/` that corresponds to it, or to the nearest folder above it, and the specification of its
room. Nothing is written to the project: tests run in a copy of it.

Three known tools were tried. mutmut 3.8 changes no decorated function, so no kernel and no property, and nothing
outside functions; cosmic-ray 8.7 writes into the checkout, draws no sample, and a fifth of its changes are in
annotations, where no test can find them; mutatest 3.1 does not run on Python 3.11.
"""

from __future__ import annotations

import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

ROOT = Path(__file__).parents[1]
UNCHANGED = -1
LIMIT_S = 1800
"""Time after which tests have found a change that keeps them busy, seconds."""
PYTEST = (sys.executable, "-m", "pytest", "-o", "addopts=--import-mode=importlib", "-x", "-q", "-m", "not slow")
DECLARATIONS = ("annotation", "decorator_list", "returns")
"""Fields of a node that decide nothing at run time."""
_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.Eq: ast.NotEq, ast.Is: ast.IsNot, ast.In: ast.NotIn, ast.Add: ast.Sub,
    ast.Mult: ast.Div, ast.And: ast.Or, ast.BitAnd: ast.BitOr, ast.LShift: ast.RShift,
}  # fmt: skip
SWAPS = _SWAPPED | {other: one for one, other in _SWAPPED.items()}

Change = tuple[Any, str, Any]
"""A node, one of its fields, and the field's new value."""


def changes(node: ast.AST) -> Iterator[Change]:
    """Yield the changes of a node and of all below it."""
    match node:
        case ast.Compare(ops=[first, *others]) if type(first) in SWAPS:
            yield node, "ops", [SWAPS[type(first)](), *others]
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in SWAPS:
            yield node, "op", SWAPS[type(op)]()
        case ast.Constant(value=bool(value)):
            yield node, "value", not value
        case ast.Constant(value=int(value) | float(value)):
            yield node, "value", value + 1
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield node, "test", ast.UnaryOp(ast.Not(), test)
        case ast.Return(value=ast.expr()) if ast.unparse(node) != "return None":
            yield node, "value", ast.Constant(None)
        case ast.Call(func=ast.Name(id="replace"), keywords=keywords):
            for left_out in keywords:
                yield node, "keywords", [keyword for keyword in keywords if keyword is not left_out]
    for name in node._fields:
        if name not in DECLARATIONS:
            yield from _below(getattr(node, name, None))


def _below(value: Any) -> Iterator[Change]:
    for node in value if isinstance(value, list) else [value]:
        if isinstance(node, ast.AST):
            yield from changes(node)


def planted(path: Path, number: int) -> str:
    """Make the change of this number in a module of the copy, and return the change in words."""
    tree, words = ast.parse((ROOT / path).read_text(encoding="utf-8")), ""
    if number != UNCHANGED:
        node, field, value = list(changes(tree))[number]
        before = _words(node)
        setattr(node, field, value)
        words = f"line {node.lineno}: {before!r} -> {_words(node)!r}"
    path.write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")
    return words


def _words(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:70]


def tests_of(path: Path) -> list[str]:
    """Return the tests of a module."""
    like = Path("tests", *path.with_suffix("").parts[1:])
    folder = next(folder for folder in (like, *like.parents) if folder.is_dir())
    return [str(folder), *map(str, Path("tests", path.parts[1]).glob("test_specification.py"))]


def is_found(path: Path) -> bool:
    """Return whether a test fails in the copy, which is the current folder."""
    here = {"PYTHONPATH": str(Path.cwd()), "PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": str(Path.cwd())}
    here["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # loading plugins takes longer than many tests
    try:
        done = subprocess.run(
            [*PYTEST, *tests_of(path)], env=os.environ | here, capture_output=True, timeout=LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main(paths: list[Path], sample: int = 0, seed: int = 1) -> None:
    """Try changes of modules, or of folders of modules: a sample of them drawn at random, 0 for all."""
    os.chdir(ROOT)
    files = [file for path in paths for file in ([path] if path.is_file() else sorted(path.glob("*.py")))]
    every = [(path, number) for path in files for number, _ in enumerate(changes(ast.parse(path.read_text("utf-8"))))]
    tried = random.Random(seed).sample(every, min(sample or len(every), len(every)))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*"), dirs_exist_ok=True))
        for room in {path.parent: path for path, _ in tried}.values():
            planted(room, UNCHANGED)
            if is_found(room):
                sys.exit(f"The tests of {room} fail without any change.")
        found = 0
        for count, (path, number) in enumerate(tried, start=1):
            words = planted(path, number)
            is_survivor = not is_found(path)
            found += not is_survivor
            planted(path, UNCHANGED)
            if is_survivor:
                print(f"survived: {path}, {words}", flush=True)
            if is_survivor or count == len(tried):
                print(f"{found} of {count} found, {found / count:.1%}; {len(every)} changes in all", flush=True)
        os.chdir(ROOT)


if __name__ == "__main__":
    typer.run(main)
