"""The move clock by exact seconds: it runs from a reply's first byte, as the server's does."""

from __future__ import annotations

import pytest

from bot.course.session.clock import MoveClock

FRESH = MoveClock().start(100.0, 5.0)
LEFT_S = [
    ("a fresh clock leaves the limit less the margin", FRESH, 103.0, 2.0 - 0.35),
    ("it starts with a reply's first byte", FRESH.replied(109.25, 108.25, 5.0), 110.0, 5.0 - 0.75 - 1.0 - 0.35),
    ("no overhead is negative", FRESH.replied(110.0, 110.5, 5.0), 110.0, 5.0 - 0.35),
    ("half of the limit is for choosing", FRESH.replied(100.0, 40.0, 5.0), 100.0, 2.5 - 0.35),
    ("a lost reply takes no time away", FRESH.lost(101.0), 101.0, 4.0 - 0.35),
    ("a lost reply grants two seconds", FRESH.lost(160.0), 160.0, 2.0 - 0.35),
]


@pytest.mark.parametrize(("clock", "at", "left_s"), [row[1:] for row in LEFT_S], ids=[row[0] for row in LEFT_S])
def test_the_time_left_for_a_move(clock: MoveClock, at: float, left_s: float) -> None:
    assert clock.left_s(at) == pytest.approx(left_s)


def test_a_lost_reply_does_not_move_the_limit_itself() -> None:
    assert FRESH.lost(160.0).until_late_s(160.0) == -55.0


@pytest.mark.parametrize(("count", "percentile"), [(1, 0), (20, 19), (21, 19), (40, 38), (60, 47)])
def test_a_high_percentile_of_the_last_fifty_overheads_is_subtracted(count: int, percentile: int) -> None:
    clock = FRESH
    for number in reversed(range(count)):
        clock = clock.replied(100.0, 100.0 - number / 100, 5.0)
    assert clock.left_s(100.0) == pytest.approx(5.0 - percentile / 100 - 0.35)
