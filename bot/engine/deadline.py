"""A flag that a timer sets, for kernels to poll."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bot.engine.agent import Limit, Stop

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MARGIN_S = 0.02
"""Kept free before the cap: a busy machine wakes the timer late, and the move must still be handed over."""


def time_left_s(limit: Limit, wanted_s: float, spent_s: float) -> float:
    """How long a search may still run that wants ``wanted_s`` in all and has spent ``spent_s``; may be negative."""
    cap_s = limit.hard_s - min(MARGIN_S, limit.hard_s / 4)
    return min(wanted_s, cap_s) - spent_s


@contextmanager
def deadline_flag(left_s: float) -> Iterator[NDArray[np.uint8]]:
    """A flag array of one element that becomes 1 after ``left_s`` seconds (at once when that is not positive).

    A timer thread sets it; kernels run without the interpreter's lock, so the timer always gets its turn.
    """
    alarm = Stop()
    if left_s <= 0:
        alarm.set()
        yield alarm.flag
        return
    timer = threading.Timer(left_s, alarm.set)
    timer.daemon = True
    timer.start()
    try:
        yield alarm.flag
    finally:
        timer.cancel()
