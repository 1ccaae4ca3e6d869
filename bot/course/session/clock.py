"""The move clock as a value: the seconds until the next move must be sent to arrive in time."""

from __future__ import annotations

from dataclasses import dataclass, replace

MARGIN_S = 0.35
"""Reserve for a busy machine's scheduler, a late timer and a disk slower than before, seconds."""
AFTER_LOST_REPLY_S = 2.0
"""Minimum time from a lost reply to the next deadline, seconds, less the usual reserve: the server's clock may have
restarted."""
_KEPT = 50


@dataclass(frozen=True, slots=True)
class MoveClock:
    """The server's limit for a move, measured from a reply's first byte to the arrival of the next move."""

    late_at: float = 0.0
    """When a move arrives too late, on the clock of the events."""
    choose_until: float = 0.0
    """The same, or later if a lost reply may have restarted the server's clock."""
    overheads_s: tuple[float, ...] = ()
    """Seconds from a choice to the reply's first byte, at most half the limit: the journal's sync, the connection, the
    way there and back, and the bot's thinking."""

    @property
    def has_measured(self) -> bool:
        """Whether a move of this run was replied to."""
        return bool(self.overheads_s)

    def start(self, at: float, limit_s: float) -> MoveClock:
        """Return the clock started anew at ``at``."""
        return replace(self, late_at=at + limit_s, choose_until=at + limit_s)

    def replied(self, first_byte_at: float, chosen_at: float, limit_s: float) -> MoveClock:
        """Return the clock after a reply whose first byte arrived at ``first_byte_at`` to a move of ``chosen_at``."""
        overhead_s = min(max(0.0, first_byte_at - chosen_at), limit_s / 2)
        overheads_s = (*self.overheads_s[-(_KEPT - 1) :], overhead_s)
        late_at = first_byte_at + limit_s
        return MoveClock(late_at, late_at, overheads_s)

    def lost(self, at: float) -> MoveClock:
        """Return the clock after a lost reply."""
        return replace(self, choose_until=max(self.choose_until, at + AFTER_LOST_REPLY_S))

    def until_late_s(self, at: float) -> float:
        """Return the seconds from ``at`` until the limit; negative after it."""
        return self.late_at - at

    def left_s(self, at: float) -> float:
        """Return the seconds until the next move must be sent, less the 95th percentile of the last overheads.

        It is negative if it is too late.
        """
        ordered = sorted(self.overheads_s) or [0.0]
        place = int(0.95 * len(ordered))
        usual_s = ordered[min(len(ordered) - 1, place)]
        return self.choose_until - at - usual_s - MARGIN_S
