"""Estimates and tests against scipy and numpy; the sequential test against simulated matches; ratings by hand."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
import scipy  # loads its parts when they are used
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bot.lab.arena.pairs import EMPTY_COUNT, PAIR_SCORES, Pentanomial, Sprt, pentanomial
from bot.lab.arena.statistics import Estimate, rate, share, wilson
from bot.lab.experiments.statistics import Units, holm, jackknife, likelihood, p_value, same_shares
from tests.lab.simulate_sprt import OPENINGS, error_rate, log_likelihood

Array = NDArray[np.float64]
COUNTS = st.lists(st.integers(0, 40), min_size=5, max_size=5).map(tuple)


def test_a_share_has_wilsons_interval_and_the_score_test() -> None:
    for successes, size in product((0, 1, 7, 10, 19, 20, 400), (20, 399, 400)):
        if successes <= size:
            found = share(successes, size)
            theirs = scipy.stats.binomtest(successes, size).proportion_ci(method="wilson")
            assert [found.low, found.high] == pytest.approx([*theirs], abs=1e-6)
            assert (found.low == 0, found.high == 1) == (successes == 0, successes == size), "exactly at the ends"
            score = (successes / size - 0.4) / math.sqrt(0.24 / size)
            assert p_value(found, 0.4) == pytest.approx(2 * scipy.stats.norm.sf(abs(score)))


def mean_of(sample: Array, units: list[Units]) -> Estimate:
    """Return the mean of a sample with its error over units."""
    return jackknife(lambda weights: float(weights @ sample / weights.sum()), units, "unit")


@pytest.mark.parametrize("size", [2, 4, 100])
def test_the_jackknife_of_a_mean_is_the_t_test(size: int) -> None:
    sample = np.random.default_rng(size).normal(3, 2, size)
    theirs = scipy.stats.ttest_1samp(sample, 2.5)
    found, interval = mean_of(sample, [np.arange(size)]), theirs.confidence_interval()
    assert [found.low, found.high, p_value(found, 2.5)] == pytest.approx([*interval, theirs.pvalue])
    assert (found.size, found.unit, found.is_exact) == (size, "unit", False)


def test_crossed_units_have_the_error_of_cameron_gelbach_and_miller() -> None:
    cells = np.random.default_rng(3).normal(0, 1, (8, 6)) + np.arange(6)
    found = mean_of(cells.ravel(), [*np.indices(cells.shape).reshape(2, -1)])
    rows, columns, both = (part.var(ddof=1) / part.size for part in (cells.mean(axis=1), cells.mean(axis=0), cells))
    assert found.error**2 == pytest.approx(max(rows + columns - both, rows, columns)) and found.freedom == 5


@pytest.mark.filterwarnings("ignore:invalid value")
def test_what_says_nothing_of_its_error_decides_nothing() -> None:
    """One unit, or units without spread; but one draw decides whether a share is possible."""
    alone, same = (jackknife(lambda _weights: 0.1, [np.arange(size)], "row") for size in (1, 5))
    assert (alone.low, alone.high, p_value(alone, 0), p_value(same, 0.9)) == (-np.inf, np.inf, 1, 1)
    assert p_value(share(1, 20), 0) == p_value(share(19, 20), 1) == 0
    assert p_value(share(0, 20), 0) == 1 and p_value(share(0, 20), 0.5) < 0.001


def test_holm_adjusts_step_by_step() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == [] and max(holm([0.9, 0.8])) == 1.0


def test_a_printed_table_is_as_likely_as_tables_of_the_same_draws() -> None:
    draws = [[*"WWWD"], [*"LLLL"]]
    likely, unlikely = likelihood(["W", "L"], draws), likelihood(["L", "W"], draws)
    assert [*likely] == pytest.approx([math.log(3.5 / 5.5 * 4.5 / 5.5), 1])
    assert [*unlikely] == pytest.approx([math.log(0.5 / 5.5 * 0.5 / 5.5), 1 / 121], abs=0.015)


def test_shares_are_compared_as_scipy_compares_large_counts() -> None:
    one, other = np.array([[200.0, 120, 80]]), np.array([[180.0, 152, 68]])
    theirs = scipy.stats.chi2_contingency([one[0], other[0]], lambda_="log-likelihood").pvalue
    assert same_shares(one, other) == pytest.approx(theirs, abs=0.03) and same_shares(one, one) == 1


def test_nothing_played_is_nothing_known() -> None:
    assert share(0, 0) == Estimate(0.0, 0.0, 1.0, 0, error=math.inf, is_share=True)
    assert Pentanomial().estimate == Estimate(0.5, 0.0, 1.0, 0) and Sprt(0, 10).llr(Pentanomial()) == 0


@given(COUNTS)
def test_pairs_have_the_interval_of_as_many_games_as_have_their_variance(counts: tuple[int, ...]) -> None:
    points = np.repeat(PAIR_SCORES, counts)
    assume(len(points) > 1)
    result = pentanomial(2 * points)
    score, variance, size = points.mean(), points.var(ddof=1), result.pairs
    effective = score * (1 - score) / (variance / size) if variance else size
    assert result.counts == counts and size == len(points)
    found = result.estimate
    assert (found.value, found.low, found.high) == pytest.approx((score, *wilson(score * effective, effective)))


@given(COUNTS, st.sampled_from([(0, 80), (0, 5), (-30, 300)]))
def test_the_likelihood_ratio_is_that_of_a_second_implementation(
    counts: tuple[int, ...], elos: tuple[float, float]
) -> None:
    assume(any(counts))
    weights = np.maximum([counts], EMPTY_COUNT)
    zero, one = (log_likelihood(weights, elo)[0] for elo in elos)
    test, result = Sprt(*elos), Pentanomial(counts)
    assert test.llr(result) == pytest.approx(one - zero, abs=1e-7)
    limit = math.log(0.95 / 0.05)
    assert test.verdict(result) == ("elo1" if one - zero >= limit else "elo0" if zero - one >= limit else None)


@pytest.mark.parametrize("kind", OPENINGS)
@pytest.mark.parametrize("is_stronger", [False, True])
def test_the_sequential_test_errs_as_seldom_as_it_promises(kind: str, is_stronger: bool) -> None:
    """400 matches at 5 %: 37 errors or more come with probability 0.0003 from a test that keeps its promise."""
    assert error_rate(Sprt(0, 100), is_stronger, kind, 400)[0] < 37 / 400


@pytest.mark.parametrize("won", [75.0, 100.0])
def test_the_rating_of_two_agents_by_hand(won: float) -> None:
    """A drawn game is added: p = (won + 0.5) / 101; Elo 400 log10(p / (1 - p)); error z 400 / ln 10 / sqrt(n p q)."""
    first, second = rate(np.array([[0, won], [100 - won, 0]]), np.array([[0.0, 100], [100, 0]]))
    part = (won + 0.5) / 101
    assert [first.elo, -second.elo] == pytest.approx([200 * math.log10(part / (1 - part))] * 2)
    spread = 1.959964 * 400 / math.log(10) / math.sqrt(101 * part * (1 - part))
    assert first.error == pytest.approx(spread / 2), "of the mean of both, half the error of the difference"
