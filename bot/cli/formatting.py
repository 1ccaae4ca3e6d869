"""Numbers, durations and columns as the commands print them: rounded, with units, columns from 1 to 7."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import IO, Any

import typer

from bot.errors import printable
from bot.game.board import ROWS
from bot.game.notation import column_letter


def duration(seconds: float) -> str:
    """Return a duration with a precision that people read: "0.3 ms", "45 ms", "2.41 s", "3 min 20 s"."""
    if seconds < 0.000_001:
        return "under 1 µs"
    if seconds < 0.0001:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 0.01:
        return f"{seconds * 1000:.1f} ms"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 100:
        return f"{seconds:.2f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def elapsed(seconds: float) -> str:
    """Return the time that something has taken so far, in whole seconds."""
    return f"{seconds:.0f} s" if seconds < 100 else f"{int(seconds) // 60} min {int(seconds) % 60:02} s"


def echo(text: object = "", *, nl: bool = True, err: bool = False, hang: int = 2) -> None:
    """Print text, fitted to a terminal; see `fitted` for ``hang``."""
    stream = sys.stderr if err else sys.stdout
    typer.echo(fitted(str(text), stream, hang), nl=nl, err=err)


def fitted(text: str, stream: IO[str], hang: int = 2) -> str:
    """Return printable text for ``stream``.

    In a terminal, a line that is too long is broken at blanks, not inside a word. ``hang`` is the further indentation,
    characters, of what follows a break.
    """
    lines = [printable(line) for line in text.split("\n")]
    if stream.isatty():
        width = shutil.get_terminal_size().columns
        lines = [_broken(line, width, hang) for line in lines]
    return "\n".join(lines)


def _broken(line: str, width: int, hang: int) -> str:
    """Return one line, broken if it is longer than ``width``."""
    if len(line) <= width:
        return line
    words = line.lstrip()
    indent = " " * (len(line) - len(words))
    later = indent + " " * hang
    return textwrap.TextWrapper(width, indent, later, break_long_words=False, break_on_hyphens=False).fill(words)


def print_json(value: Any) -> None:
    """Print what --json asks for, on one line of standard output."""
    typer.echo(json.dumps(value))


def print_table(rows: Sequence[Sequence[object]]) -> None:
    """Print rows of cells, the first column aligned left, the others right."""
    texts = [list(map(str, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for row in texts:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        cells[0] = row[0].ljust(widths[0])
        typer.echo(printable("  ".join(cells).rstrip()))


_COLUMNS = {"column", "answer", "best", "line", "better", "solution", "forced", "danger", "losing", "right"}
_CELLS = {"cell", "cells", "pairs"}


def numbered(value: Any, key: str = "") -> Any:
    """Return an object for --json with columns 1..7 in place of 0..6, and cells as "d1" in place of numbers.

    ``value`` is what `dataclasses.asdict` makes of puzzles, lessons, positions and explanations; ``key`` is the field
    that holds it.
    """
    if isinstance(value, dict):
        return {name: numbered(each, name) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [numbered(each, key) for each in value]
    if isinstance(value, int) and key in _COLUMNS:
        return value + 1
    if isinstance(value, int) and key in _CELLS:
        return f"{column_letter(value // ROWS)}{value % ROWS + 1}"
    return value
