"""Mutation check: change one thing in the code of a room, and see whether a test of the room fails.

    python -m tests.mutate bot/course/session [bot/course/journal/writer.py ...] [--sample 100] [--seed 1]

Mutates comparisons, arithmetic, boolean operators, constants, conditions, returned values, and keyword arguments of
``replace``. Prints every survivor and the share of mutants that the tests kill. A mutant's tests are those of the
folder of `tests/` that corresponds to the module's, or to the nearest one above it, and the specification of its room;
files named after the module run first.
Nothing is written to the project: each mutant is the source of one module in a forked process, so this needs an
operating system with fork. A kernel is compiled anew for each of its mutants.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

import hypothesis  # noqa: F401 - imported once, before the forks
import pytest

ROOT = Path(__file__).parents[1]
UNCHANGED_LIMIT_S = 1800
"""Processor time for the tests of a module without a change, seconds."""
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


def _import_changed(path: Path, tree: ast.Module) -> None:
    """Let this process import the module at ``path`` from a changed tree."""
    name, code_of = ".".join(path.with_suffix("").parts), SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, fullname: str) -> CodeType | None:
        if fullname == name:
            return compile(ast.fix_missing_locations(tree), str(path), "exec")
        return code_of(loader, fullname)

    setattr(SourceFileLoader, "get_code", get_code)  # noqa: B010 - a method cannot be assigned to, says mypy


def tests_of(path: Path) -> list[list[str]]:
    """Return the tests for a module, in the order in which they are run until one fails."""
    folders = [Path("tests", *path.parent.parts[1:]), *Path("tests", *path.parent.parts[1:]).parents]
    folder = next(folder for folder in folders if folder.is_dir())
    own = [str(file) for file in sorted(folder.glob("**/test_*.py")) if path.stem in file.stem]
    room = Path("tests", path.parts[1], "test_specification.py")
    every = [str(folder), *([str(room)] if room.exists() and folder != room.parent else [])]
    return [own, every] if own else [every]


def killed(path: Path, tree_of: Callable[[], ast.Module], limit_s: int = UNCHANGED_LIMIT_S) -> tuple[bool, float]:
    """Return whether a test fails with another tree in place of the module at ``path``, and the processor time.

    It runs in a process of its own. One that has used ``limit_s`` seconds of processor time, or does not end within ten
    times as long, counts as killed: other work on the machine kills no mutant.
    """
    with tempfile.TemporaryDirectory() as cache:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s))
                signal.alarm(10 * limit_s)
                null = os.open(os.devnull, os.O_RDWR)
                for stream in range(3):
                    os.dup2(null, stream)
                if "kernels" in path.parts:
                    os.environ["NUMBA_CACHE_DIR"] = cache  # what was compiled from the unchanged source is not used
                elif "@kernel" in path.read_text(encoding="utf-8"):
                    _forget_kernels_of(path, cache)
                _import_changed(path, tree_of())
                code = int(any(_fails(paths) for paths in tests_of(path)))
            finally:
                os._exit(code)
        _, status, usage = os.wait4(child, 0)
    return status != 0, usage.ru_utime + usage.ru_stime


def _forget_kernels_of(path: Path, cache: str) -> None:
    """Use a copy of the compiled kernels without those of one module, which others call through pointers only."""
    from bot.engine.jit import compiling

    if compiling.CACHE is not None:
        kept = shutil.ignore_patterns(f"{path.stem}.*")
        shutil.copytree(compiling.CACHE, cache, ignore=kept, dirs_exist_ok=True)
        compiling.numba.config.CACHE_DIR = cache  # type: ignore[attr-defined]


def _fails(paths: Sequence[str]) -> bool:
    """Return whether one of these tests fails."""
    options = ["-o", "addopts=--import-mode=importlib", "-x", "-q", "-m", "not slow", "-p", "no:cacheprovider"]
    return pytest.main([*options, "--tb=no", *paths]) != 0


def main() -> None:
    """Run the check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, help="modules, or folders of modules")
    parser.add_argument("--sample", type=int, default=0, help="mutants to try, drawn at random; default: all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.chdir(ROOT)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # loading all plugins takes longer than the tests of one mutant
    files = [file for path in options.paths for file in ([path] if path.is_file() else sorted(path.glob("*.py")))]
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}
    candidates = [mutant for path, tree in trees.items() for mutant in mutants(path, tree)]
    total = len(candidates)
    if options.sample:
        candidates = random.Random(options.seed).sample(candidates, min(options.sample, total))
    limits_s: dict[str, int] = {}
    for path, tree in trees.items():
        folder = tests_of(path)[-1][0]
        limits_s[folder] = limits_s.get(folder) or limit_of(path, tree)
    dead = 0
    for tried, mutant in enumerate(candidates, start=1):
        dies, _ = killed(mutant.path, mutant.changed, limits_s[tests_of(mutant.path)[-1][0]])
        if dies:
            dead += 1
        else:
            print(f"survived: {mutant.path}, {mutant.text}", flush=True)
        if tried % 20 == 0 or tried == len(candidates):
            print(f"{dead} of {tried} killed, {dead / tried:.1%}; {total} mutants in all", flush=True)


def limit_of(path: Path, tree: ast.Module) -> int:
    """Return the processor time for the tests of a mutant, seconds; exit if they fail without a change."""
    fails, used_s = killed(path, lambda: tree)
    if fails:
        sys.exit(f"The tests of {path} fail without any change.")
    return 60 + 3 * round(used_s)


if __name__ == "__main__":
    main()
