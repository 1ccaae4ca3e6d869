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
    overheads_s: tuple[float, ...] = ()
    """Seconds from a choice to the reply's first byte: the journal's sync, the connection, the way there and back, and
    the bot's thinking."""

    def start(self, at: float) -> MoveClock:
        """Return the clock started anew at ``at``."""
        return replace(self, started_at=at, choosing_from=at)

    def replied(self, first_byte_at: float, chosen_at: float) -> MoveClock:
        """Return the clock after a reply whose first byte arrived at ``first_byte_at`` to a move of ``chosen_at``."""
        overheads_s = (*self.overheads_s[-(_KEPT - 1) :], max(0.0, first_byte_at - chosen_at))
        return replace(self.start(first_byte_at), overheads_s=overheads_s)

    def lost(self, at: float) -> MoveClock:
        """Return the clock after a lost reply."""
        return replace(self, choosing_from=max(self.choosing_from, at - self.limit_s + AFTER_LOST_REPLY_S))

    def until_late_s(self, at: float) -> float:
        """Return the seconds from ``at`` until the limit; negative after it."""
        return self.limit_s - (at - self.started_at)

    def left_s(self, at: float) -> float:
        """Return the seconds until the next move must be sent; negative if it is too late.

        The 95th percentile of the last overheads is subtracted, but at most half the limit.
        """
        ordered = sorted(self.overheads_s) or [0.0]
        overhead_s = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
        return self.limit_s - (at - self.choosing_from) - min(overhead_s, self.limit_s / 2) - MARGIN_S
