"""The move clock as a value: the seconds until the next move must be sent to arrive in time."""

from __future__ import annotations

from dataclasses import dataclass, replace

MARGIN_S = 0.35
"""Reserve for a busy machine's scheduler, a late timer and a disk slower than before, seconds."""
AFTER_LOST_REPLY_S = 2.0
"""Minimum time for a choice after a lost reply, seconds: the server's clock may have restarted."""
_KEPT = 50


@dataclass(frozen=True, slots=True)
class MoveClock:
    """The server's limit for a move, measured from a reply's first byte to the arrival of the next move."""

    limit_s: float = 5.0
    started_at: float = 0.0
    """When the last reply's first byte arrived, on the clock of the events."""
    choosing_from: float = 0.0
    """The same, or later if a lost reply may have restarted the server's clock."""
    round_trips_s: tuple[float, ...] = ()
    records_s: tuple[float, ...] = ()

    def start(self, at: float) -> MoveClock:
        """Return the clock started anew at ``at``."""
        return replace(self, started_at=at, choosing_from=at)

    def replied(self, at: float, latency_s: float, body_s: float) -> MoveClock:
        """Return the clock after a reply that ended at ``at``, ``body_s`` after its first byte."""
        trips = (*self.round_trips_s[-(_KEPT - 1) :], max(0.0, latency_s - body_s))
        return replace(self.start(at - body_s), round_trips_s=trips)

    def lost(self, at: float) -> MoveClock:
        """Return the clock after a lost reply."""
        return replace(self, choosing_from=max(self.choosing_from, at - self.limit_s + AFTER_LOST_REPLY_S))

    def recorded(self, seconds: float) -> MoveClock:
        """Return the clock after a move took ``seconds`` to be on the disk."""
        return replace(self, records_s=(*self.records_s[-(_KEPT - 1) :], seconds))

    def until_late_s(self, at: float) -> float:
        """Return the seconds from ``at`` until the limit; negative after it."""
        return self.limit_s - (at - self.started_at)

    def is_late(self, at: float) -> bool:
        """Return whether a move sent at ``at`` probably arrives after the limit."""
        return self.until_late_s(at) < 0

    def left_s(self, at: float) -> float:
        """Return the seconds until the next move must be sent; negative if it is too late.

        A high percentile of the last round trips (which contain the bot's thinking) and disk writes is subtracted.
        """
        overhead_s = min(_high(self.round_trips_s) + _high(self.records_s), self.limit_s / 2)
        return self.limit_s - (at - self.choosing_from) - overhead_s - MARGIN_S


def _high(durations_s: tuple[float, ...]) -> float:
    """Return the 95th percentile; 0 without durations."""
    ordered = sorted(durations_s)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))] if ordered else 0.0
