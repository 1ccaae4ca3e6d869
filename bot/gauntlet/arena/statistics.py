"""Estimates with 95 % intervals, and Elo ratings of a cross table; without scipy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Estimate:
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float


def share(successes: float, size: int) -> Estimate:
    """Return a share of draws with Wilson's interval; 0 without draws. A drawn game counts as half a success."""
    return Estimate(successes / max(1, size), *wilson(successes, size))


def outcomes(points: Sequence[float]) -> dict[str, int]:
    """Return the number of games won, drawn and lost, from their points: 1, 0.5 and 0."""
    return {"won": points.count(1), "drawn": points.count(0.5), "lost": points.count(0)}


def tally(points: Sequence[float], different: Sequence[float] | None = None) -> dict[str, Any]:
    """Return the outcomes of games, and their score with its 95 % Wilson interval.

    The interval is that of ``different``, the games that are no repetition of another, if they are given.
    """
    basis = points if different is None else different
    interval = wilson(sum(basis), len(basis))
    return {**outcomes(points), "score": share(sum(points), len(points)).value, "score_interval": list(interval)}


def elo_difference(score: float) -> float | None:
    """Return the Elo difference whose expected score is ``score``; None for 0 and 1, where it is infinite."""
    return ELO_UNIT * math.log(score / (1 - score)) if 0 < score < 1 else None


@dataclass(frozen=True)
class Rating:
    """An agent's Elo rating relative to the mean of all agents, and half its 95 % interval."""

    elo: float
    error: float


def rate(points: NDArray[np.float64], games: NDArray[np.float64]) -> list[Rating]:
    """Return the Bradley-Terry ratings of a cross table: i scored ``points[i, j]`` in ``games[i, j]`` games against j.

    Both arrays have shape (n, n) and a diagonal of zeros. One drawn game between each pair is added as a
    prior, so that the rating of an agent without a loss is finite.
    """
    count = len(points)
    others = 1.0 - np.eye(count)
    points, games = points + others / 2, games + others
    strength = np.zeros(count)
    for _ in range(100):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        gradient = (points - games * expected).sum(axis=1)
        weight = games * expected * (1 - expected)
        information = np.diag(weight.sum(axis=1)) - weight
        # The sum of the strengths is arbitrary: adding 1 / count to each element fixes it at 0.
        step = np.linalg.solve(information + 1.0 / count, gradient)
        strength += step / max(1.0, np.abs(step).max())  # shortened as a whole, so that the sum stays 0
        if np.abs(step).max() < 1e-10:
            break
    variance = np.diag(np.linalg.inv(information + 1.0 / count)) - 1.0 / count
    errors = CONFIDENCE * np.sqrt(np.maximum(variance, 0.0))
    return [Rating(ELO_UNIT * float(s), ELO_UNIT * float(e)) for s, e in zip(strength, errors, strict=True)]
