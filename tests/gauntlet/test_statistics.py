"""Estimates and tests and the sequential test against scipy and numpy; ratings by hand."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
import scipy  # loads its parts when they are used
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bot.gauntlet.arena.statistics import (
    PAIR_SCORES,
    elo_difference,
    pentanomial,
    rate,
    share,
    tally,
    wilson,
)

Array = NDArray[np.float64]
COUNTS = st.lists(st.integers(0, 40), min_size=5, max_size=5).map(tuple)


def test_a_share_has_wilsons_interval():
    for successes, size in product((0, 1, 7, 10, 19, 20, 400), (20, 399, 400)):
        if successes <= size:
            found = share(successes, size)
            theirs = scipy.stats.binomtest(successes, size).proportion_ci(method="wilson")
            assert [found.low, found.high] == pytest.approx([*theirs], abs=1e-6)
            assert (found.low == 0, found.high == 1) == (successes == 0, successes == size), "exactly at the ends"


def test_a_score_counts_every_game_and_its_interval_only_different_ones():
    said = tally([1, 1, 1, 0.5, 0], [1, 0.5, 0])
    assert (said["won"], said["drawn"], said["lost"], said["score"]) == (3, 1, 1, 0.7)
    assert said["score_interval"] == [*wilson(1.5, 3)]


def test_an_elo_difference_is_that_of_its_score():
    assert [elo_difference(share) for share in (10 / 11, 1 / 2, 1 / 11)] == pytest.approx([400, 0, -400])
    assert elo_difference(1.0) is elo_difference(0.0) is None, "infinite"


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


@pytest.mark.parametrize("won", [75.0, 100.0])
def test_the_rating_of_two_agents_by_hand(won):
    """A drawn game is added: p = (won + 0.5) / 101; Elo 400 log10(p / (1 - p)); error z 400 / ln 10 / sqrt(n p q)."""
    (first, error), (second, _) = rate(np.array([[0, won], [100 - won, 0]]), np.array([[0.0, 100], [100, 0]]))
    part = (won + 0.5) / 101
    assert [first, -second] == pytest.approx([200 * math.log10(part / (1 - part))] * 2)
    spread = 1.959964 * 400 / math.log(10) / math.sqrt(101 * part * (1 - part))
    assert error == pytest.approx(spread / 2), "of the mean of both, half the error of the difference"
