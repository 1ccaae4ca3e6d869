"""Statistics of pairs and the sequential test, against scipy, against formulas, and against simulated matches."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from bot.lab.arena.pairs import EMPTY_COUNT, PAIR_SCORES, Pentanomial, Sprt, expected_score, pentanomial
from bot.lab.arena.statistics import Estimate, elo_difference, wilson
from tests.lab.simulate_sprt import OPENINGS, error_rate, log_likelihood

VALUES = np.array(PAIR_SCORES)


def variance(result: Pentanomial) -> float:
    """Return the unbiased variance of the pairs' mean points."""
    return float(np.var(np.repeat(VALUES, result.counts), ddof=1))


def test_counts_score_and_variance_by_hand() -> None:
    """1, 2, 2, 0.5 points: mean points of a game 5.5/8; pairs .5, 1, 1, .25 about .6875: (.0352+.0977*2+.1914)/3."""
    result = pentanomial([1.0, 2.0, 2.0, 0.5])
    assert result.counts == (0, 1, 1, 0, 2) and result.pairs == 4
    score, effective = 5.5 / 8, 4 * (5.5 / 8 * 2.5 / 8) / ((0.03515625 + 2 * 0.09765625 + 0.19140625) / 3)
    found = result.estimate
    assert (found.value, found.low, found.high) == pytest.approx((score, *wilson(score * effective, effective)))


def test_the_interval_is_the_normal_one_where_pairs_are_many() -> None:
    """The usual method: mean of the pairs +- 1.96 standard errors of that mean, mapped to Elo."""
    result = Pentanomial((400, 900, 2400, 1300, 500))
    half = 1.959964 * math.sqrt(variance(result) / result.pairs)
    mean, interval = result.estimate.value, (result.estimate.low, result.estimate.high)
    assert interval == pytest.approx((mean - half, mean + half), abs=2e-4)
    for score in (mean, *interval):
        assert elo_difference(score) == pytest.approx(400 * math.log10(score / (1 - score)))


def test_pairs_narrow_the_interval_where_openings_decide() -> None:
    """Each side wins with its opening: one point from every pair is strong evidence for equality, and so it counts."""
    decided = Pentanomial((0, 1, 98, 1, 0))
    low, high = decided.estimate.low, decided.estimate.high
    assert 0.49 < low < 0.5 < high < 0.51


@pytest.mark.parametrize("counts", [(0, 0, 0, 0, 5), (5, 0, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 9, 0, 0)])
def test_pairs_without_variance_count_as_single_games(counts: tuple[int, int, int, int, int]) -> None:
    result = Pentanomial(counts)
    low, high = result.estimate.low, result.estimate.high
    assert low <= result.estimate.value <= high and high - low > 0.3


def test_nothing_played_is_nothing_known() -> None:
    assert Pentanomial().estimate == Estimate(0.5, 0.0, 1.0, 0)
    assert Sprt(0, 10).llr(Pentanomial()) == 0.0


def constrained(counts: tuple[int, ...], elo: float) -> float:
    """Return the greatest log-likelihood of the counts whose mean is that of ``elo``, by a general optimiser."""
    weights = np.maximum(np.array(counts, dtype=float), EMPTY_COUNT)
    mean = 1 / (1 + 10 ** (-elo / 400))
    start = np.full(5, 0.2)
    from scipy.optimize import minimize  # each test process would import it

    found = minimize(
        lambda shares: -float(weights @ np.log(shares)),
        start,
        jac=lambda shares: -weights / shares,
        method="SLSQP",
        bounds=[(1e-12, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda shares: shares.sum() - 1},
            {"type": "eq", "fun": lambda shares: shares @ VALUES - mean},
        ],
        options={"ftol": 1e-13, "maxiter": 1000},
    )
    assert found.success, found.message
    return -float(found.fun)


@pytest.mark.parametrize(
    "counts", [(3, 11, 40, 17, 5), (20, 5, 2, 4, 30), (0, 1, 7, 1, 5), (1, 1, 3, 0, 9), (2, 30, 80, 20, 1)]
)
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 20), (-30, 30), (50, 200)])
def test_the_likelihood_ratio_is_that_of_a_general_optimiser(
    counts: tuple[int, int, int, int, int], elo0: float, elo1: float
) -> None:
    expected = constrained(counts, elo1) - constrained(counts, elo0)
    assert Sprt(elo0, elo1).llr(Pentanomial(counts)) == pytest.approx(expected, abs=2e-3, rel=1e-3)


def test_the_likelihood_ratio_is_near_its_normal_approximation() -> None:
    """N (s1 - s0) (2 s - s0 - s1) / (2 v) for small differences and many pairs."""
    result = Pentanomial((190, 1200, 3100, 1300, 210))
    s0, s1 = expected_score(0), expected_score(5)
    approximation = result.pairs * (s1 - s0) * (2 * result.estimate.value - s0 - s1) / (2 * variance(result))
    assert Sprt(0, 5).llr(result) == pytest.approx(approximation, rel=0.02)


