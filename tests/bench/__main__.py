"""The speed of the exact solver, beside any other one: python -m tests.bench solver."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import typer

from bot.cli.formatting import echo, print_json, print_table
from bot.cli.options import AsJson, Seed, Threads, flag, option, seconds
from bot.cli.progress import progress
from bot.engine.score import sign
from bot.errors import BotError, UsageError
from bot.game import Board, format_moves, parse_moves
from bot.lab.positions import random_position, read_lines
from tests.bench.peer import COMMAND, Answer, Ours, Peer

QUESTIONS = {"exact": "exact", "weak": "win/draw/loss"}
_RESAMPLES = 2000

Position = tuple[str, int | None]
"""The moves that lead to an unfinished position, and its exact score where a file contains it."""
Row = dict[str, Any]
app = typer.Typer(pretty_exceptions_enable=False)


@app.callback()
def benchmarks() -> None:
    """Measure the solver."""


@app.command()
def solver(
    plies: Annotated[str, option("PLIES", "Plies of random positions, such as 8,12 or 8-12.")] = "8,12,16,20,24,28",
    positions: Annotated[int | None, option("N", "Per ply (20 by default), or of each file (all).", min=1)] = None,
    seed: Seed = 1,
    file: Annotated[list[Path] | None, option("FILE", "Positions: moves, a space, the exact score per line.")] = None,
    peer: Annotated[
        str | None, option("command:PATH", "Another solver, which speaks the protocol of README.md.")
    ] = None,
    peer_wait: Annotated[float, seconds("Longest wait for an answer of PATH.", min=0.01)] = 300.0,
    ask: Annotated[
        Literal["both", "exact", "weak"], option("NAME", "exact, weak (the outcome only) or both.")
    ] = "both",
    threads: Threads = 1,
    cpu_time: Annotated[bool, flag("--cpu-time", "Measure processor time, not elapsed time.")] = False,
    as_json: AsJson = False,
) -> None:
    """Time the exact solver: no book, an empty table for every position.

    The ratio is the peer's total time divided by ours: above 1 we are faster. Beside it stands its 95 % interval over
    the positions. A peer measures its own processor time, so ours is processor time too.

    Exit code 1: a value contradicts the file's score, the peer, or our own other answer.
    """
    if peer is not None and not peer.startswith(COMMAND):
        raise UsageError(f"There is no peer called {peer!r}.", f"Write --peer {COMMAND}PATH.")
    sets = {path.name: read_lines(path, position, "Write moves, a space, the score.", positions) for path in file or []}
    if not sets:
        sets = {f"ply {ply}": random_positions(ply, positions or 20, seed) for ply in parse_plies(plies)}
    ours = Ours(threads=threads, processor_time=cpu_time or peer is not None)
    questions = [*QUESTIONS] if ask == "both" else [ask]
    with nullcontext() if peer is None else closing(Peer(peer.removeprefix(COMMAND), peer_wait)) as other:
        solvers = [ours] if other is None else [other, ours]
        rows = [row_of(name, chosen, solvers, questions) for name, chosen in sets.items()]
        clearing = [each.clearing for each in reversed(solvers)]
    if as_json:
        print_json({"peer": other.name if other else None, "clearing": clearing, "rows": rows})
    else:
        show(rows, questions, clearing if other else [])
    if any(row["wrong"] for row in rows):
        raise typer.Exit(1)


def random_positions(ply: int, count: int, seed: int) -> list[Position]:
    """Return ``count`` random positions of ``ply`` discs, the same for the same seed on every machine."""
    chance = random.Random(f"positions/{seed}/{ply}")
    return [(format_moves(random_position(ply, chance)), None) for _ in range(count)]


def position(line: str, where: str) -> Position:
    """Return the position of a line; raise UsageError where it is none, or a finished one."""
    moves, *rest = line.split(" ")
    rest = [word for word in rest if word]
    try:
        is_over, score = Board.from_moves(parse_moves(moves)).is_over, int(rest[0]) if rest else None
    except ValueError as error:
        raise UsageError(f"{where}: {error}") from None
    if is_over:
        raise UsageError(f"{where}: The game is over in this position.", "Leave it out.")
    return format_moves(parse_moves(moves)), score


def parse_plies(text: str) -> list[int]:
    """Return [8, 10, 11, 12] for "8,10-12"."""
    ends = [part.split("-") for part in text.split(",")]
    return [ply for each in ends for ply in range(int(each[0]), int(each[-1]) + 1)]


def row_of(name: str, chosen: Sequence[Position], solvers: Sequence[Ours | Peer], questions: Sequence[str]) -> Row:
    """Put every question to the solvers in turn, of which ours is the last; return a set's numbers by their names.

    Numbers of a question that was not asked, or of a missing peer, are missing.
    """
    found: dict[str, list[list[Answer]]] = {question: [] for question in questions}
    wrong = []
    with progress(name, len(chosen)) as solved:
        for moves, score in chosen:
            for question in questions:
                found[question].append([solver.answer(question, moves) for solver in solvers])
            values = {question: {answer.value for answer in answers[-1]} for question, answers in found.items()}
            scores = values.get("exact", set()) | ({score} - {None})
            outcomes = values.get("weak", set()) | {sign(each) for each in scores}
            if len(scores) > 1 or len(outcomes) > 1:
                wrong.append(moves)
            solved.advance()
    row: Row = {"name": name, "positions": len(chosen), "wrong": len(wrong), "wrong_positions": wrong}
    for question, answers in found.items():
        row |= {f"{question}_{key}": value for key, value in numbers(answers).items()}
    return row


def numbers(answers: Sequence[Sequence[Answer]]) -> dict[str, float]:
    """Return the numbers of one question: seconds, nodes, and beside a peer the ratio of total times."""
    times_s = np.array([[answer.seconds for answer in both] for both in answers]).T
    nodes, ours_s = sum(both[-1].nodes for both in answers), times_s[-1]
    found = {"s": ours_s.sum(), "mean_s": ours_s.mean(), "median_s": np.median(ours_s), "worst_s": ours_s.max()}
    found |= {"p99_s": np.percentile(ours_s, 99), "nodes": nodes, "nodes_per_s": nodes / ours_s.sum()}
    if len(times_s) > 1:
        drawn = np.random.default_rng(1).integers(0, len(answers), (_RESAMPLES, len(answers)))
        peers_s, sums = times_s[0], times_s[:, drawn].sum(axis=2)
        low, high = np.percentile(sums[0] / sums[1], (2.5, 97.5))
        found |= {"ratio": peers_s.sum() / ours_s.sum(), "ratio_low": low, "ratio_high": high}
        found |= {"peer_s": peers_s.sum(), "peer_nodes": sum(both[0].nodes for both in answers)}
    return {name: float(value) for name, value in found.items()} | {"nodes": nodes}


def show(rows: Sequence[Row], questions: Sequence[str], clearing: Sequence[str]) -> None:
    """Print a line for each set and question, with the peer's numbers where there are any."""
    head = ["", "positions", "nodes", "Mnodes/s", "mean ms", "median ms", "99 % ms", "worst ms"]
    lines = [[*head, *(["peer ms", "ratio", "95 %"] if clearing else []), "wrong"]]
    for row in rows:
        for question in questions:
            found = {key.removeprefix(f"{question}_"): value for key, value in row.items()}
            cells = [f"{row['name']}  {QUESTIONS[question]}", row["positions"], found["nodes"]]
            cells.append(f"{found['nodes_per_s'] / 1e6:.2f}")
            cells += [f"{found[key] * 1000:.3f}" for key in ("mean_s", "median_s", "p99_s", "worst_s")]
            if clearing:
                cells += [f"{found['peer_s'] / row['positions'] * 1000:.3f}", f"{found['ratio']:.2f}x"]
                cells.append(f"{found['ratio_low']:.2f}-{found['ratio_high']:.2f}x")
            lines.append([*cells, row["wrong"]])
    print_table(lines)
    for text in (*(f"wrong: {row['name']}: {moves}" for row in rows for moves in row["wrong_positions"]), *clearing):
        echo(text)


if __name__ == "__main__":
    try:
        app()
    except BotError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
