"""The speed of the exact solver, beside any other one: python -m tests.bench (README.md in this folder)."""

from __future__ import annotations

import random
import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import typer
from numpy.typing import NDArray
from scipy.stats import bootstrap

from bot.cli.formatting import print_json, print_table
from bot.engine.score import sign
from bot.game import format_moves
from tests.gauntlet.public_set import drawn_position
from tests.processes import ROOT

ADAPTER = Path(__file__).with_name("adapter.py")
QUESTIONS = ("exact", "weak")
Position = tuple[str, int | None]
"""The moves that lead to an unfinished position, and its exact score where a file contains it."""


class Peer:
    """A solver under test: a process that speaks the protocol of README.md and measures its own processor time.

    ValueError: it does not keep to the protocol. A peer that does not answer is waited for.
    """

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._asked, self._said = process.stdin, process.stdout
        protocol, version, self.name = self._line().strip().split(maxsplit=2)
        if (protocol, version) != ("peer", "1"):
            raise ValueError(f"The peer speaks {protocol} {version}, not peer 1.")

    def answer(self, question: str, moves: str) -> list[float]:
        """Return value, nodes and seconds for the position after ``moves``.

        Clearing the table and filling the caches are the peer's task.
        """
        print(question, moves, file=self._asked, flush=True)
        value, nodes, seconds, *_clearing = map(float, self._line().split())
        return [value, nodes, seconds]

    def _line(self) -> str:
        assert self._said is not None
        return self._said.readline()


def solver(
    plies: str = "8,12,16,20,24,28",
    positions: int | None = None,
    seed: int = 1,
    file: list[Path] | None = None,
    peer: str = "",
    json: bool = False,
) -> None:
    """Time the exact solver: no book, an empty table for every position. README.md describes the options.

    The ratio is the peer's total time divided by ours: above 1 we are faster. Beside it stands its 95 % interval over
    the positions. Both measure their own processor time.

    Exit code 1: a value contradicts the file's score, the peer, or our own other answer.
    """
    sets = {path.name: positions_in(path)[:positions] for path in file or []}
    if not sets:
        sets = {f"ply {ply}": random_positions(int(ply), positions or 20, seed) for ply in plies.split(",")}
    ours = [sys.executable, str(ADAPTER), str(ROOT)]
    with ExitStack() as opened:
        solvers = []
        for command in filter(None, (shlex.split(peer), ours)):
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            solvers.append(Peer(opened.enter_context(process)))  # the end of its input ends it
        rows = [row for name, chosen in sets.items() for row in measured(name, chosen, solvers)]
    if json:
        print_json({"solvers": [each.name for each in solvers], "rows": rows})
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


def measured(name: str, chosen: Sequence[Position], solvers: Sequence[Peer]) -> list[dict[str, Any]]:
    """Put both questions about each position to all solvers in turn; return a row for each question."""
    asked = product(QUESTIONS, chosen, solvers)
    answers = np.array([solver.answer(question, moves) for question, (moves, _score), solver in asked])
    values, *costs = answers.T.reshape(-1, len(QUESTIONS), len(chosen), len(solvers))
    wrong = []
    for (moves, score), exact, weak in zip(chosen, *values, strict=True):
        scores = {*exact} | ({score} - {None})
        if len(scores) > 1 or len({*map(sign, [*scores, *weak])}) > 1:
            wrong.append(moves or "the empty board")
    about = {"set": name, "positions": len(chosen)}
    rows = zip(QUESTIONS, map(numbers, *costs), strict=True)
    return [about | {"question": question} | found | {"wrong": " ".join(wrong)} for question, found in rows]


def numbers(nodes: NDArray[Any], seconds: NDArray[Any]) -> dict[str, Any]:
    """Return our nodes, times in milliseconds, and beside a peer the ratio of total times with its interval."""
    *peers, ours = times = 1000 * seconds.T
    found = {"mean ms": ours.mean(), "median ms": np.median(ours)}
    found |= {"99 % ms": np.percentile(ours, 99), "worst ms": ours.max()}
    if peers:
        spread = bootstrap(times, ratio, paired=True, method="percentile").confidence_interval
        found |= {"peer nodes": nodes[:, 0].sum(), "peer ms": peers[0].mean()}
        found |= {"ratio": ratio(*times), "from": spread.low, "to": spread.high}
    return {"nodes": int(nodes[:, -1].sum())} | {name: round(float(value), 3) for name, value in found.items()}


def ratio(theirs: NDArray[Any], ours: NDArray[Any], axis: int = -1) -> Any:
    """Return the peer's total time divided by ours."""
    return theirs.sum(axis) / ours.sum(axis)


if __name__ == "__main__":
    typer.run(solver)
