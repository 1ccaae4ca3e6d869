"""Intervals and tests of the experiments, against formulas written out and against simulation."""

from __future__ import annotations

import math
import random
from statistics import NormalDist, mean

import pytest
from bot.lab.experiments.inference import Estimate
from hypothesis import given
from hypothesis import strategies as st

from bot.lab.experiments import inference

PAIRS = st.tuples(st.integers(0, 60), st.integers(1, 60)).filter(lambda pair: pair[0] <= pair[1])


@given(PAIRS, st.floats(0.01, 0.99))
def test_a_share_is_tested_by_its_own_interval(pair: tuple[int, int], boundary: float) -> None:
    found = inference.share(*pair)
    if min(abs(boundary - found.low), abs(boundary - found.high)) > 1e-6:
        assert (found.p_value(boundary) < 0.05) == (not found.low <= boundary <= found.high)


@given(st.floats(-5, 5), st.floats(0.01, 3), st.floats(0.01, 3), st.floats(-8, 8))
def test_any_number_is_tested_by_its_own_interval(value: float, below: float, above: float, boundary: float) -> None:
    found = Estimate(value, value - below, value + above, 9)
    if min(abs(boundary - found.low), abs(boundary - found.high)) > 1e-6:
        assert (found.p_value(boundary) < 0.05) == (not found.low <= boundary <= found.high)


def test_a_score_test_written_out() -> None:
    z = (30 / 50 - 0.5) / math.sqrt(0.25 / 50)
    assert inference.share(30, 50).p_value(0.5) == pytest.approx(2 * (1 - NormalDist().cdf(z)))
    assert inference.share(0, 0).p_value(0.5) == 1


@pytest.mark.parametrize(("freedom", "quantile"), [(1, 12.706), (4, 2.776), (5, 2.571), (9, 2.262), (30, 2.042)])
def test_students_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert inference.student(freedom) == pytest.approx(quantile, abs=0.005)


def test_intervals_cover_the_truth_as_often_as_they_promise() -> None:
    rng = random.Random(1)
    hits = {"mean": 0, "median": 0, "ratio": 0, "difference": 0}
    rounds = 1500
    for _ in range(rounds):
        sample = [rng.gauss(3, 2) for _ in range(12)]
        lower = [rng.uniform(50, 150) for _ in range(16)]
        upper = [2 * value + rng.gauss(0, 20) for value in lower]
        shares = [inference.share(sum(rng.random() < truth for _ in range(80)), 80) for truth in (0.7, 0.4)]
        found = {
            "mean": (inference.average(sample), 3.0),
            "median": (inference.middle([rng.expovariate(1) for _ in range(40)]), math.log(2)),
            "ratio": (inference.ratio(upper, lower), 2.0),
            "difference": (inference.difference(*shares), 0.3),
        }
        for name, (estimate, truth) in found.items():
            hits[name] += estimate.low <= truth <= estimate.high
    assert {name: 0.93 <= hit / rounds <= 0.985 for name, hit in hits.items()} == dict.fromkeys(hits, True), hits


def test_samples_of_one_decide_nothing() -> None:
    assert inference.average([3.0]).p_value(99) == 1
    assert inference.ratio([3.0], [1.0]).p_value(99) == 1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_the_step_down_procedure(p_values: list[float]) -> None:
    """Reject the smallest while it is below level / (number left); those have an adjusted p below the level."""
    level, rejected = 0.05, set()
    left = sorted(range(len(p_values)), key=lambda place: p_values[place])
    while left and p_values[left[0]] * len(left) < level:
        rejected.add(left.pop(0))
    adjusted = inference.holm(p_values)
    assert {place for place, value in enumerate(adjusted) if value < level} == rejected
    assert all(one >= other for one, other in zip(adjusted, p_values, strict=True))


def test_holm_bounds_the_chance_of_any_false_verdict() -> None:
    rng = random.Random(2)
    families = [[rng.random() for _ in range(30)] for _ in range(2000)]
    assert mean(min(inference.holm(family)) < 0.05 for family in families) < 0.065
    assert mean(min(family) < 0.05 for family in families) > 0.7, "without a correction"


def test_a_chance_of_twenty_in_a_row_has_the_bounds_of_one_game() -> None:
    chance = inference.chance_of_streak(inference.share(100, 100), 20)
    assert chance.value == chance.high == 1
    assert chance.low == pytest.approx(inference.share(100, 100).low ** 20) and chance.low < 0.5


def test_a_correlation_has_fishers_interval() -> None:
    xs = [float(number) for number in range(28)]
    ys = [number + 9 * math.sin(number) for number in xs]
    found = inference.correlation(xs, ys)
    centre = math.atanh(found.value)
    assert found.low == pytest.approx(math.tanh(centre - 1.959964 / 5))
    assert found.low < found.value < found.high < 1
