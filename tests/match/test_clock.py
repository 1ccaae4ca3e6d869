"""The move clock runs from the first byte of a reply, as the server's does."""

from __future__ import annotations

import pytest

from bot.match.clock import MARGIN_S, MoveClock


def test_the_time_that_a_reply_takes_to_arrive_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("bot.match.clock.time.monotonic", lambda: now[0])
    clock = MoveClock(5.0, 0.2)
    now[0] += 60.0
    clock.reply_arrived(1.0, 0.75)
    assert clock.elapsed_s == 0.75
    assert clock.left_s == pytest.approx(5.0 - 0.75 - 1.0 - MARGIN_S)
    now[0] += 2.0
    assert clock.elapsed_s == 2.75
    clock.reply_arrived(1.0, 4.5)
    now[0] += 0.6
    assert clock.is_late
