"""Estimates with 95 % intervals, Elo ratings of a cross table, and summaries of move times; without scipy."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 1.959964
"""Half width of a 95 % interval, in standard deviations."""
ELO_UNIT = 400 / math.log(10)
"""Elo points of one unit of natural log-odds."""


def wilson(successes: float, trials: float) -> tuple[float, float]:
    """Return Wilson's (1927) 95 % interval of a share; (0, 1) without trials. A draw counts as half a success."""
    if trials == 0:
        return 0.0, 1.0
    share, spread = successes / trials, CONFIDENCE**2 / trials
    middle = (share + spread / 2) / (1 + spread)
    half = CONFIDENCE * math.sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    # At the ends the bounds are exactly 0 and 1, which rounding would miss.
    return (middle - half if successes > 0 else 0.0), (middle + half if successes < trials else 1.0)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number from a sample, its 95 % interval, and the sample's size."""

    value: float
    low: float
    high: float
    size: int


def share(successes: float, trials: int) -> Estimate:
    """Return a share with Wilson's interval; 0 without trials. A draw counts as half a success."""
    return Estimate(successes / max(1, trials), *wilson(successes, trials), trials)


@dataclass(frozen=True)
class Tally:
    """Games won, drawn and lost by one agent."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @classmethod
    def of(cls, points: Iterable[float]) -> Tally:
        """Return the tally of games with these points: 1 for a win, 0.5 for a draw, 0 for a loss."""
        counts = Counter(points)
        return cls(counts[1], counts[0.5], counts[0])

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """Points: 1 for a win, 0.5 for a draw."""
        return self.won + self.drawn / 2

    @property
    def score(self) -> float:
        """Points per game; 0 without games."""
        return share(self.points, self.games).value

    def as_json(self, different: Tally | None = None) -> dict[str, Any]:
        """Return the counts, and the score with the 95 % Wilson intervals of score, wins and losses.

        The intervals are those of ``different``, the games that are no repetition of another, if it is given.
        """
        basis = different or self
        counts = {"score": basis.points, "won": basis.won, "lost": basis.lost}
        intervals = {f"{name}_interval": list(wilson(count, basis.games)) for name, count in counts.items()}
        return {**vars(self), "score": self.score, **intervals}


def elo_difference(score: float) -> float | None:
    """Return the Elo difference whose expected score is ``score``; None for 0 and 1, where it is infinite."""
    return ELO_UNIT * math.log(score / (1 - score)) if 0 < score < 1 else None


def elo(estimate: Estimate) -> tuple[float | None, float | None, float | None]:
    """Return the Elo difference of an expected score and its 95 % interval; None where it is infinite."""
    return elo_difference(estimate.value), elo_difference(estimate.low), elo_difference(estimate.high)


@dataclass(frozen=True)
class Rating:
    """An agent's Elo rating relative to the mean of all agents, and half its 95 % interval."""

    elo: float
    error: float


def rate(points: NDArray[np.float64], games: NDArray[np.float64]) -> list[Rating]:
    """Return the Bradley-Terry ratings of a cross table: i scored ``points[i, j]`` in ``games[i, j]`` games against j.

    Both arrays have shape (n, n). One drawn game between each pair is added as a prior, so that the rating of an agent
    without a loss is finite.
    """
    count = len(points)
    others = 1.0 - np.eye(count)
    points, games = points + others / 2, games + others
    strength = np.zeros(count)
    for _ in range(100):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        gradient = ((points - games * expected) * others).sum(axis=1)
        weight = games * expected * (1 - expected) * others
        information = np.diag(weight.sum(axis=1)) - weight
        # The sum of the strengths is arbitrary: adding 1 / count to each element fixes it at 0.
        step = np.linalg.solve(information + 1.0 / count, gradient)
        strength += step / max(1.0, np.abs(step).max())  # shortened as a whole, so that the sum stays 0
        if np.abs(step).max() < 1e-10:
            break
    variance = np.diag(np.linalg.inv(information + 1.0 / count)) - 1.0 / count
    errors = CONFIDENCE * np.sqrt(np.maximum(variance, 0.0))
    return [Rating(ELO_UNIT * float(s), ELO_UNIT * float(e)) for s, e in zip(strength, errors, strict=True)]


def summary_s(durations_s: Sequence[float]) -> dict[str, float]:
    """Return the mean, median and maximum of move times in seconds; zeros without move times."""
    known = durations_s or [0.0]
    return {"mean": fmean(known), "median": median(known), "max": max(known)}
