"""Two solvers on the same positions, one after the other in one process: times, nodes, and whether they agree.

Each answer begins with a cold table, and after one untimed answer to a fixed late position: emptying a large table
flushes the processor's caches, and the next call, whoever makes it, would pay for that ten times what a late position
takes.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bot.bench.positions import Position
from bot.bench.solvers import Contestant
from bot.engine.score import sign
from bot.game import format_moves

QUESTIONS = ("exact", "weak")
"""The exact score; win, draw or loss alone."""
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a solver said, and what it took."""

    value: int | None
    seconds: float
    nodes: int


@dataclass(frozen=True, slots=True)
class Trial:
    """All answers for one position, by question; the peer's are empty without a peer."""

    position: Position
    ours: dict[str, Answer]
    peers: dict[str, Answer]

    @property
    def agrees(self) -> bool:
        """Whether no two of our answers, the peer's and the file's score contradict each other."""
        answers = [*self.ours.items(), *self.peers.items()]
        scores = {answer.value for question, answer in answers if question == "exact"}
        outcomes = {answer.value for question, answer in answers if question == "weak"}
        if self.position.score is not None:
            scores.add(self.position.score)
        outcomes |= {None if score is None else sign(score) for score in scores}
        return len(scores) <= 1 and len(outcomes) == 1 and None not in outcomes


def trials(
    positions: Iterable[Position],
    ours: Contestant,
    peer: Contestant | None,
    questions: Sequence[str] = QUESTIONS,
    clock: Clock = time.perf_counter,
) -> Iterator[Trial]:
    """Ask both solvers every question about every position, interleaved; ``clock`` tells seconds."""
    for position in positions:
        told: dict[str, Answer] = {}
        peers: dict[str, Answer] = {}
        for question in questions:
            if peer is not None:
                peers[question] = _ask(peer, question, position, clock)
            told[question] = _ask(ours, question, position, clock)
        yield Trial(position, told, peers)


def _ask(solver: Contestant, question: str, position: Position, clock: Clock) -> Answer:
    solver.set_up(position)
    answer = solver.score if question == "exact" else solver.outcome
    start = clock()
    value = answer()
    seconds = clock() - start
    return Answer(value, seconds, solver.nodes)


def row_of(name: str, done: Sequence[Trial]) -> dict[str, Any]:
    """One set's row: total, mean, median, 99 % and worst seconds, nodes, the ratio of total times, and who contradicts.

    Numbers about a question that was not asked, or about a missing peer, are None.
    """
    row: dict[str, Any] = {"name": name, "positions": len(done)}
    for question in QUESTIONS:
        ours = [trial.ours[question] for trial in done if question in trial.ours]
        peers = [trial.peers[question] for trial in done if question in trial.peers]
        row.update((f"{question}_{key}", value) for key, value in _numbers(ours, peers).items())
    wrong = [format_moves(trial.position.columns) for trial in done if not trial.agrees]
    return {**row, "wrong": len(wrong), "wrong_positions": wrong}


def _numbers(ours: Sequence[Answer], peers: Sequence[Answer]) -> dict[str, float | int | None]:
    times_s = [answer.seconds for answer in ours]
    total_s, peer_s = sum(times_s), sum(answer.seconds for answer in peers)
    nodes = sum(answer.nodes for answer in ours)
    return {
        "s": total_s if ours else None,
        "peer_s": peer_s if peers else None,
        "ratio": peer_s / total_s if ours and peers else None,
        "mean_s": statistics.fmean(times_s) if ours else None,
        "median_s": statistics.median(times_s) if ours else None,
        "p99_s": float(np.percentile(times_s, 99)) if ours else None,
        "worst_s": max(times_s, default=None),
        "nodes": nodes if ours else None,
        "nodes_per_s": nodes / total_s if ours else None,
        "peer_nodes": sum(answer.nodes for answer in peers) if peers else None,
    }
