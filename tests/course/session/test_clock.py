"""The move clock's allowance for what a move has cost so far; the transcripts show the rest."""

from __future__ import annotations

import pytest

from bot.course.learnt import MoveClock


@pytest.mark.parametrize(("count", "percentile"), [(1, 0), (21, 19), (60, 47)])
def test_a_high_percentile_of_the_last_fifty_overheads_is_subtracted(count: int, percentile: int) -> None:
    clock = MoveClock().start(100.0, 5.0)
    for number in reversed(range(count)):
        clock = clock.replied(100.0, 100.0 - number / 100, 5.0)
    assert clock.left_s(100.0) == pytest.approx(5.0 - percentile / 100 - 0.35)
