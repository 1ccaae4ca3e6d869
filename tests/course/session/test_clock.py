"""The move clock by exact seconds: it runs from a reply's first byte, as the server's does."""

from __future__ import annotations

import pytest

from bot.course.session.clock import AFTER_LOST_REPLY_S, MARGIN_S, MoveClock

FRESH = MoveClock(limit_s=5.0).start(100.0)


def test_a_fresh_clock_leaves_the_limit_less_the_margin() -> None:
    assert MoveClock().limit_s == 5.0
    assert FRESH.left_s(100.0) == 5.0 - MARGIN_S
    assert FRESH.left_s(103.0) == pytest.approx(2.0 - MARGIN_S)
    assert FRESH.left_s(106.0) == pytest.approx(-1.0 - MARGIN_S)


def test_the_time_that_a_replys_body_takes_is_ours() -> None:
    clock = FRESH.replied(110.0, latency_s=1.75, body_s=0.75)
    assert clock.started_at == clock.choosing_from == 109.25
    assert clock.round_trips_s == (1.0,)
    assert clock.left_s(110.0) == pytest.approx(5.0 - 0.75 - 1.0 - MARGIN_S)


def test_a_body_longer_than_the_round_trip_is_no_negative_trip() -> None:
    assert FRESH.replied(110.0, latency_s=0.5, body_s=0.75).round_trips_s == (0.0,)


def test_a_move_is_late_after_the_limit() -> None:
    assert not FRESH.is_late(105.0)
    assert FRESH.is_late(105.001)


def test_trips_and_disk_writes_are_taken_off_by_a_high_percentile() -> None:
    clock = FRESH
    for number in range(40):
        clock = clock.replied(100.0, latency_s=number / 100, body_s=0.0).recorded(number / 1000)
    assert clock.left_s(100.0) == pytest.approx(5.0 - 0.38 - 0.038 - MARGIN_S)


@pytest.mark.parametrize(("count", "percentile"), [(1, 0), (2, 1), (19, 18), (20, 19), (21, 19)])
def test_the_percentile_of_few_durations_is_nearly_the_longest(count: int, percentile: int) -> None:
    clock = FRESH
    for number in reversed(range(count)):
        clock = clock.recorded(number / 100)
    assert clock.left_s(100.0) == pytest.approx(5.0 - percentile / 100 - MARGIN_S)


def test_only_the_last_fifty_durations_count() -> None:
    clock = FRESH.recorded(2.0).replied(100.0, 2.0, 0.0)
    for _ in range(49):
        clock = clock.recorded(0.0).replied(100.0, 0.0, 0.0)
    assert (len(clock.records_s), len(clock.round_trips_s)) == (50, 50)
    assert (clock.records_s[0], clock.round_trips_s[0]) == (2.0, 2.0)
    clock = clock.recorded(0.1).replied(100.0, 0.2, 0.0)
    assert (len(clock.records_s), clock.records_s[0], clock.records_s[-1]) == (50, 0.0, 0.1)
    assert (len(clock.round_trips_s), clock.round_trips_s[0], clock.round_trips_s[-1]) == (50, 0.0, 0.2)


def test_however_slow_the_network_half_of_the_limit_is_for_choosing() -> None:
    clock = FRESH.replied(100.0, latency_s=60.0, body_s=0.0).recorded(9.0)
    assert clock.left_s(100.0) == pytest.approx(2.5 - MARGIN_S)


def test_after_a_lost_reply_two_seconds_are_granted_but_never_less_than_were_left() -> None:
    assert FRESH.lost(101.0).left_s(101.0) == pytest.approx(4.0 - MARGIN_S)
    assert FRESH.lost(103.0).left_s(103.0) == pytest.approx(AFTER_LOST_REPLY_S - MARGIN_S)
    late = FRESH.lost(160.0)
    assert late.left_s(160.0) == pytest.approx(AFTER_LOST_REPLY_S - MARGIN_S)
    assert late.started_at == 100.0
    assert late.is_late(160.0)
    assert late.start(200.0).left_s(200.0) == 5.0 - MARGIN_S
