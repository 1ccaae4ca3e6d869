"""The speed of the exact solver, beside any other one: python -m tests.bench solver (README.md in this folder)."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Literal

import numpy as np
import typer

from bot.cli.formatting import print_json, print_table
from bot.engine.score import sign
from bot.errors import BoardError, BotError, UsageError
from bot.game import Board, format_moves, parse_moves
from tests.bench.peer import Answer, Ours, Peer
from tests.gauntlet.public_set import drawn_position

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
    peer_wait: float = 300.0,
    ask: Literal["both", "exact", "weak"] = "both",
    threads: int = 1,
    cpu_time: bool = False,
    json: bool = False,
) -> None:
    """Time the exact solver: no book, an empty table for every position. README.md describes the options.

    The ratio is the peer's total time divided by ours: above 1 we are faster. Beside it stands its 95 % interval over
    the positions. A peer measures its own processor time, so ours is processor time too.

    Exit code 1: a value contradicts the file's score, the peer, or our own other answer; 2: a usage error.
    """
    hint = "Write one a line: moves, a space, the exact score."
    sets = {path.name: read_lines(path, hint, positions) for path in file or []}
    if not sets:
        sets = {f"ply {ply}": random_positions(ply, positions or 20, seed) for ply in parsed_plies(plies)}
    solvers: list[Ours | Peer] = [Ours(threads, processor_time=cpu_time or peer is not None)]
    with ExitStack() as opened:
        if peer is not None:
            solvers.append(opened.enter_context(closing(Peer(peer, peer_wait))))
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


def read_lines(path: Path, hint: str, limit: int | None) -> list[Position]:
    """Return the positions of the first ``limit`` lines, less comments and empty lines.

    Raises UsageError for a file that cannot be read, or has no position; ``hint`` says what to do about the latter.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise UsageError(f"The positions {path} cannot be read: {reason}.") from None
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip() and line[0] != "#"]
    if not numbered:
        raise UsageError(f"{path} contains no position.", hint)
    return [position(line, f"{path}, line {number}") for number, line in numbered[:limit]]


def position(line: str, where: str) -> Position:
    """Return the position of a line; raise UsageError where it is none, or a finished one."""
    moves, _, rest = line.partition(" ")
    try:
        columns = parse_moves(moves)
        if Board.from_moves(columns).is_over:
            raise BoardError("The game is over in this position.", "Leave it out.")
        return format_moves(columns), int(rest.split()[0]) if rest.strip() else None
    except (BoardError, ValueError) as error:
        raise UsageError(f"{where}: {error}") from None


def measured(
    name: str, chosen: Sequence[Position], solvers: Sequence[Ours | Peer], questions: Sequence[str]
) -> list[dict[str, Any]]:
    """Put each question about each position to all solvers in turn, the peer first; return a row for each question."""
    found: dict[str, list[list[Answer]]] = {question: [] for question in questions}
    wrong = []
    for moves, score in chosen:
        for question, answers in found.items():
            answers.append([solver.answer(question, moves) for solver in reversed(solvers)])
        values = {question: {answer.value for answer in answers[-1]} for question, answers in found.items()}
        scores = values.get("exact", set()) | ({score} - {None})
        outcomes = values.get("weak", set()) | {sign(each) for each in scores if each is not None}
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
    try:
        app()
    except BotError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
