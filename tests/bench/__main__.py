"""The speed of the exact solver, beside any other one: python -m tests.bench solver (README.md in this folder)."""

from __future__ import annotations

import random
import shlex
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal

import numpy as np
import typer

from bot.cli.formatting import print_json, print_table
from bot.engine.score import sign
from bot.game import format_moves
from tests.bench.peer import Answer, Peer, started
from tests.gauntlet.public_set import drawn_position
from tests.processes import ROOT

ADAPTER = Path(__file__).with_name("adapter.py")
_RESAMPLES = 2000
Position = tuple[str, int | None]
"""The moves that lead to an unfinished position, and its exact score where a file contains it."""
app = typer.Typer()


@app.callback()
def benchmarks() -> None:
    """Measure the solver."""


@app.command()
def solver(
    plies: str = "8,12,16,20,24,28",
    positions: int | None = None,
    seed: int = 1,
    file: list[Path] | None = None,
    peer: str | None = None,
    ask: Literal["both", "exact", "weak"] = "both",
    json: bool = False,
) -> None:
    """Time the exact solver: no book, an empty table for every position. README.md describes the options.

    The ratio is the peer's total time divided by ours: above 1 we are faster. Beside it stands its 95 % interval over
    the positions. Both measure their own processor time.

    Exit code 1: a value contradicts the file's score, the peer, or our own other answer.
    """
    sets = {path.name: positions_in(path)[:positions] for path in file or []}
    if not sets:
        sets = {f"ply {ply}": random_positions(ply, positions or 20, seed) for ply in parsed_plies(plies)}
    commands = [shlex.join([sys.executable, str(ADAPTER), str(ROOT)])]
    if peer is not None:
        commands.append(peer)
    with ExitStack() as opened:
        solvers = [Peer(opened.enter_context(started(command))) for command in commands]
        questions = ["exact", "weak"] if ask == "both" else [ask]
        rows = [row for name, chosen in sets.items() for row in measured(name, chosen, solvers, questions)]
    if json:
        print_json({"solvers": [each.name for each in solvers], "rows": rows})
    else:
        print_table([[*rows[0]], *([*row.values()] for row in rows)])
    if any(row["wrong"] for row in rows):
        raise typer.Exit(1)


def parsed_plies(text: str) -> list[int]:
    """Return [8, 10, 11, 12] for "8,10-12"."""
    ends = [part.split("-") for part in text.split(",")]
    return [ply for each in ends for ply in range(int(each[0]), int(each[-1]) + 1)]


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


def measured(
    name: str, chosen: Sequence[Position], solvers: Sequence[Peer], questions: Sequence[str]
) -> list[dict[str, Any]]:
    """Put each question about each position to all solvers in turn, the peer first; return a row for each question."""
    found: dict[str, list[list[Answer]]] = {question: [] for question in questions}
    wrong = []
    for moves, score in chosen:
        for question, answers in found.items():
            answers.append([solver.answer(question, moves) for solver in reversed(solvers)])
        values = {question: {answer.value for answer in answers[-1]} for question, answers in found.items()}
        scores = values.get("exact", set())
        if score is not None:
            scores.add(score)
        outcomes = values.get("weak", set()) | set(map(sign, scores))
        if len(scores) > 1 or len(outcomes) > 1:
            wrong.append(moves or "the empty board")
    about = {"set": name, "positions": len(chosen)}
    return [about | {"question": each} | numbers(found[each]) | {"wrong": " ".join(wrong)} for each in questions]


def numbers(answers: Sequence[Sequence[Answer]]) -> dict[str, Any]:
    """Return nodes, times in milliseconds, and beside a peer the ratio of total times with its interval."""
    times = 1000 * np.array([[answer.seconds for answer in both] for both in answers]).T
    *peers, ours = times
    nodes = sum(both[-1].nodes for both in answers)
    found = {
        "nodes": nodes,
        "Mnodes/s": nodes / ours.sum() / 1000,
        "mean ms": ours.mean(),
        "median ms": np.median(ours),
    }
    found |= {"99 % ms": np.percentile(ours, 99), "worst ms": ours.max()}
    if peers:
        drawn = np.random.default_rng(1).integers(0, len(answers), (_RESAMPLES, len(answers)))
        sums = times[:, drawn].sum(axis=2)
        low, high = np.percentile(sums[0] / sums[1], (2.5, 97.5))
        found |= {"peer nodes": sum(both[0].nodes for both in answers), "peer ms": peers[0].mean()}
        found |= {"clearing ms": 1000 * np.mean([both[0].clearing_s for both in answers])}
        found |= {"ratio": peers[0].sum() / ours.sum(), "from": low, "to": high}
    return {name: value if name.endswith("nodes") else round(float(value), 3) for name, value in found.items()}


if __name__ == "__main__":
    app()
