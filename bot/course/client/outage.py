"""Send a move once, and wait for its outcome as long as the server does not answer: an outage is one event.

A laptop's network, a relay that stalls or a server that restarts hits all requests at once. A second move that left in
an outage would be processed beside the first one as soon as the outage ends. So at most one move is on its way: its
connection stays open, and harmless requests are asked beside it until one of them is answered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import tenacity

from bot.course.events import Counted, Failed, Replied
from bot.course.failures import Delivery, about
from bot.course.protocol import NEW_GAME
from bot.game.notation import column_name

DOWN = 2
"""Harmless requests in a row without an answer after which the server is taken for down."""
LIVE_S = 1.5
"""Pause once a server answers again that was silent, seconds: what it held back may overtake what is asked now."""
THAWED_S = 10.0
"""Time for a move's own reply once the server answers again, seconds: its bot may have to think first."""
SILENT_S = 90.0
"""Time for the reply to a move whose connection is open while the server answers other requests, seconds. Gateways give
up after 60 s as a rule; another move before that might be processed beside this one."""
_LONGEST_PAUSE_S = 1.0


class Underway(Protocol):
    """A move on its way to the server."""

    def outcome(self, within_s: float) -> Replied | Failed | None:
        """Return what has come of it, within this time; None if nothing yet."""
        ...

    def close(self) -> Replied | Failed:
        """Give the reply up, unless it has come, and return what has come of the move."""
        ...


class Link(Protocol):
    """Time, and a connection to the server that makes each request once: `CourseClient`, or a virtual one."""

    answer_s: float
    """Seconds without a reply after which the server is asked whether it lives."""
    patience_s: float
    """Seconds for which a move is sent and waited for."""
    is_interrupted: bool
    """Whether Ctrl-C was pressed while a move was sent: KeyboardInterrupt is due once its outcome is recorded."""
    on_outage: Callable[[str, float], None]
    """Called with a sentence that says what is waited for, and for how many seconds at most."""

    def now(self) -> float:
        """Return the seconds on a monotonic clock."""
        ...

    def sleep(self, seconds: float) -> None: ...

    def attempt(self, move: int) -> Underway:
        """Begin to send ``move``."""
        ...

    def failure_beside(self, misses: int) -> Failed | None:
        """Ask harmless requests; return why none was answered, None if one was.

        ``misses`` were not answered before; each is given more time than the one before it.
        """
        ...

    def statistics(self, patience_s: float | None) -> Counted:
        """Return a reading of the server's statistics, repeated for ``patience_s`` seconds if it fails."""
        ...

    def send(self, move: int) -> Replied | Failed:
        """Send ``move``, a column 0..6 or -1 for a new game; return its outcome once the server answers.

        A move that was certainly not processed is sent again. After `patience_s`, or Ctrl-C, the outcome is what is
        known by then. No failure of the network raises.
        """
        end_s = self.now() + self.patience_s
        found: Replied | Failed | None = None

        def attempt() -> Replied | Failed:
            nonlocal found
            underway = self.attempt(move)
            try:
                found = self._awaited(underway, move, end_s)
            except KeyboardInterrupt:
                found = underway.close()
                raise
            return found

        def report(_state: tenacity.RetryCallState) -> None:
            assert isinstance(found, Failed)
            self.on_outage(f"{found.message} The {_named(move)} has not been sent.", end_s - self.now())

        try:
            tenacity.Retrying(
                retry=tenacity.retry_if_result(_was_not_sent),
                wait=tenacity.wait_exponential(multiplier=0.1, max=_LONGEST_PAUSE_S),
                stop=lambda _state: self.now() >= end_s,
                sleep=self.sleep,
                before_sleep=report,
                retry_error_callback=lambda _state: None,
            )(attempt)
        except KeyboardInterrupt:
            if found is None:
                raise
            self.is_interrupted = True
        assert found is not None
        return found

    def _awaited(self, underway: Underway, move: int, end_s: float) -> Replied | Failed:
        """Return the outcome of a move, once the server answers this or another request."""
        found = underway.outcome(min(self.answer_s, end_s - self.now()))
        misses, was_silent = 0, found is None
        while _is_missing(found) and self.now() < end_s:
            failed = self.failure_beside(misses)
            if failed is None:
                break
            misses += 1
            was_silent |= failed.kind == "timeout"
            if misses >= DOWN:
                text = f"{failed.message} The {_named(move)} was sent; nothing else is sent until the server answers."
                self.on_outage(text, end_s - self.now())
            pause_s = min(_LONGEST_PAUSE_S, 0.1 * 2**misses)
            if found is None:
                found = underway.outcome(pause_s)
            else:
                self.sleep(pause_s)
        was_down = misses >= DOWN
        if found is None:
            longest_s = THAWED_S if was_down else SILENT_S
            found = underway.outcome(min(longest_s, end_s - self.now())) or underway.close()
        elif was_silent and _is_missing(found):
            self.sleep(LIVE_S)
        return replace(found, is_outage=True) if was_down and isinstance(found, Failed) else found


def _named(move: int) -> str:
    return "request for a new game" if move == NEW_GAME else f"move to column {column_name(move)}"


def _was_not_sent(found: Replied | Failed) -> bool:
    return isinstance(found, Failed) and found.delivery is Delivery.NOT_SENT


def _is_missing(found: Replied | Failed | None) -> bool:
    """Return whether the server has not answered a move that may have been sent."""
    return found is None or (is_no_answer(found) and not _was_not_sent(found))


def is_no_answer(found: object) -> bool:
    """Return whether a request failed as it would if no server answered."""
    return isinstance(found, Failed) and about(found.kind).is_no_answer
