"""Ranges with 95 % intervals, of single games and of pairs, and Elo ratings; without scipy.

A pair is the same opening twice with the sides swapped, so it has five possible results. Its two games are not
independent: an opening that favours one side gives each agent a win. The pair is therefore the unit of the
intervals (the pentanomial model, M. Van den Bergh, as used by fishtest).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

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


class Range(NamedTuple):
    """A number with its 95 % interval, or with the least and the greatest of its measurements."""

    value: float
    low: float
    high: float

    def __format__(self, form: str) -> str:
        """Return the value, and the range if there is one, in this form."""
        ends = f" ({self.low:{form}} to {self.high:{form}})" if self.low < self.high else ""
        return f"{self.value:{form}}{ends}"


def share(successes: float, size: int) -> Range:
    """Return a share of draws with Wilson's interval; 0 without draws. A drawn game counts as half a success."""
    return Range(successes / max(1, size), *wilson(successes, size))


def edge(holds: Callable[[float], bool], inside: float, outside: float) -> float:
    """Return where what holds at ``inside`` ends on the way to ``outside``, by halving."""
    for _ in range(60):
        middle = (inside + outside) / 2
        if holds(middle):
            inside = middle
        else:
            outside = middle
    return inside


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


def rate(points: NDArray[np.float64], games: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Return the Bradley-Terry ratings of a cross table: i scored ``points[i, j]`` in ``games[i, j]`` games against j.

    A rating is Elo points relative to the mean of all agents, and half their 95 % interval. Both arrays have shape
    (n, n) and a diagonal of zeros. One drawn game between each pair is added as a prior, so that the rating of an agent
    without a loss is finite.
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
    return [(ELO_UNIT * float(s), ELO_UNIT * float(e)) for s, e in zip(strength, errors, strict=True)]


PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Mean points of a pair, in the order of `Pentanomial.counts`."""


@dataclass(frozen=True)
class Pentanomial:
    """How often a pair gave 0, 0.5, 1, 1.5 and 2 points, in the view of one agent."""

    counts: tuple[int, ...] = (0, 0, 0, 0, 0)

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def estimate(self) -> Range:
        """Mean points of a game with their 95 % interval; 0.5 without pairs.

        Wilson's interval with the effective number of games: the number of independent games of 0 or 1 point whose mean
        has the unbiased variance that the pairs show. Pairs without any variance count as one game each.
        """
        counted = list(zip(self.counts, PAIR_SCORES, strict=True))
        score = sum(count * value for count, value in counted) / self.pairs if self.pairs else 0.5
        squares = sum(count * (value - score) ** 2 for count, value in counted)
        effective = float(self.pairs)
        if squares > 0:
            effective *= score * (1 - score) / (squares / (self.pairs - 1))
        return Range(score, *wilson(score * effective, effective))


def pentanomial(points: Iterable[float]) -> Pentanomial:
    """Return the counts of these pairs' points, each 0, 0.5, 1, 1.5 or 2."""
    counts = Counter(points)
    return Pentanomial(tuple(counts[2 * score] for score in PAIR_SCORES))
