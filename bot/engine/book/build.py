"""Building the opening book: every position of its deepest ply is solved once, in pieces; a killed build resumes.

Finished pieces are appended to a text file beside the output, one "key score" a line, each with fsync.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from bot.engine.book.lookup import Book, board_of_key, complete, unfinished_layers
from bot.engine.processes import in_processes
from bot.errors import UsageError

PIECE = 64
"""Positions in a task, which are the most that a kill can lose in one process."""

Report = Callable[[int, int], None]
"""Called after every piece with the number of solved positions and of all positions."""


def solve_piece(keys: Sequence[int]) -> Iterator[dict[int, int]]:
    """Yield the exact scores of these book keys, all at once.

    They share one table, because positions with close keys lead to the same later positions.
    """
    from bot.engine.solver import Solver

    solver = Solver()
    scores: dict[int, int] = {}
    guess = 0
    for key in keys:
        guess = scores[key] = solver.solve(board_of_key(key), guess=guess, keep=bool(scores)).lower
    yield scores


def build(plies: int, out: Path, workers: int, report: Report) -> Book:
    """Build the book down to ``plies``, write it to ``out`` and return it; resume an earlier build where it stopped.

    Raises UsageError when the pieces beside ``out`` belong to another book.
    """
    layer = list(unfinished_layers(plies))[plies]
    pieces = out.with_name(out.name + f".ply{plies}")
    known = read_pieces(pieces, layer)
    todo = [key for key in layer if key not in known]
    tasks = (todo[start : start + PIECE] for start in range(0, len(todo), PIECE))
    report(len(known), len(layer))
    with closing(in_processes(solve_piece, tasks, workers)) as solved, pieces.open("a") as sink:
        for found in solved:
            sink.writelines(f"{key} {score}\n" for key, score in found.items())
            sink.flush()
            os.fsync(sink.fileno())
            known.update(found)
            report(len(known), len(layer))
    book = complete(known, plies)
    out.write_bytes(book.to_bytes())
    return book


def read_pieces(path: Path, layer: Sequence[int]) -> dict[int, int]:
    """Return the scores by key of an earlier build; an incomplete last line is removed, in the file too."""
    if not path.exists():
        return {}
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    known = {}
    try:
        for line in whole.split(b"\n")[:-1]:
            key, _, score = line.partition(b" ")
            known[int(key)] = int(score)
        int(content[len(whole) :].partition(b" ")[0] or b"0")  # of a torn line
    except ValueError:
        raise UsageError(f"{path} holds no pieces of a book.", "Move it away, or choose another --out.") from None
    if not known.keys() <= set(layer):
        raise UsageError(f"{path} contains positions of another book.", "Move it away, or choose another --out.")
    if whole != content:
        path.write_bytes(whole)
    return known
