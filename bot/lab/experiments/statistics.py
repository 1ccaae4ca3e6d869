"""Estimates with their 95 % intervals and tests: shares of draws, and anything else by the jackknife.

A result without chance (a deterministic program, a printed number) has no error: its size is 0 and its test is whether
it holds. A share of draws has Wilson's interval and the score test. Anything else is a function of sums, whose error
follows from leaving out one unit at a time (B. Efron: The jackknife, the bootstrap and other resampling plans, 1982),
with Student's distribution; for a ratio this is the delta method, for a mean the t-test. Two crossed units have the
two-way error of A. C. Cameron, J. B. Gelbach, D. L. Miller (Journal of Business and Economic Statistics 29, 2011).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from bot.lab.arena.statistics import Estimate

LEVEL = 0.05
"""Chance of at least one false verdict among all sampled comparisons, where every null hypothesis is true."""

ROUNDING = 1e-9


def p_value(estimate: Estimate, boundary: float) -> float:
    """Return the two-sided p-value of the hypothesis that the true number is ``boundary``; 1 where nothing is known.

    A sample without spread says nothing of its error; but one draw decides whether a share is above 0 or below 1.
    """
    from scipy import stats

    error, distance = estimate.error, abs(estimate.value - boundary)
    if estimate.is_share:
        error = math.sqrt(max(0.0, boundary * (1 - boundary)) / estimate.size)
        if not error:
            return float(distance < ROUNDING)
    if error < ROUNDING * max(1.0, abs(estimate.value)):
        return 1.0
    found = float(2 * stats.t.sf(distance / error, estimate.freedom))
    return 1.0 if math.isnan(found) else found


def exact(value: float) -> Estimate:
    """Return a number without chance."""
    return Estimate(value, value, value)


Units = NDArray[np.int64]
Counts = NDArray[np.float64]
Value = Callable[[NDArray[np.float64]], float]
"""Returns a function of sums, given a weight for each row."""


def jackknife(value: Value, units: Sequence[Units], unit: str) -> Estimate:
    """Return ``value`` with the error of one way of numbering the rows' units, or of two that are crossed."""
    from scipy import stats

    estimate = value(np.ones(len(units[0])))
    variances = [_variance(value, each) for each in units]
    sizes = [len(np.unique(each)) for each in units]
    variance = sum(variances)
    if len(units) == 2:
        both = units[0] * (int(units[1].max()) + 1) + units[1]
        variance = max(variance - _variance(value, both), *variances)  # the two-way error is at least the one-way ones
    error, size = math.sqrt(variance), min(sizes)
    half = float(stats.t.ppf(0.975, size - 1)) * error if size > 1 else math.inf
    return Estimate(estimate, estimate - half, estimate + half, size, unit, error, size - 1)


def _variance(value: Value, units: Units) -> float:
    names = np.unique(units)
    left = np.array([value((units != name).astype(np.float64)) for name in names])
    size = len(names)
    if size < 2:
        return math.inf
    return float((size - 1) / size * ((left - left.mean()) ** 2).sum())


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's (1979) adjusted p-values, in the order given.

    They bound the chance of even one false rejection, whatever the dependence between the tests. The statements share
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


def likelihood(printed: Sequence[str], draws: Sequence[Sequence[str]], seed: int = 0) -> tuple[float, float]:
    """Return the log-likelihood of a printed table under draws of each cell, and how often draws are as unlikely.

    The chance of a word in a cell is its share among the cell's draws, with half a draw added for each word that any
    cell has. The second number compares the printed table with 999 tables drawn from these shares.
    """
    words = sorted({word for cell in draws for word in cell} | set(printed))
    shares = np.array([[cell.count(word) + 0.5 for word in words] for cell in draws])
    shares /= shares.sum(axis=1, keepdims=True)
    logs, places = np.log(shares), np.arange(len(printed))
    found = float(logs[places, [words.index(word) for word in printed]].sum())
    random = np.random.default_rng(seed)
    drawn = (random.random((999, len(printed), 1)) > shares.cumsum(axis=1)[:, :-1]).sum(axis=2)
    reached = int((logs[places, drawn].sum(axis=1) <= found).sum())
    return found, (reached + 1) / 1000


def same_shares(one: Counts, other: Counts, seed: int = 0) -> float:
    """Return how often two tables of counts differ as much as these, if every cell has the same shares in both.

    Counts have the shape (cells, outcomes). The difference is the likelihood-ratio statistic G, its distribution that
    of 999 pairs of tables drawn from the pooled shares: cells with few games, or with shares near 0, have no
    chi-squared distribution.
    """
    random, pooled = np.random.default_rng(seed), one + other
    shares = pooled / pooled.sum(axis=1, keepdims=True)
    sizes = [table.sum(axis=1).round().astype(np.int64) for table in (one, other)]
    drawn = [random.multinomial(size, shares, (999, len(size))).astype(np.float64) for size in sizes]
    reached = int((_distance(*drawn) >= _distance(one, other) - 1e-9).sum())
    return (reached + 1) / 1000


def _distance(one: Counts, other: Counts) -> Counts:
    """Return G of two tables, or of many pairs of them, whose last two axes are cells and outcomes."""
    from scipy.special import rel_entr

    pooled = (one + other) / (one + other).sum(axis=-1, keepdims=True)
    terms = [rel_entr(table, table.sum(axis=-1, keepdims=True) * pooled) for table in (one, other)]
    return np.asarray(2 * (terms[0] + terms[1]).sum(axis=(-2, -1)))
