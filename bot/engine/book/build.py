"""Building the opening book: every position of its deepest ply is solved once, in pieces; a killed build resumes.

Finished pieces are appended to a text file beside the output, one "key score" a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bot.engine.book.lookup import Book, board_of_key, complete, unfinished_layers
from bot.engine.processes import Pool
from bot.files import LineFile

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
    heading = f"bot book build --plies {plies}"
    with LineFile(out.with_name(out.name + f".ply{plies}"), beginning=f"{heading}\n") as pieces:
        found_before = pieces.lines()
        if not found_before:
            pieces.append(heading)
        known = {int(key): int(score) for key, score in map(bytes.split, found_before[1:])}
        todo = [key for key in layer if key not in known]
        tasks = (todo[start : start + PIECE] for start in range(0, len(todo), PIECE))
        report(len(known), len(layer))
        with Pool(workers) as pool:
            for found in pool.results(solve_piece, tasks):
                for key, score in found.items():
                    pieces.append(f"{key} {score}")
                known.update(found)
                report(len(known), len(layer))
    book = complete(known, plies)
    out.write_bytes(book.to_bytes())
    return book
