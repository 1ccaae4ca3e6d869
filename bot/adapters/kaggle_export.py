"""Write Kaggle's ConnectX submission: `kaggle_submission.py` as one file, with the engine's search and book in it."""

from __future__ import annotations

import ast
import base64
import inspect
import zlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from bot import __version__
from bot.errors import UsageError

MOST_BYTES = 1_000_000
"""Largest file that is written, bytes: small enough for every way of submitting."""


def submission() -> str:
    """Return the whole file: its functions and constants are those of the engine, taken from their sources."""
    import numpy as np

    from bot.adapters import kaggle_submission
    from bot.engine.jit import bits, scalar
    from bot.engine.perfect import shipped_book

    book = shipped_book()
    if book is None:
        raise UsageError("The package has no opening book.", "Install it again.")
    differences = np.diff(book.keys, prepend=0).astype("<i8")
    content = differences.tobytes() + book.scores.tobytes()
    replaced: dict[Any, Any] = {
        bits.popcount: kaggle_submission.popcount_in_python,
        bits.winning_cells: scalar.winning_cells,  # the same on one direction after another: no vector registers
    }
    collected = _Collector(replaced)
    for name, found in _imported(kaggle_submission).items():
        collected.add(name, found)
    text = _without_imports(inspect.getsource(kaggle_submission), collected.text())
    values = {
        'BOOK = ""': f'BOOK = "{base64.b85encode(zlib.compress(content, 9)).decode()}"',
        "BOOK_POSITIONS = 0": f"BOOK_POSITIONS = {len(book.keys)}",
        "KERNELS: tuple[str, ...] = ()": f"KERNELS = {tuple(collected.functions)!r}",
    }
    for old, new in values.items():
        assert text.count(old + "\n") == 1, old
        text = text.replace(old + "\n", new + "\n")
    return f"# Written by `bot export kaggle` of bot-connect-four {__version__} (MIT license).\n{text}"


def write_submission(out: Path) -> int:
    """Write the file and return its size in bytes. Raises UsageError where it cannot be written."""
    content = submission().encode("ascii")
    assert len(content) <= MOST_BYTES
    try:
        out.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}.", "Choose another file with --out.") from None
    return len(content)


class _Collector:
    """Collects functions and constants with everything that they use, in an order in which they can be defined."""

    def __init__(self, replaced: dict[Any, Any]) -> None:
        self._replaced = replaced
        self.constants: dict[str, Any] = {}
        self.functions: dict[str, str] = {}
        """Sources by name."""

    def add(self, name: str, value: Any) -> None:
        """Add what ``name`` stands for; modules such as numpy are imported by the file itself."""
        if isinstance(value, ModuleType) or name in self.functions:
            return
        if not callable(value):
            self.constants[name] = value
            return
        value = self._replaced.get(value, value)
        function: Callable[..., Any] = getattr(value, "py_func", value)
        self.functions[name] = ""  # first, because functions call themselves
        for used in _names_in(function):
            if used in function.__globals__:
                self.add(used, function.__globals__[used])
        self.functions[name] = _source_of(function, name)

    def text(self) -> str:
        """Return the definitions."""
        constants = [f"{name} = {value!r}" for name, value in self.constants.items()]
        return "\n".join(constants) + "\n\n\n" + "\n\n\n".join(self.functions.values()) + "\n"


def _names_in(function: Callable[..., Any]) -> list[str]:
    """Return the global names that a function uses."""
    return list(function.__code__.co_names)


def _source_of(function: Callable[..., Any], name: str) -> str:
    """Return a function's source under ``name`` without decorators and annotations, which need types of the package."""
    tree = ast.parse(inspect.getsource(function))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    definition.name = name
    definition.returns = None
    for argument in definition.args.args:
        argument.annotation = None
    return ast.unparse(definition)


def _imported(module: ModuleType) -> dict[str, Any]:
    """Return what a module imports from this package, by name."""
    names: dict[str, Any] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if _is_ours(node):
            assert isinstance(node, ast.ImportFrom)
            names |= {alias.name: getattr(module, alias.name) for alias in node.names}
    return names


def _without_imports(source: str, instead: str) -> str:
    """Return a module's source with ``instead`` in place of its imports from this package."""
    lines = source.splitlines()
    ours = [node for node in ast.parse(source).body if _is_ours(node)]
    first, last = ours[0].lineno, ours[-1].end_lineno
    assert last is not None
    return "\n".join([*lines[: first - 1], instead, *lines[last:]]) + "\n"


def _is_ours(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bot.")