def test_walds_bounds() -> None:
    """log(.05/.95) = -2.9444, log(.95/.05) = 2.9444."""
    assert Sprt(0, 10).bounds == pytest.approx((-2.944439, 2.944439))


def simulated_pair(rng: random.Random, elo: float) -> float:
    """Return a pair's points of an agent stronger by ``elo``: its opening favours one side, a fifth are drawish.

    The favour cancels out in the mean of a pair only because each side starts once; it is solved for below.
    """
    favour = rng.choice((-250.0, 0.0, 250.0))
    points = 0.0
    for sign in (1, -1):
        win = 0.8 * expected_score(elo + sign * favour)
        chance = rng.random()
        points += 1.0 if chance < win else 0.5 if chance < win + 0.2 else 0.0
    return points


def score_of(elo: float) -> float:
    """Return the exact expected score of `simulated_pair`."""
    favoured = [expected_score(elo + favour) for favour in (-250.0, 0.0, 250.0)]
    return 0.8 * (favoured[0] + favoured[1] + favoured[2]) / 3 + 0.1


def strength_for(elo: float) -> float:
    """Return what `simulated_pair` needs for a score that means ``elo`` (a favoured opening flattens differences)."""
    low, high = -2000.0, 2000.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if score_of(middle) < expected_score(elo) else (low, middle)
    return low


def outcomes(true_elo: float, test: Sprt, runs: int, seed: int) -> tuple[int, int, float]:
    """Return how many simulated matches accepted elo0 and elo1, and the mean number of pairs."""
    rng, strength = random.Random(seed), strength_for(true_elo)
    accepted, pairs = {"elo0": 0, "elo1": 0}, 0
    for _ in range(runs):
        points, verdict = list[float](), None
        while verdict is None:
            points.append(simulated_pair(rng, strength))
            verdict = test.verdict(pentanomial(points))
        accepted[verdict] += 1
        pairs += len(points)
    return accepted["elo0"], accepted["elo1"], pairs / runs


@pytest.mark.parametrize(("true_elo", "wrong"), [(0.0, "elo1"), (80.0, "elo0")])
def test_the_test_errs_as_seldom_as_it_promises(true_elo: float, wrong: str) -> None:
    """120 matches at 5 %: 12 errors or more would come with probability 0.02 from a test that keeps its promise."""
    zero, one, _ = outcomes(true_elo, Sprt(0, 80), 120, seed=20261122)
    assert {"elo0": zero, "elo1": one}[wrong] < 12


def test_the_compiled_simulation_has_the_same_likelihood_ratio() -> None:
    """Its root is found by Newton's method, and its counts are drawn here at random, many of them 0."""
    rng = random.Random(3)
    for _ in range(300):
        drawn = [rng.choice((0, 0, 1, 3, 10, 40)) for _ in PAIR_SCORES]
        counts = (drawn[0], drawn[1], drawn[2] + 1, drawn[3], drawn[4])
        elo0, elo1 = rng.choice(((0, 80), (0, 5), (-30, 300)))
        weights = np.maximum(np.array(counts, dtype=float), EMPTY_COUNT)
        expected = log_likelihood(weights, expected_score(elo1)) - log_likelihood(weights, expected_score(elo0))
        assert Sprt(elo0, elo1).llr(Pentanomial(counts)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("kind", OPENINGS)
@pytest.mark.parametrize("is_stronger", [False, True])
def test_error_rates_over_many_simulated_matches(kind: str, is_stronger: bool) -> None:
    """5,000 matches at 5 %: the 99.99 % point of the errors of a test that keeps its promise is 309."""
    assert error_rate(Sprt(0, 100), is_stronger, kind, 5_000)[0] <= 309 / 5_000


@pytest.mark.parametrize("pairs", [20, 200])
def test_the_interval_covers_the_truth_as_often_as_it_promises(pairs: int) -> None:
    """600 matches, 95 %: 543 to 594 are expected of such an interval (99.99 % of binomial draws)."""
    rng, strength = random.Random(pairs), strength_for(40.0)
    covered = 0
    for _ in range(600):
        result = pentanomial([simulated_pair(rng, strength) for _ in range(pairs)])
        low, high = result.estimate.low, result.estimate.high
        covered += low <= expected_score(40.0) <= high
    assert 543 <= covered <= 594


def test_expected_score_and_elo_are_inverse() -> None:
    assert [elo_difference(expected_score(elo)) for elo in (-300, 0, 7)] == pytest.approx([-300, 0, 7])
