"""Verdicts: of one number, of several readings together, and the sentences that show them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.lab.arena.statistics import Estimate, share
from bot.lab.replication.findings import (
    above,
    below,
    certain,
    crosses,
    pool,
    readings_above,
    readings_below,
    shown,
)
from bot.lab.replication.statistics import exact, mean

VERDICTS = [
    # estimate, verdict on "above 1", verdict on "below 1"
    (Estimate(2, 1.1, 3, 9), "supported", "refuted"),
    (Estimate(0, -1, 0.9, 9), "refuted", "supported"),
    (Estimate(2, 0.9, 3, 9), "undecided", "undecided"),
    (Estimate(2, 1, 3, 9), "undecided", "undecided"),
    (Estimate(2, -math.inf, math.inf, 1), "undecided", "undecided"),
    (exact(2), "supported", "refuted"),
    (exact(0), "refuted", "supported"),
    (exact(1), "refuted", "refuted"),
]


@pytest.mark.parametrize(("estimate", "over", "under"), VERDICTS)
def test_the_interval_decides_on_which_side_a_number_lies(estimate, over, under):
    one, other = above(estimate, 1, "games", "So."), below(estimate, 1, "games", "So.")
    assert (one.verdict, one.stated, other.verdict, other.stated) == (over, "above 1", under, "below 1")
    assert (one.estimate, one.unit, one.sentence) == (estimate, "games", "So.")


@pytest.mark.parametrize(
    ("value", "stated", "margin", "verdict"),
    [
        (42, 42, 0, "supported"),
        (41, 42, 0, "refuted"),
        (0.1 + 0.2, 0.3, 0, "supported"),
        (45.834, 45.83, 0.005, "supported"),
        (45.836, 45.83, 0.005, "refuted"),
    ],
)
def test_a_number_without_chance_is_equal_to_within_its_margin(value, stated, margin, verdict):
    found = certain(value, stated, "cells", "So.", margin=margin)
    assert (found.verdict, found.stated, found.estimate) == (verdict, f"equal to {stated:g}", exact(value))


def games(*won: int, of: int = 100) -> list[Estimate]:
    """Return a share of games won for each reading."""
    return [share(each, of, "games") for each in won]


TOGETHER = """\
80 90 70 | supported
80 90 49 | supported
20 10 30 | not reproduced
20 10 51 | not reproduced
80 90 20 | depends on the reading
10 20 80 | depends on the reading
52 49 50 | undecided
80       | supported
20       | not reproduced
0.6 0.7  | supported
0.4 0.5  | not reproduced
0.6 0.5  | depends on the reading
0.6      | supported"""
"""Games of 100 that were won in each reading, or numbers without chance; 49 and 51 may well be a half."""


@pytest.mark.parametrize("line", TOGETHER.splitlines())
def test_readings_are_judged_together(line):
    numbers, verdict = line.split(" | ")
    estimates = [exact(float(each)) if "." in each else share(int(each), 100, "games") for each in numbers.split()]
    assert readings_above(estimates, 0.5, "share", "So.", exist=9).verdict == verdict
    others = [exact(1 - one.value) if one.is_exact else _reflected(one) for one in estimates]
    assert readings_below(others, 0.5, "share", "So.", exist=9).verdict == verdict


def _reflected(one: Estimate) -> Estimate:
    return share(round((1 - one.value) * one.size), one.size, one.sample)


def test_the_sentence_on_readings_has_their_range_and_sides_and_the_estimate_is_their_mean():
    found = readings_above(games(20, 60, 70), 0.5, "share", "X wins.", exist=12)
    assert found.sentence == (
        "X wins. Over the readings that were played (3 of 12) the share ranges from 0.2 to 0.7;"
        " in 2 it is above 0.5, in 1 not."
    )
    assert (found.unit, found.stated) == ("share, mean of readings", "above 0.5")
    assert found.estimate is not None and (found.estimate.value, found.estimate.size) == (0.5, 300)


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (exact(2 / 3), "0.667, without chance"),
        (exact(999.7), "1,000, without chance"),
        (games(50)[0], "0.5 (0.404 to 0.596; 100 games)"),
        (Estimate(-0.0, -12345.6, 1000.4, 1234, "games"), "0 (-12,346 to 1,000; 1,234 games)"),
    ],
)
def test_a_number_is_shown_with_its_interval_and_three_digits_or_all_before_the_point(estimate, text):
    assert shown(estimate) == text


READINGS = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 40)).map(lambda won: share(min(won), won[1], "games")),
    min_size=1,
    max_size=12,
)


@given(READINGS, st.sampled_from([0.1, 0.5, 0.9]))
def test_what_holds_in_no_reading_is_never_undecided(estimates, bound):
    verdict = readings_above(estimates, bound, "share", "", exist=40).verdict
    opposite = readings_below(estimates, bound, "share", "", exist=40).verdict
    if all(one.value <= bound for one in estimates):
        assert verdict == "not reproduced"
    if all(one.value >= bound for one in estimates) and estimates[0].value > bound:
        assert verdict in ("supported", "undecided")
    assert (verdict == "depends on the reading") == (opposite == "depends on the reading")
    assert verdict != "supported" or opposite == "not reproduced", "never both"


def test_the_mean_of_readings_by_hand():
    """Two means of four numbers: errors sqrt(5/3)/2 and twice that; the mean's is half the root of their squares."""
    one, other = mean([1, 2, 3, 4], "games"), mean([2, 4, 6, 8], "games")
    found, variances = pool([one, other]), (5 / 12, 20 / 12)
    assert (found.value, found.size, found.sample) == (3.75, 8, "games")
    assert found.error == pytest.approx(math.sqrt(sum(variances)) / 2)
    assert pool([exact(1), exact(2)]) == exact(1.5)
    assert pool(games(50, 50)).low == pytest.approx(share(100, 200).low), "as one sample of all games"


@pytest.mark.parametrize(("count", "critical"), [(2, 2.71), (3, 4.23), (4, 5.43), (5, 6.50)])
def test_readings_cross_at_the_critical_values_that_gail_and_simon_print(count, critical):
    """Table 1 of Biometrics 41 (1985), level 5 %: a share's squared score at 1/2 is 4 n (share - 1/2)^2.

    For three readings by hand: P = 1/2 erfc(sqrt(Q / 2)) + 1/4 exp(-Q / 2), which is 0.05 at Q = 4.23.
    """
    size = 10**8
    if count == 3:
        assert math.erfc(math.sqrt(critical / 2)) / 2 + math.exp(-critical / 2) / 4 == pytest.approx(0.05, abs=2e-4)
    for squared, expected in ((critical - 0.02, False), (critical + 0.02, True)):
        below_half = size // 2 - round(math.sqrt(squared * size) / 2)
        readings = [*games(below_half, of=size), *games(*[size * 9 // 10] * (count - 1), of=size)]
        assert crosses(readings, 0.5) == crosses(readings, 0.5, -1) == expected
    assert not crosses(games(10), 0.5), "one reading cannot differ from itself"
