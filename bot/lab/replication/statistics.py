"""Estimates with their 95 % intervals, by scipy (extra `lab`): shares, means, ratios; and a test of tables of counts.

Each takes one number for every unit of its sample: a game, an opening, a position, a session. What happens inside a
unit depends on itself, so it is summed up first (`groupby`). A result without chance is `exact`: a program that repeats
itself has no error. How often intervals and tests err: bot/lab/replication/README.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.lab.arena.statistics import CONFIDENCE, Estimate, wilson

LEVEL = 0.05
"""Chance that an interval misses the true number, and that a test rejects a true hypothesis."""
DRAWS = 999
"""Tables that are drawn for the test of a table of counts."""
RESAMPLES = 2000
Numbers = Sequence[float] | NDArray[Any]
"""Numbers, or a column of rows."""


def exact(value: float) -> Estimate:
    """Return a number without chance."""
    return Estimate(value, value, value)


def share(values: Numbers, sample: str) -> Estimate:
    """Return the mean of numbers from 0 to 1, such as the points of games, with Wilson's interval.

    It is that of the effective number of units: as many of 0 or 1 as would have the variance that these show.
    """
    found = np.asarray(values, dtype=np.float64)
    size, value, variance = len(found), float(found.mean()), float(found.var())
    effective = size * value * (1 - value) / variance if variance > 0 else size
    error = math.sqrt(variance / max(1, size - 1))
    return Estimate(value, *wilson(value * effective, effective), size, sample, error, is_share=True)


def mean(values: Numbers, sample: str) -> Estimate:
    """Return the mean of numbers with Student's interval; that of a single number is infinite."""
    from scipy import stats

    found = np.asarray(values, dtype=np.float64)
    size, value = len(found), float(found.mean())
    if size < 2:
        return Estimate(value, -math.inf, math.inf, size, sample, math.inf)
    error = float(stats.sem(found))
    half = float(stats.t.ppf(1 - LEVEL / 2, size - 1)) * error
    return Estimate(value, value - half, value + half, size, sample, error)


def ratio(above: Numbers, below: Numbers, sample: str) -> Estimate:
    """Return the ratio of two sums over the same units, with the bootstrap interval (BCa, Efron 1987)."""
    from scipy import stats

    one, other = np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64)
    value = float(one.sum() / other.sum())
    if len(one) < 3 or np.ptp(one / other) == 0:
        return Estimate(value, -math.inf, math.inf, len(one), sample, math.inf)

    def of_sums(one: Any, other: Any, axis: int) -> Any:
        return one.sum(axis) / other.sum(axis)

    settings = {"paired": True, "n_resamples": RESAMPLES, "confidence_level": 1 - LEVEL, "batch": 100}
    found = stats.bootstrap((one, other), of_sums, **settings, rng=np.random.default_rng(0))
    low, high = map(float, found.confidence_interval)
    return Estimate(value, low, high, len(one), sample, float(found.standard_error))


def same_counts(one: NDArray[Any], other: NDArray[Any]) -> float:
    """Return the p-value of the hypothesis that each cell of two tables of counts has the same shares in both.

    Counts have the shape (cells, outcomes). The difference is the likelihood-ratio statistic G, its distribution that
    of pairs of tables drawn from the pooled shares: cells with few games, or with shares near 0, have no chi-squared
    distribution.
    """
    random, pooled = np.random.default_rng(0), one + other
    shares = pooled / pooled.sum(axis=1, keepdims=True)
    sizes = [table.sum(axis=1).round().astype(np.int64) for table in (one, other)]
    drawn = [random.multinomial(size, shares, (DRAWS, len(size))).astype(np.float64) for size in sizes]
    reached = int((_difference(*drawn) >= _difference(one, other) - 1e-9).sum())
    return (reached + 1) / (DRAWS + 1)


def _difference(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Return G of two tables, or of many pairs of them, whose last two axes are cells and outcomes."""
    from scipy.special import rel_entr

    pooled = (one + other) / (one + other).sum(axis=-1, keepdims=True)
    terms = [rel_entr(table, table.sum(axis=-1, keepdims=True) * pooled) for table in (one, other)]
    return np.asarray(2 * (terms[0] + terms[1]).sum(axis=(-2, -1)))


def rank_correlation(one: Numbers, other: Numbers, sample: str) -> Estimate:
    """Return Spearman's rank correlation with Fisher's interval."""
    from scipy import stats

    found = stats.pearsonr(stats.rankdata(one), stats.rankdata(other))
    low, high = map(float, found.confidence_interval())
    return Estimate(float(found.statistic), low, high, len(one), sample, (high - low) / (2 * CONFIDENCE))
