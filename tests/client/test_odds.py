"""Odds from waits: what they learn, and that they prove nothing."""

from __future__ import annotations

import random

import pytest

from bot.client.odds import FateOdds


def measured(seed: int = 1, cases: int = 0) -> FateOdds:
    """Replies after about 10 ms; failures before the work after about 1 ms, of which so many cases are settled."""
    chance = random.Random(seed)
    odds = FateOdds()
    for _ in range(50):
        odds.replied(0.01 * chance.lognormvariate(0, 0.3))
    for _ in range(cases):
        odds.settled(0.001 * chance.lognormvariate(0, 0.3), processed=False)
    return odds


def test_nothing_known_is_even() -> None:
    assert FateOdds().processed(0.01) == 0.5
    assert measured().processed(None) == 0.5
    assert FateOdds().doubt == 0.5


@pytest.mark.parametrize("cases", [0, 20])
def test_what_fails_at_once_was_hardly_processed_and_what_takes_as_long_as_a_reply_probably_was(cases: int) -> None:
    odds = measured(cases=cases)
    assert odds.processed(0.001) < 0.06
    assert odds.processed(0.010) > 0.8
    assert 0 < odds.doubt < 0.2


def test_settled_cases_sharpen_and_correct_the_odds() -> None:
    assert measured(cases=20).processed(0.010) > measured().processed(0.010)
    slow = measured()
    for _ in range(40):
        slow.settled(0.01, processed=False)
    assert slow.processed(0.01) < 0.75, "here failures take as long as replies do, whatever was done"


@pytest.mark.parametrize("wait_s", [0.0, 1e-9, 1e-3, 1.0, 20.0, 1e6])
def test_no_wait_proves_anything(wait_s: float) -> None:
    assert 0.0005 < measured(cases=50).processed(wait_s) < 0.9995


def test_what_kills_of_our_own_process_have_come_to_is_learnt() -> None:
    odds = FateOdds()
    guess = odds.killed
    for _ in range(20):
        odds.killed_over(processed=False)
    assert odds.killed < 0.2 < guess
    for _ in range(100):
        odds.killed_over(processed=True)
    assert odds.killed > 0.8


def test_with_many_cases_the_first_guess_no_longer_counts() -> None:
    assert measured(cases=80).processed(0.005) > measured(cases=3).processed(0.005)
    assert measured(cases=80).processed(0.005) > 0.8, "half of a reply's wait, five times a failure's"
