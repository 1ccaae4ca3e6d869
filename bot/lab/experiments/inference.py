"""Intervals and tests of the experiments: means, ratios, shares, differences, and many tests at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, mean, stdev

from bot.lab.arena.statistics import CONFIDENCE, wilson

LEVEL = 0.05
"""Chance of at least one false verdict among all sampled comparisons, where every null hypothesis is true."""


@dataclass(frozen=True)
class Estimate:
    """A number from a sample: its value, its 95 % interval, and the sample's size."""

    value: float
    low: float
    high: float
    size: int
    is_share: bool = False

    @property
    def interval(self) -> tuple[float, float]:
        return self.low, self.high

    def p_value(self, boundary: float) -> float:
        """Return the two-sided p-value of the hypothesis that the true number is ``boundary``.

        The test belongs to the interval: below 0.05 exactly where the boundary is outside. A share has the score test,
        which Wilson's interval inverts; anything else is taken as normal with the width of the interval's nearer side.
        """
        if self.is_share:
            spread = math.sqrt(boundary * (1 - boundary) / self.size) if self.size else 0.0
            distance = abs(self.value - boundary)
            z = distance / spread if spread else (math.inf if distance and self.size else 0.0)
        else:
            half = self.high - self.value if boundary > self.value else self.value - self.low
            distance = abs(self.value - boundary)
            z = CONFIDENCE * distance / half if half else (math.inf if distance else 0.0)
        return 2 * (1 - NormalDist().cdf(z)) if math.isfinite(z) else 0.0


def share(successes: float, trials: int, different: int | None = None) -> Estimate:
    """Return a share with Wilson's interval; a draw counts as half a success. Without trials the interval is (0, 1).

    Of trials that repeat each other only the ``different`` ones count as the sample's size. They all count for the
    share itself: what a random choice of the programs gives more often, it is also more likely to give.
    """
    size = trials if different is None else different
    value = successes / trials if trials else 0.5
    low, high = wilson(value * size, size)
    return Estimate(value, low, high, size, is_share=True)


def average(sample: Sequence[float]) -> Estimate:
    """Return a mean with Student's interval; a sample of one has an infinite interval."""
    middle, size = mean(sample), len(sample)
    half = student(size - 1) * stdev(sample) / math.sqrt(size) if size > 1 else math.inf
    return Estimate(middle, middle - half, middle + half, size)


def student(freedom: int) -> float:
    """Return the half width of a 95 % interval in standard errors, by Student's distribution.

    Small samples have the exact values, others the expansion of Cornish and Fisher, which is within 0.005 of them.
    """
    exact = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776}
    if freedom in exact:
        return exact[freedom]
    z = CONFIDENCE
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def ratio(upper: Sequence[float], lower: Sequence[float]) -> Estimate:
    """Return the ratio of two sums over the same pieces, with the interval of the delta method."""
    total = sum(upper) / sum(lower)
    if len(upper) < 2:
        return Estimate(total, -math.inf, math.inf, len(upper))
    residuals = [one - total * other for one, other in zip(upper, lower, strict=True)]
    half = student(len(upper) - 1) * stdev(residuals) / math.sqrt(len(upper)) / mean(lower)
    return Estimate(total, total - half, total + half, len(upper))


def middle(sample: Sequence[float]) -> Estimate:
    """Return the median, with the interval between two order statistics that holds for any distribution."""
    ordered, size = sorted(sample), len(sample)
    value = (ordered[(size - 1) // 2] + ordered[size // 2]) / 2
    reach = CONFIDENCE * math.sqrt(size) / 2
    low, high = math.floor(size / 2 - reach), math.ceil(size / 2 + reach)
    return Estimate(value, ordered[max(low, 0)], ordered[min(high, size - 1)], size)


def difference(one: Estimate, other: Estimate) -> Estimate:
    """Return the difference of two independent estimates, with Newcombe's (1998) interval."""
    value = one.value - other.value
    low = value - math.hypot(one.value - one.low, other.high - other.value)
    high = value + math.hypot(one.high - one.value, other.value - other.low)
    return Estimate(value, low, high, min(one.size, other.size))


def correlation(xs: Sequence[float], ys: Sequence[float]) -> Estimate:
    """Return Pearson's correlation, with Fisher's interval."""
    from statistics import correlation as pearson

    value = pearson(xs, ys)
    size = len(xs)
    centre, half = math.atanh(max(-0.999999, min(0.999999, value))), CONFIDENCE / math.sqrt(max(size - 3, 1))
    return Estimate(value, math.tanh(centre - half), math.tanh(centre + half), size)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's (1979) adjusted p-values, in the order given.

    They bound the chance of even one false rejection, whatever the dependence between the tests. The claims share
    games, so no method that needs independence would do; and a verdict is quoted alone, so a bound on the share of
    false ones (Benjamini and Hochberg) would promise a reader of one verdict nothing.
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


def chance_of_streak(not_lost: Estimate, length: int) -> Estimate:
    """Return the chance of ``length`` games in a row without a loss, with bounds from those of a single game."""
    return Estimate(not_lost.value**length, not_lost.low**length, not_lost.high**length, not_lost.size)
