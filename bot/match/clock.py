"""The move clock: five seconds from the first byte of a reply to the arrival of our next move."""

from __future__ import annotations

import time
from collections import deque

from bot.engine import Limit

MARGIN_S = 0.35
"""Kept back for a busy machine's scheduler, a late timer and a disk slower than it has been so far."""
SHORTEST_S = 0.05
"""Even when the clock has run out a move is chosen, in so much time: late is better than never."""
LOST_REPLY_S = 2.0
"""After a lost reply at least so much: the server's clock may have begun anew, and the choice is a hard one."""


class MoveClock:
    """Knows how long the next choice may take. Durations come from the monotonic clock, which no one sets back."""

    def __init__(self, limit_s: float, think_s: float) -> None:
        self._limit_s = limit_s
        self._think_s = think_s
        self._arrived = time.monotonic()
        self._thinking_from = self._arrived
        self._round_trips: deque[float] = deque(maxlen=50)
        self._records: deque[float] = deque(maxlen=50)

    def reply_arrived(self, latency_s: float, body_s: float = 0.0) -> None:
        """Start the clock at a reply's first byte, ``body_s`` ago; the whole round trip took ``latency_s``."""
        self._arrived = self._thinking_from = time.monotonic() - body_s
        self._round_trips.append(latency_s)

    def reply_lost(self) -> None:
        """No reply is here, and perhaps there never was one: our time has run on, but it may have begun anew."""
        self._thinking_from = max(self._thinking_from, time.monotonic() - self._limit_s + LOST_REPLY_S)

    def recorded(self, seconds: float) -> None:
        """An intent took so long to be on the disk."""
        self._records.append(seconds)

    def start(self) -> None:
        """Our time runs from now, as when a game is taken up again."""
        self._arrived = self._thinking_from = time.monotonic()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the first byte of the last reply."""
        return time.monotonic() - self._arrived

    @property
    def round_trip_s(self) -> float:
        """A high percentile (the 95th) of the last 50 round trips, the bot's own thinking included."""
        return _high(self._round_trips)

    @property
    def is_late(self) -> bool:
        """Whether a move sent now would probably arrive after the limit."""
        return self.elapsed_s > self._limit_s

    @property
    def left_s(self) -> float:
        """Seconds until a move must be sent to arrive in time; negative when it is too late."""
        used_s = time.monotonic() - self._thinking_from
        sending_s = min(self.round_trip_s + _high(self._records), self._limit_s / 2)
        return self._limit_s - used_s - sending_s - MARGIN_S

    def limit(self) -> Limit:
        """The limit of the choice that begins now."""
        hard_s = max(SHORTEST_S, self.left_s)
        return Limit(hard_s=hard_s, think_s=min(self._think_s, hard_s))


def _high(durations: deque[float]) -> float:
    """The 95th percentile; 0 of none."""
    ordered = sorted(durations)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))] if ordered else 0.0
