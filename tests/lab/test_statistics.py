"""Estimates and tests and the sequential test against scipy and numpy; ratings by hand."""

from __future__ import annotations

import math
from functools import partial
from itertools import product

import numpy as np
import pytest
import scipy  # loads its parts when they are used
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from pandas import DataFrame

from bot.lab.arena.pairs import PAIR_SCORES, Pentanomial, Sprt, expected_score, pentanomial
from bot.lab.arena.statistics import Estimate, rate, share, wilson
from bot.lab.replication.statistics import jackknife, mean, ratio, same_counts
from bot.lab.replication.statistics import share as share_of

Array = NDArray[np.float64]
COUNTS = st.lists(st.integers(0, 40), min_size=5, max_size=5).map(tuple)


def test_a_share_has_wilsons_interval():
    for successes, size in product((0, 1, 7, 10, 19, 20, 400), (20, 399, 400)):
        if successes <= size:
            found = share(successes, size)
            theirs = scipy.stats.binomtest(successes, size).proportion_ci(method="wilson")
            assert [found.low, found.high] == pytest.approx([*theirs], abs=1e-6)
            assert (found.low == 0, found.high == 1) == (successes == 0, successes == size), "exactly at the ends"
            assert share_of([1] * successes + [0] * (size - successes), "").low == pytest.approx(found.low)


def test_a_share_of_games_has_the_interval_of_as_many_wins_and_losses_as_have_their_variance():
    """4 won, 12 drawn, 4 lost of 20: variance 0.1, that of 20 times 0.25 / 0.1 = 50 wins and losses."""
    found = share_of([1.0] * 4 + [0.5] * 12 + [0.0] * 4, "games")
    assert (found.value, found.size, found.sample) == (0.5, 20, "games")
    assert (found.low, found.high) == pytest.approx(wilson(25, 50))
    assert found.error == pytest.approx(math.sqrt(0.1 / 19))


@pytest.mark.parametrize("size", [2, 4, 100])
def test_a_mean_has_the_interval_of_the_t_test(size):
    sample = np.random.default_rng(size).normal(3, 2, size)
    found, theirs = mean(sample, "games"), scipy.stats.ttest_1samp(sample, 0).confidence_interval()
    assert [found.low, found.high] == pytest.approx([*theirs]) and found.error == pytest.approx(scipy.stats.sem(sample))
    assert (mean([3], "games").low, mean([3], "games").high) == (-math.inf, math.inf)


def test_the_jackknife_of_a_mean_has_its_interval_and_that_of_a_ratio_one_like_its_own():
    random = np.random.default_rng(3)
    rows = DataFrame({"one": random.gamma(4, size=50), "other": random.gamma(9, size=50), "game": range(50)})
    for number, theirs, error in (
        (lambda some: some.one.mean(), mean(rows.one, "games"), 1e-9),
        (lambda some: some.one.sum() / some.other.sum(), ratio(rows.one, rows.other, "games"), 0.03),
    ):
        found = jackknife(number, rows, "game")
        assert (found.size, found.sample) == (50, "games") and found.value == pytest.approx(theirs.value)
        assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), rel=error)


def test_a_ratio_of_sums_has_an_interval_like_that_of_the_bootstrap():
    random = np.random.default_rng(4)
    below = random.gamma(9, size=200)
    above = 0.5 * below * random.gamma(16, 1 / 16, size=200)

    def of_sums(one: Array, other: Array, axis: int) -> Array:
        return np.asarray(one.sum(axis) / other.sum(axis))

    theirs = scipy.stats.bootstrap((above, below), of_sums, paired=True, rng=random).confidence_interval
    found = ratio(above, below, "positions")
    assert found.value == above.sum() / below.sum() and [found.low, found.high] == pytest.approx([*theirs], abs=0.003)
    assert ratio([2, 4, 6], [1, 2, 3], "").high == math.inf, "equal ratios say nothing of their error"


def test_counts_are_compared_as_by_the_chi_squared_test():
    one, other = np.array([[200.0, 120, 80]]), np.array([[180.0, 152, 68]])
    theirs = scipy.stats.chi2_contingency([one[0], other[0]], lambda_="log-likelihood").pvalue
    assert same_counts(one, other) == pytest.approx(theirs, abs=0.03) and same_counts(one, one) == 1
    cells = np.array([[9, 1], [8, 2], [10, 0]])
    assert same_counts(cells, cells[:, ::-1]) == 0.001, "the least of 999 draws"


def test_nothing_played_is_nothing_known():
    assert share(0, 0) == Estimate(0.0, 0.0, 1.0, 0, error=math.inf, is_share=True)
    assert Pentanomial().estimate == Estimate(0.5, 0.0, 1.0, 0) and Sprt(0, 10).llr(Pentanomial()) == 0


@pytest.mark.parametrize("estimate", [share_of, mean, partial(ratio, [])])
def test_an_empty_sample_is_refused(estimate):
    with pytest.raises(ValueError, match="the sample is empty"):
        estimate([], "games")


@given(COUNTS)
def test_pairs_have_the_interval_of_as_many_games_as_have_their_variance(counts):
    points = np.repeat(PAIR_SCORES, counts)
    assume(len(points) > 1)
    result = pentanomial(2 * points)
    score, variance, size = points.mean(), points.var(ddof=1), result.pairs
    effective = score * (1 - score) / (variance / size) if variance else size
    assert result.counts == counts and size == len(points)
    found = result.estimate
    assert (found.value, found.low, found.high) == pytest.approx((score, *wilson(score * effective, effective)))


def log_likelihood(counts: Array, elo: float) -> float:
    """Return the greatest log-likelihood of shares with the score of ``elo``: where a concave function has no slope."""
    offsets = np.array(PAIR_SCORES) - expected_score(elo)
    limits = [-(1 - 1e-12) / offset for offset in (offsets[-1], offsets[0])]
    weight = scipy.optimize.brentq(lambda weight: (counts * offsets / (1 + weight * offsets)).sum(), *limits)
    return float(-(counts * np.log1p(weight * offsets)).sum())


@given(COUNTS, st.sampled_from([(0, 80), (0, 5), (-30, 300)]))
def test_the_likelihood_ratio_is_that_of_a_second_implementation(counts, elos):
    assume(any(counts))
    zero, one = (log_likelihood(np.maximum(counts, 0.1), elo) for elo in elos)
    test, result = Sprt(*elos), Pentanomial(counts)
    assert test.llr(result) == pytest.approx(one - zero, abs=1e-7)
    limit = math.log(0.95 / 0.05)
    assert test.bounds == pytest.approx((-limit, limit))
    assert test.verdict(result) == ("elo1" if one - zero >= limit else "elo0" if zero - one >= limit else None)


@pytest.mark.parametrize("won", [75.0, 100.0])
def test_the_rating_of_two_agents_by_hand(won):
    """A drawn game is added: p = (won + 0.5) / 101; Elo 400 log10(p / (1 - p)); error z 400 / ln 10 / sqrt(n p q)."""
    first, second = rate(np.array([[0, won], [100 - won, 0]]), np.array([[0.0, 100], [100, 0]]))
    part = (won + 0.5) / 101
    assert [first.elo, -second.elo] == pytest.approx([200 * math.log10(part / (1 - part))] * 2)
    spread = 1.959964 * 400 / math.log(10) / math.sqrt(101 * part * (1 - part))
    assert first.error == pytest.approx(spread / 2), "of the mean of both, half the error of the difference"
