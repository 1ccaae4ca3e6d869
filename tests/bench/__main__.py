"""The speed of the exact solver: python -m tests.bench (README.md in this folder)."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import typer

from bot.cli.formatting import print_json, print_table
from bot.engine.score import sign
from bot.engine.solver import Solver
from bot.game import Board, format_moves
from tests.papers.public_set import drawn_position

Position = tuple[str, int | None]
"""The moves that lead to an unfinished position, and its exact score where a file contains it."""


def solver(
    plies: str = "8,12,16,20,24,28",
    positions: int | None = None,
    seed: int = 1,
    file: list[Path] | None = None,
    json: bool = False,
) -> None:
    """Time the exact solver: no book, an empty table for every position. README.md describes the options.

    Exit code 1: a value contradicts the file's score, or our own other answer.
    """
    sets = {path.name: positions_in(path)[:positions] for path in file or []}
    if not sets:
        sets = {f"ply {ply}": random_positions(int(ply), positions or 20, seed) for ply in plies.split(",")}
    ours = Solver()
    ours.warm_up()
    rows = [row for name, chosen in sets.items() for row in measured(name, chosen, ours)]
    if json:
        print_json(rows)
    else:
        print_table([[*rows[0]], *([*row.values()] for row in rows)])
    if any(row["wrong"] for row in rows):
        raise typer.Exit(1)


def random_positions(ply: int, count: int, seed: int) -> list[Position]:
    """Return ``count`` random positions of ``ply`` discs, the same for the same seed on every machine."""
    chance = random.Random(f"positions/{seed}/{ply}")
    return [(format_moves(drawn_position(ply, chance)), None) for _ in range(count)]


def positions_in(path: Path) -> list[Position]:
    """Return the positions of a file: one a line, and perhaps a space and its score; # begins a comment."""
    found: list[Position] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.partition("#")[0].split()
        if words:
            found.append((words[0], int(words[1]) if words[1:] else None))
    return found


def measured(name: str, chosen: Sequence[Position], ours: Solver) -> list[dict[str, Any]]:
    """Put both questions about each position in turn; return a row for each question."""
    asked = [answer(ours, moves, weak=weak) for moves, _score in chosen for weak in (False, True)]
    values, nodes, times = np.array(asked).reshape(-1, 2, 3).T
    wrong = []
    for (moves, score), exact, weak in zip(chosen, *values, strict=True):
        if score not in (None, exact) or sign(exact) != weak:
            wrong.append(moves or "the empty board")
    return [
        {
            "set": name,
            "positions": len(chosen),
            "question": question,
            "nodes": int(nodes[place].sum()),
            "mean ms": round(times[place].mean(), 3),
            "median ms": round(np.median(times[place]), 3),
            "99 % ms": round(np.percentile(times[place], 99), 3),
            "worst ms": round(times[place].max(), 3),
            "wrong": " ".join(wrong),
        }
        for place, question in enumerate(("exact", "outcome"))
    ]


def answer(ours: Solver, moves: str, *, weak: bool) -> tuple[int | None, int, float]:
    """Return score or outcome, nodes, and milliseconds of processor time."""
    board, start = Board.from_moves(moves), time.thread_time()
    solved = ours.solve(board, weak=weak)
    seconds = time.thread_time() - start
    return solved.outcome if weak else solved.score, solved.nodes, 1000 * seconds


if __name__ == "__main__":
    typer.run(solver)
