"""Report an outage of the server once, with its beginning and its end, instead of a notice for each attempt."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.course.run.observer import Observer, Outage
from bot.course.session.events import Counted, Delivery, Event, Failed, Replied
from bot.course.session.state import Session


@dataclass(slots=True)
class OutageWatch:
    """Follows the session's steps and the client's retries, and reports outages to the observer."""

    observer: Observer
    now: Callable[[], float] = time.monotonic
    _since: float | None = field(default=None, init=False)
    _is_unreachable: bool = field(default=False, init=False)
    """Whether requests cannot be sent at all, so that any reply ends the outage."""

    @property
    def is_on(self) -> bool:
        """Whether an outage has been reported and has not ended."""
        return self._since is not None

    def step(self, session: Session, event: Event) -> None:
        """Process one step of the session, before its news are reported."""
        if isinstance(event, Failed) and session.stop is None:
            # A single lost reply is not an outage: it has a notice of its own.
            if event.delivery is Delivery.NOT_SENT or session.attempts > 1:
                self._is_unreachable = event.delivery is Delivery.NOT_SENT
                since = event.at if session.trouble_since is None else session.trouble_since
                left_s = since + session.endurance_s - event.at
                self._report(event.message, left_s, None if session.is_idle else session.clock.until_late_s(event.at))
        elif isinstance(event, Replied) or (
            isinstance(event, Counted)
            and event.stats is not None
            and (self._is_unreachable or session.trouble_since is None)
        ):
            self._end()

    def retrying(self, message: str, left_s: float) -> None:
        """Process that the client repeats a reading of the statistics; see `CourseClient.stats`."""
        if not self.is_on:
            self._report(message, left_s, None)

    def _report(self, message: str, left_s: float, move_left_s: float | None) -> None:
        now = self.now()
        self._since = now if self._since is None else self._since
        self.observer.unreachable(Outage(message, now - self._since, max(0.0, left_s), move_left_s))

    def _end(self) -> None:
        if self._since is not None:
            seconds, self._since, self._is_unreachable = self.now() - self._since, None, False
            self.observer.reachable(seconds)
