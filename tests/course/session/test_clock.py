"""The move clock by exact seconds: it runs from a reply's first byte, as the server's does."""

from __future__ import annotations

import pytest

from bot.course.session.clock import MoveClock

FRESH = MoveClock().start(100.0, 5.0)


def test_a_fresh_clock_leaves_the_limit_less_the_margin() -> None:
    assert FRESH.left_s(100.0) == 5.0 - 0.35
    assert FRESH.left_s(103.0) == pytest.approx(2.0 - 0.35)
    assert FRESH.left_s(106.0) == pytest.approx(-1.0 - 0.35)


def test_the_time_that_a_replys_body_takes_is_ours() -> None:
    clock = FRESH.replied(109.25, 108.25, 5.0)
    assert clock.late_at == clock.choose_until == 114.25
    assert clock.overheads_s == (1.0,)
    assert clock.left_s(110.0) == pytest.approx(5.0 - 0.75 - 1.0 - 0.35)


def test_a_reply_that_began_before_its_move_was_chosen_is_no_negative_overhead() -> None:
    assert FRESH.replied(110.0, 110.5, 5.0).overheads_s == (0.0,)


@pytest.mark.parametrize(("count", "percentile"), [(1, 0), (2, 1), (19, 18), (20, 19), (21, 19), (40, 38)])
def test_a_high_percentile_of_the_overheads_is_subtracted(count: int, percentile: int) -> None:
    clock = FRESH
    for number in reversed(range(count)):
        clock = clock.replied(100.0, 100.0 - number / 100, 5.0)
    assert clock.left_s(100.0) == pytest.approx(5.0 - percentile / 100 - 0.35)


def test_only_the_last_fifty_overheads_count() -> None:
    clock = FRESH.replied(100.0, 98.0, 5.0)
    for _ in range(49):
        clock = clock.replied(100.0, 100.0, 5.0)
    assert (len(clock.overheads_s), clock.overheads_s[0]) == (50, 2.0)
    clock = clock.replied(100.0, 99.0, 5.0)
    assert (len(clock.overheads_s), clock.overheads_s[0], clock.overheads_s[-1]) == (50, 0.0, 1.0)


def test_however_slow_the_network_half_of_the_limit_is_for_choosing() -> None:
    clock = FRESH.replied(100.0, 40.0, 5.0)
    assert clock.left_s(100.0) == pytest.approx(2.5 - 0.35)


def test_after_a_lost_reply_two_seconds_are_granted_but_never_less_than_were_left() -> None:
    assert FRESH.lost(101.0).left_s(101.0) == pytest.approx(4.0 - 0.35)
    assert FRESH.lost(103.0).left_s(103.0) == pytest.approx(2.0 - 0.35)
    late = FRESH.lost(160.0)
    assert late.left_s(160.0) == pytest.approx(2.0 - 0.35)
    assert late.late_at == 105.0
    assert late.until_late_s(160.0) == -55.0
    assert late.start(200.0, 5.0).left_s(200.0) == 5.0 - 0.35
