"""Time that passes only when a test says so, for the clock and the timers of the engine."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import Mock

import pytest

Act = Callable[[], object]
"""What a timer calls when its time has come."""


class VirtualTime:
    """Stands in for `time.perf_counter` and `threading.Timer`.

    A timer that is started is recorded and what it calls is handed to ``on_timer``, which may call it and set the
    clock; by default nothing happens, so a search is never interrupted.
    """

    def __init__(self) -> None:
        self.now = 1000.0
        self.intervals: list[float] = []
        """Seconds that each started timer waits."""
        self.on_timer: Callable[[Act], object] = lambda _act: None

    def perf_counter(self) -> float:
        """Return the present time, seconds."""
        return self.now

    def timer(self, interval: float, act: Act) -> Mock:
        """Make a timer, as `threading.Timer` does."""

        def start() -> None:
            self.intervals.append(interval)
            self.on_timer(act)

        return Mock(start=start)


def fire(act: Act) -> None:
    """Let a timer's time come as soon as it is started."""
    act()


@contextmanager
def virtual_time() -> Iterator[VirtualTime]:
    """Replace the clock and the timers during the block."""
    clock = VirtualTime()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "perf_counter", clock.perf_counter)
        patch.setattr(threading, "Timer", clock.timer)
        yield clock
