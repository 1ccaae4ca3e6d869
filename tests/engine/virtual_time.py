"""Time that passes only when a test says so, for the clock and the timers of the engine."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest


class VirtualTime:
    """Stands in for `time.perf_counter` and `threading.Timer`.

    A timer that is started is recorded and handed to ``on_timer``, which may fire it and set the clock; by default
    nothing happens, so a search is never interrupted.
    """

    def __init__(self) -> None:
        self.now = 1000.0
        self.intervals: list[float] = []
        """Seconds that each started timer waits."""
        self.on_timer: Callable[[VirtualTimer], None] = lambda _timer: None

    def perf_counter(self) -> float:
        """Return the present time, seconds."""
        return self.now

    def timer(self, interval: float, function: Callable[..., None], args: Sequence[Any] = ()) -> VirtualTimer:
        """Make a timer, as `threading.Timer` does."""
        return VirtualTimer(self, interval, partial(function, *args))


class VirtualTimer:
    """A timer of `VirtualTime`."""

    def __init__(self, clock: VirtualTime, interval: float, function: Callable[[], None]) -> None:
        self.daemon = False
        self._function = function
        self._clock = clock
        self._interval = interval

    def start(self) -> None:
        """Record the interval and let the test act."""
        self._clock.intervals.append(self._interval)
        self._clock.on_timer(self)

    def fire_now(self) -> None:
        """Call the timer's function: its time has come."""
        self._function()

    def cancel(self) -> None:
        """Do nothing: a virtual timer fires only when a test fires it."""

    def join(self) -> None:
        """Do nothing: a virtual timer has no thread."""


@contextmanager
def virtual_time() -> Iterator[VirtualTime]:
    """Replace the clock and the timers during the block."""
    clock = VirtualTime()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "perf_counter", clock.perf_counter)
        patch.setattr(threading, "Timer", clock.timer)
        yield clock
