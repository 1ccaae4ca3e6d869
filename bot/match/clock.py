"""The move clock: five seconds from the arrival of a reply to the arrival of our next move."""

from __future__ import annotations

import time
from collections import deque

from bot.engine import Limit

MARGIN_S = 0.35
"""Kept back for the journal's fsync, a busy machine's scheduler and a late timer."""
SHORTEST_S = 0.05
"""Even when the clock has run out a move is chosen, in so much time: late is better than never."""


class MoveClock:
    """Knows how long the next choice may take. Durations come from the monotonic clock, which no one sets back."""

    def __init__(self, limit_s: float, think_s: float) -> None:
        self._limit_s = limit_s
        self._think_s = think_s
        self._arrived = time.monotonic()
        self._round_trips: deque[float] = deque(maxlen=50)

    def reply_arrived(self, latency_s: float) -> None:
        """A reply is here, ``latency_s`` after its request was sent: our time runs."""
        self._arrived = time.monotonic()
        self._round_trips.append(latency_s)

    def start(self) -> None:
        """Our time runs from now, as when a game is taken up again."""
        self._arrived = time.monotonic()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the last reply arrived."""
        return time.monotonic() - self._arrived

    @property
    def round_trip_s(self) -> float:
        """A high percentile (the 95th) of the last 50 round trips, the bot's own thinking included."""
        if not self._round_trips:
            return 0.0
        ordered = sorted(self._round_trips)
        return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]

    @property
    def is_late(self) -> bool:
        """Whether a move sent now would probably arrive after the limit."""
        return self.elapsed_s > self._limit_s

    def limit(self) -> Limit:
        """The limit of the choice that begins now."""
        left_s = self._limit_s - self.elapsed_s - min(self.round_trip_s, self._limit_s / 2) - MARGIN_S
        hard_s = max(SHORTEST_S, left_s)
        return Limit(hard_s=hard_s, think_s=min(self._think_s, hard_s))
