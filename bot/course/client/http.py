"""The course server's two endpoints, /move and /stats: one request becomes one event."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import tenacity
from pydantic import SecretStr

from bot.course.client.exchange import Exchange, Timeouts
from bot.course.client.outcome import move_reply_of, stats_of
from bot.course.client.trace import PLACEHOLDER, Redactor, TracedExchange, traced
from bot.course.failures import Delivery, about
from bot.course.protocol import Stats
from bot.course.session.events import Counted, Failed, Replied
from bot.errors import NetworkError, ProtocolError

__all__ = ["CourseClient", "Timeouts", "TracedExchange"]

T = TypeVar("T")

_TIMEOUTS = Timeouts()
_SHORTEST_S = 0.1
"""Shortest time limit of an exchange, seconds."""
_MAX_MESSAGE = 400
"""Maximum length of a message or a hint, characters: a server's text can be in it."""


class CourseClient:
    """The course server for one group of students, and the clock of a run. The constructor does no I/O."""

    def __init__(
        self,
        server: str,
        stil_ids: Sequence[str],
        api_key: SecretStr,
        *,
        timeouts: Timeouts = _TIMEOUTS,
        trace: Callable[[TracedExchange], None] | None = None,
    ) -> None:
        """``trace`` gets every finished exchange, without key and ids."""
        self.server = server.rstrip("/")
        self._ids = tuple(("stil_id", stil_id) for stil_id in stil_ids)
        self._api_key = api_key
        self._timeouts = timeouts
        self._trace = trace
        key = api_key.get_secret_value()
        self._redactor = Redactor({key: PLACEHOLDER})
        names = {stil_id: f"<id {number}>" for number, stil_id in enumerate(stil_ids, start=1)}
        self._trace_redactor = Redactor({**names, key: "<key>"})
        self._addresses: dict[str, str] = {}
        self._start = time.monotonic()
        self.is_interrupted = False
        """Whether Ctrl-C was pressed during the last move's exchange: KeyboardInterrupt is due once it is recorded."""

    def now(self) -> float:
        """Return the seconds since this object was made."""
        return round(time.monotonic() - self._start, 4)

    def sleep(self, seconds: float) -> None:
        """Wait for 75 to 100 % of ``seconds``, at random: clients that failed together must not return together."""
        time.sleep(seconds * random.uniform(0.75, 1.0))

    def send(self, move: int, on_sent: Callable[[], None]) -> Replied | Failed:
        """Send ``move``, a column 0..6 or -1 for a new game, once.

        ``on_sent`` is called, from another thread, just before the first byte is sent; if it raises, that is raised
        here, and nothing has been sent. No failure of the network raises.
        """
        fields = (("move", str(move)),)
        exchange, found = self._ask("move", fields, self._timeouts.total_s, move_reply_of, on_sent)
        self.is_interrupted = exchange.is_interrupted
        if isinstance(found, Failed):
            return replace(found, at=self.now())
        return Replied(
            self.now(),
            replace(found, msg=found.msg and self._redactor.text(found.msg)),
            first_byte_s=exchange.first_byte_s,
            body_s=exchange.body_s,
        )

    def statistics(self, patience_s: float | None) -> Counted:
        """Return the server's statistics, or why there are none.

        Reading changes nothing, so it is repeated after any failure that this can mend: for at most ``patience_s``
        seconds in all, or as the timeouts say. A server of January 2021 keeps no statistics: kind "http 404". The kind
        is "not sent" only if no request was sent at all.
        """
        limit_s = self._timeouts.statistics_s if patience_s is None else patience_s
        end_s = time.monotonic() + limit_s
        failures: list[Failed] = []

        def ask() -> Stats | None:
            total_s = self._timeouts.total_s
            if patience_s is not None:
                total_s = min(total_s, max(_SHORTEST_S, end_s - time.monotonic()))
            exchange, found = self._ask("stats", (), total_s, stats_of)
            if exchange.is_interrupted:
                raise KeyboardInterrupt
            if not isinstance(found, Failed):
                return found
            failures.append(found)
            return None

        stats = tenacity.Retrying(
            retry=tenacity.retry_if_result(lambda stats: stats is None and not about(failures[-1].kind).is_final),
            wait=tenacity.wait_random_exponential(multiplier=0.1, max=1.0),
            stop=tenacity.stop_before_delay(limit_s),
            retry_error_callback=lambda _attempt: None,
        )(ask)
        if stats is not None:
            return Counted(self.now(), stats)
        sent = [failed for failed in failures if failed.delivery is not Delivery.NOT_SENT]
        failed = (sent or failures)[-1]
        return Counted(self.now(), None, failed.kind, failed.message, failed.hint)

    def read_statistics(self) -> Stats | None:
        """Return the server's statistics; None if it keeps none. Raises NetworkError or ProtocolError."""
        counted = self.statistics(None)
        if counted.stats is None and counted.kind != "http 404":
            error = ProtocolError if about(counted.kind).breaks_protocol else NetworkError
            raise error(counted.message, counted.hint)
        return counted.stats

    def _ask(
        self,
        endpoint: str,
        fields: tuple[tuple[str, str], ...],
        total_s: float,
        read: Callable[[Exchange, str], T | Failed],
        on_sent: Callable[[], None] = lambda: None,
    ) -> tuple[Exchange, T | Failed]:
        """Make one exchange, read its reply with ``read``, and trace it."""
        form = (*self._ids, *fields, ("api_key", self._api_key.get_secret_value()))
        exchange = Exchange(f"{self.server}/{endpoint}", form, on_sent=on_sent, addresses=self._addresses)
        exchange.run(replace(self._timeouts, total_s=total_s))
        found = read(exchange, self.server)
        failure = ""
        if isinstance(found, Failed):
            # Cut after the key is removed: a part of it would not be found.
            failure = self._redactor.text(found.message)[:_MAX_MESSAGE]
            hint = self._redactor.text(found.hint)[:_MAX_MESSAGE]
            found = replace(found, message=failure, hint=hint)
        if self._trace is not None:
            self._trace(traced(exchange, failure, self._trace_redactor))
        return exchange, found
