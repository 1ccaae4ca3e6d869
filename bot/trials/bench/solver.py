"""Two solvers on the same positions: times, nodes, and whether they agree.

Each timed call begins with a cold table and follows untimed calls on a fixed late position. The other solver evicts the
processor's caches; without the untimed calls, the next timed one would take ten times as long on a late position.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bot.engine.score import sign
from bot.game import format_moves
from bot.trials.bench.ours import Ours
from bot.trials.bench.peer import QUESTIONS, CommandPeer, TimedAnswer
from bot.trials.bench.positions import BenchPosition

_RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Trial:
    """All answers for one position, by question; ``peers`` is empty without a peer."""

    position: BenchPosition
    ours: dict[str, TimedAnswer]
    peers: dict[str, TimedAnswer]

    @property
    def agrees(self) -> bool:
        """Whether our answers, the peer's and the file's score all agree."""
        answers = [*self.ours.items(), *self.peers.items()]
        scores = {answer.value for question, answer in answers if question == "exact"}
        outcomes = {answer.value for question, answer in answers if question == "weak"}
        if self.position.score is not None:
            scores.add(self.position.score)
        outcomes |= {None if score is None else sign(score) for score in scores}
        return len(scores) <= 1 and len(outcomes) == 1 and None not in outcomes


def trials(
    positions: Iterable[BenchPosition], ours: Ours, peer: CommandPeer | None, questions: Sequence[str] = QUESTIONS
) -> Iterator[Trial]:
    """Measure both solvers in turn on every question for every position."""
    for position in positions:
        moves = format_moves(position.columns)
        answers: dict[str, TimedAnswer] = {}
        peers: dict[str, TimedAnswer] = {}
        for question in questions:
            if peer is not None:
                peers[question] = peer.answer(question, moves)
            answers[question] = ours.answer(question, moves)
        yield Trial(position, answers, peers)


def row_of(name: str, done: Sequence[Trial]) -> dict[str, Any]:
    """Return one set's row: total, mean, median, 99 % and worst seconds, nodes, ratio of total times, wrong results.

    ``ratio_low`` and ``ratio_high`` are the 95 % interval of the ratio over positions, None for a single one.
    Numbers of a question that was not measured, or of a missing peer, are None.
    """
    row: dict[str, Any] = {"name": name, "positions": len(done)}
    for question in QUESTIONS:
        ours = [trial.ours[question] for trial in done if question in trial.ours]
        peers = [trial.peers[question] for trial in done if question in trial.peers]
        row.update((f"{question}_{key}", value) for key, value in _numbers(ours, peers).items())
    wrong = [format_moves(trial.position.columns) for trial in done if not trial.agrees]
    return {**row, "wrong": len(wrong), "wrong_positions": wrong}


def _numbers(ours: Sequence[TimedAnswer], peers: Sequence[TimedAnswer]) -> dict[str, float | int | None]:
    times_s = [answer.seconds for answer in ours]
    peer_times_s = [answer.seconds for answer in peers]
    total_s, peer_s = sum(times_s), sum(peer_times_s)
    low = high = None
    if len(ours) == len(peers) > 1:
        low, high = ratio_interval(peer_times_s, times_s)
    nodes = sum(answer.nodes for answer in ours)
    return {
        "s": total_s if ours else None,
        "peer_s": peer_s if peers else None,
        "ratio": peer_s / total_s if ours and peers else None,
        "ratio_low": low,
        "ratio_high": high,
        "mean_s": statistics.fmean(times_s) if ours else None,
        "median_s": statistics.median(times_s) if ours else None,
        "p99_s": float(np.percentile(times_s, 99)) if ours else None,
        "worst_s": max(times_s, default=None),
        "nodes": nodes if ours else None,
        "nodes_per_s": nodes / total_s if ours else None,
        "peer_nodes": sum(answer.nodes for answer in peers) if peers else None,
    }


def ratio_interval(over: Sequence[float], under: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of ``sum(over) / sum(under)`` over pairs; equal input gives equal output."""
    dice = np.random.default_rng(1)
    pairs = np.array([over, under])
    sums = np.array([pairs[:, dice.integers(0, len(over), len(over))].sum(axis=1) for _ in range(_RESAMPLES)])
    low, high = np.percentile(sums[:, 0] / sums[:, 1], (2.5, 97.5))
    return float(low), float(high)
