"""Estimates with their 95 % intervals, by scipy: shares, means, ratios; and a test of tables of counts.

Each takes one number for every unit of its sample: a game, an opening, a position, a session. What happens inside a
unit depends on itself, so it is summed up first (`groupby`). A result without chance is `exact`: a program that repeats
itself has no error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.lab.arena.statistics import Estimate, wilson

LEVEL = 0.05
"""Chance that an interval misses the true number, and that a test rejects a true hypothesis."""
DRAWS = 999
"""Tables that are drawn for the test of a table of counts."""
Numbers = Sequence[float] | NDArray[Any]
"""Numbers, or a column of rows."""


def exact(value: float) -> Estimate:
    """Return a number without chance."""
    return Estimate(float(value), float(value), float(value))


def _sample(values: Numbers) -> NDArray[np.float64]:
    """Return the numbers of a sample; raise ValueError where there are none."""
    found = np.asarray(values, dtype=np.float64)
    if not len(found):
        raise ValueError("the sample is empty")
    return found


def share(values: Numbers, sample: str) -> Estimate:
    """Return the mean of numbers from 0 to 1, such as the points of games, with Wilson's interval.

    It is that of the effective number of units: as many of 0 or 1 as would have the variance that these show.
    """
    found = _sample(values)
    size, value, variance = len(found), float(found.mean()), float(found.var())
    effective = size * value * (1 - value) / variance if variance > 0 else size
    error = math.sqrt(variance / max(1, size - 1))
    return Estimate(value, *wilson(value * effective, effective), size, sample, error, is_share=True)


def mean(values: Numbers, sample: str) -> Estimate:
    """Return the mean of numbers with Student's interval; that of a single number is infinite."""
    from scipy import special

    found = _sample(values)
    size, value = len(found), float(found.mean())
    if size < 2:
        return Estimate(value, -math.inf, math.inf, size, sample, math.inf)
    error = float(found.std(ddof=1)) / math.sqrt(size)
    half = float(special.stdtrit(size - 1, 1 - LEVEL / 2)) * error
    return Estimate(value, value - half, value + half, size, sample, error)


def ratio(above: Numbers, below: Numbers, sample: str) -> Estimate:
    """Return the ratio of two sums over the same units, with Student's interval of its logarithm.

    The error is that of the mean of ``above - ratio * below`` (the delta method).
    """
    one, other = _sample(above), _sample(below)
    value, size = float(one.sum() / other.sum()), len(one)
    if size < 3 or value <= 0 or np.ptp(one / other) == 0:
        return Estimate(value, -math.inf, math.inf, size, sample, math.inf)
    rest = mean((one - value * other) / one.mean(), sample)
    return Estimate(value, value * math.exp(rest.low), value * math.exp(rest.high), size, sample, value * rest.error)


def jackknife(number: Callable[[Any], float], rows: Any, unit: str) -> Estimate:
    """Return a number of a DataFrame with Student's interval, for numbers that are more than a mean.

    ``unit``: the column that names each row's unit. The error is that of M. Quenouille and J. Tukey's jackknife: how
    much the number changes if one unit is left out.
    """
    value, units = number(rows), rows[unit].unique()
    rest = np.array([number(rows[rows[unit] != each]) for each in units])
    return mean(value + (len(units) - 1) * (rest.mean() - rest), f"{unit}s")


def same_counts(one: NDArray[Any], other: NDArray[Any]) -> float:
    """Return the p-value of the hypothesis that each cell of two tables of counts has the same shares in both.

    Counts have the shape (cells, outcomes). The difference is the likelihood-ratio statistic G, its distribution that
    of pairs of tables in which the games of each cell are dealt anew, as in Fisher's exact test: cells with few games,
    or with shares near 0, have no chi-squared distribution.
    """
    one, other = (np.rint(table).astype(np.int64) for table in (one, other))
    # One seed for all tables would make their errors alike.
    random = np.random.default_rng([*one.ravel(), *other.ravel()])
    cells = zip(one + other, one.sum(axis=1), strict=True)
    dealt = np.stack([random.multivariate_hypergeometric(both, size, DRAWS) for both, size in cells], axis=1)
    reached = int((_difference(dealt, one + other - dealt) >= _difference(one, other) - 1e-9).sum())
    return (reached + 1) / (DRAWS + 1)


def _difference(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Return G of two tables, or of many pairs of them, whose last two axes are cells and outcomes."""
    from scipy.special import rel_entr

    pooled = (one + other) / np.maximum(1, (one + other).sum(axis=-1, keepdims=True))
    terms = [rel_entr(table, table.sum(axis=-1, keepdims=True) * pooled) for table in (one, other)]
    return np.asarray(2 * (terms[0] + terms[1]).sum(axis=(-2, -1)))


def rank_correlation(one: Numbers, other: Numbers) -> float:
    """Return Spearman's rank correlation."""
    from scipy import stats

    return float(stats.spearmanr(one, other).statistic)
