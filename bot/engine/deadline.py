"""The deadline of one choice or solution: a flag that a timer sets and that kernels poll."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.engine.agent import NO_LIMIT_S, StopFlag

if TYPE_CHECKING:
    from bot.engine.jit.arrays import Flag

MARGIN_S = 0.02
"""Seconds kept free before the cap: a busy machine wakes the timer late, and the move must still be handed over."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time at which a search must end, by default never, and the flags that kernels poll."""

    at_s: float = math.inf
    """By ``time.perf_counter``."""
    stop: StopFlag = field(default_factory=StopFlag)
    """The caller's flag."""
    alarm: StopFlag = field(default_factory=StopFlag)
    """The timer's flag."""

    @property
    def flags(self) -> tuple[Flag, Flag]:
        """The caller's flag and the timer's, in the order in which kernels take them."""
        return self.stop.flag, self.alarm.flag

    @property
    def is_over(self) -> bool:
        """Whether the search must end. Reads the clock too, because the timer's thread may be waiting for the GIL."""
        return self.stop.is_set or self.alarm.is_set or time.perf_counter() >= self.at_s


@contextmanager
def deadline(hard_s: float, wanted_s: float, start: float, stop: StopFlag | None) -> Iterator[Deadline]:
    """Provide the deadline of a choice begun at ``start`` (``time.perf_counter``) that wants ``wanted_s`` seconds.

    It is never later than the cap ``hard_s`` less a margin.
    """
    cap_s = hard_s - min(MARGIN_S, hard_s / 2)
    clock = Deadline(start + min(wanted_s, cap_s), stop or StopFlag())
    with after(clock.at_s - time.perf_counter(), clock.alarm.set):
        yield clock


@contextmanager
def after(seconds: float, act: Callable[[], object]) -> Iterator[None]:
    """Call ``act`` after that time, unless the body has ended; kernels release the GIL, so that the timer can run.

    About `NO_LIMIT_S` or more needs no timer, whose thread takes longer to make than a shallow search; and no system
    has one for infinity.
    """
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    if seconds <= 0:
        act()
    elif seconds < NO_LIMIT_S - 1:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def seconds_until(end: float | None) -> float | None:
    """Return the seconds until ``end`` (``time.perf_counter``), at least 0; None where there is no end."""
    return None if end is None else max(0.0, end - time.perf_counter())
