"""Mutation check: change one thing in the code, and see whether a test fails.

    python -m tests.mutate --sample 120 --seed 1 [--out FILE] [FILES ...]

Copies the project to a temporary folder and mutates it there: comparisons, arithmetic, boolean operators, constants,
conditions, returned values and keyword arguments of calls. Prints the share of mutants that the tests kill, and every
survivor. Default files: all of bot/session and bot/journal/writer.py.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = {
    "session": ["tests/session", "tests/match/test_departed.py", "tests/match/test_resume_schema1.py"],
    "journal": ["tests/journal"],
}
"""Tests that a room's mutants must fail."""
SKIPPED = [
    "tests/session/test_strangers.py",
    "tests/session/test_strangers_restart.py",
    "tests/session/test_properties.py",
]
_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Div, ast.Div: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


def mutants(tree: ast.Module) -> Iterator[tuple[ast.Module, str]]:
    """Yield changed copies of ``tree``, each with a description."""
    for index, node in enumerate(ast.walk(tree)):
        for change in _changes(node):
            mutated = copy.deepcopy(tree)
            target = list(ast.walk(mutated))[index]
            change(target)
            line = getattr(node, "lineno", 0)
            yield mutated, f"line {line}: {ast.unparse(node)[:60]!r} -> {ast.unparse(target)[:60]!r}"


def _changes(node: ast.AST) -> Iterator[object]:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPS:
        yield lambda target: target.ops.__setitem__(0, _SWAPS[type(target.ops[0])]())
    elif isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in _SWAPS:
        yield lambda target: setattr(target, "op", _SWAPS[type(target.op)]())
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield lambda target: setattr(target, "value", not target.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        yield lambda target: setattr(target, "value", target.value + 1)
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield lambda target: setattr(target, "test", ast.UnaryOp(ast.Not(), target.test))
    elif isinstance(node, ast.Return) and node.value is not None:
        yield lambda target: setattr(target, "value", ast.Constant(None))
    elif isinstance(node, ast.Call) and node.keywords and isinstance(node.func, ast.Name) and node.func.id == "replace":
        for place in range(len(node.keywords)):
            yield lambda target, place=place: target.keywords.pop(place)


def killed(folder: Path, path: Path, source: str) -> bool:
    """Return whether a test fails with ``source`` in place of ``path``."""
    file = folder / path
    original = file.read_text(encoding="utf-8")
    file.write_text(source, encoding="utf-8")
    ignored = [f"--ignore={name}" for name in SKIPPED]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        *TESTS[path.parts[1]],
        *ignored,
    ]
    try:
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=300, check=False)
        return done.returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        file.write_text(original, encoding="utf-8")


def main() -> None:
    """Run the check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--sample", type=int, default=100, help="mutants to try, drawn at random; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    files = options.files or [
        *sorted(path.relative_to(ROOT) for path in (ROOT / "bot/session").glob("*.py")),
        Path("bot/journal/writer.py"),
    ]
    candidates = [
        (path, mutated, text)
        for path in files
        for mutated, text in mutants(ast.parse((ROOT / path).read_text(encoding="utf-8")))
    ]
    total = len(candidates)
    random.Random(options.seed).shuffle(candidates)
    tried = dead = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "project"
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", "logs", ".venv", "*_cache", "__pycache__"))
        if killed(folder, files[0], (ROOT / files[0]).read_text(encoding="utf-8")):
            sys.exit("The tests fail without any change.")
        for path, mutated, text in candidates[: options.sample or total]:
            tried += 1
            is_dead = killed(folder, path, ast.unparse(mutated))
            dead += is_dead
            if not is_dead:
                print(f"survived: {path}, {text}", flush=True)
            if tried % 10 == 0:
                print(f"{dead} of {tried} killed ({total} mutants in all)", flush=True)
    print(f"{dead} of {tried} killed, {dead / tried:.0%}; {total} mutants in all")


if __name__ == "__main__":
    main()
