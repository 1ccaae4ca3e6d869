"""The course server's two endpoints, /move and /stats: one request becomes one event."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import tenacity
from pydantic import SecretStr

from bot.course.client.exchange import Exchange, Form, Timeouts
from bot.course.client.outage import DOWN, Link, is_no_answer
from bot.course.client.outcome import parse_move_reply, parse_stats, reply_of, retry_after_s
from bot.course.client.trace import PLACEHOLDER, TracedExchange, redacted, traced
from bot.course.events import Counted, Failed, Replied
from bot.course.failures import about
from bot.course.protocol import Stats
from bot.errors import NetworkError, ProtocolError

__all__ = ["CourseClient", "Timeouts", "TracedExchange"]

T = TypeVar("T")

_TIMEOUTS = Timeouts()
_PATIENCE_S = 120.0
_SHORTEST_S = 0.1
"""Shortest time limit of an exchange, seconds."""
_SHORTEST_PROBE_S = 1.0
"""Shortest time limit of a harmless request, which is doubled where the ones before it were not answered, seconds."""
_MAX_MESSAGE = 400
"""Maximum length of a message or a hint, characters: a server's text can be in it."""


class CourseClient(Link):
    """The course server for one group of students, and the clock of a run. The constructor does no I/O."""

    def __init__(
        self,
        server: str,
        stil_ids: Sequence[str],
        api_key: SecretStr,
        *,
        timeouts: Timeouts = _TIMEOUTS,
        patience_s: float = _PATIENCE_S,
        trace: Callable[[TracedExchange], None] | None = None,
    ) -> None:
        """``trace`` gets every finished exchange, without key and ids."""
        self.server = server.rstrip("/")
        self._ids = tuple(stil_ids)
        self._api_key = api_key.get_secret_value()
        names = {stil_id: f"<id {number}>" for number, stil_id in enumerate(stil_ids, start=1)}
        self._names = {**names, self._api_key: "<key>"}
        self._timeouts = timeouts
        self._trace = trace
        self.answer_s = timeouts.read_s
        self.patience_s = patience_s
        self.is_interrupted = False
        self.on_outage: Callable[[str, float], None] = lambda _text, _left_s: None
        self._addresses: dict[str, str] = {}
        self._start = time.monotonic()
        self._slowest_s = 0.0
        """Longest time of a good reading of the statistics, seconds."""
        self._may_ask_at = 0.0
        """When the next request may leave, by the server's own word."""

    def now(self) -> float:
        """Return the seconds since this object was made."""
        return round(time.monotonic() - self._start, 4)

    def sleep(self, seconds: float) -> None:
        """Wait for 75 to 100 % of ``seconds``, at random: clients that failed together must not return together."""
        time.sleep(seconds * random.uniform(0.75, 1.0))

    def attempt(self, move: int) -> Exchange[Replied | Failed]:
        """See `bot.course.client.outage.Link`."""
        return self._exchange("move", self._form(move=str(move)), self._timeouts, self._replied)

    def _replied(self, exchange: Exchange[Any]) -> Replied | Failed:
        """Return what has come of the exchange of a move that is over."""
        found = self._found(exchange, parse_move_reply)
        if isinstance(found, Failed):
            return found
        reply = replace(found, msg=found.msg and redacted(found.msg, {self._api_key: PLACEHOLDER}))
        return Replied(
            self.now(), reply, first_byte_s=exchange.first_byte_s, body_s=exchange.end_at_s - exchange.reply_at_s
        )

    def failure_beside(self, misses: int) -> Failed | None:
        """Ask for the statistics, then for the base address; see `bot.course.client.outage.Link`."""
        total_s = max(_SHORTEST_PROBE_S, 2 * self._slowest_s) * 2**misses
        found = self._ask("stats", total_s)
        if is_no_answer(found):
            found = self._ask("", total_s)
        return found if isinstance(found, Failed) and is_no_answer(found) else None

    def statistics(self, patience_s: float | None) -> Counted:
        """Return the server's statistics, or why there are none.

        Reading changes nothing, so it is repeated after any failure that this can mend: for at most ``patience_s``
        seconds in all, or as the timeouts say. A server of January 2021 keeps no statistics: kind "http 404".
        """
        usual_s, start_s = self._timeouts.statistics_s, self.now()
        end_s = start_s + (usual_s if patience_s is None else patience_s)
        usual_end_s = min(end_s, start_s + usual_s)
        is_patient = end_s > usual_end_s
        found: Stats | Failed
        failures = 0

        def ask() -> Stats | Failed:
            nonlocal found, failures
            total_s = self._timeouts.total_s
            if patience_s is not None:
                total_s = min(total_s, max(_SHORTEST_S, end_s - self.now()))
            found = self._ask("stats", total_s)
            failures += 1
            if isinstance(found, Failed) and is_patient and failures >= DOWN:
                if not is_no_answer(self._ask("", total_s)):
                    return replace(found, kind="no statistics")
                self.on_outage(f"{found.message} Nothing else is sent until the server answers.", end_s - self.now())
            return found

        def is_repeated(found: Stats | Failed) -> bool:
            is_waited_for = is_patient and is_no_answer(found)
            return isinstance(found, Failed) and (is_waited_for or not about(found.kind).is_final)

        def is_over(state: tenacity.RetryCallState) -> bool:
            pause_s = max(state.upcoming_sleep, self._may_ask_at - self.now())
            return self.now() + pause_s > (end_s if is_no_answer(found) else usual_end_s)

        found = tenacity.Retrying(
            retry=tenacity.retry_if_result(is_repeated),
            wait=tenacity.wait_random_exponential(multiplier=0.1, max=1.0),
            stop=is_over,
            retry_error_callback=lambda _state: found,
        )(ask)
        if isinstance(found, Failed):
            return Counted(self.now(), None, found.kind, found.message, found.hint)
        return Counted(self.now(), found)

    def read_statistics(self) -> Stats | None:
        """Return the server's statistics; None if it keeps none. Raises NetworkError or ProtocolError."""
        counted = self.statistics(None)
        if counted.stats is None and counted.kind != "http 404":
            error = ProtocolError if about(counted.kind).breaks_protocol else NetworkError
            raise error(counted.message, counted.hint)
        return counted.stats

    def _form(self, **fields: str) -> Form:
        ids = [("stil_id", stil_id) for stil_id in self._ids]
        return (*ids, *fields.items(), ("api_key", self._api_key))

    def _ask(self, endpoint: str, total_s: float) -> Stats | Failed:
        """Ask for statistics; the base address has none, but its answer shows that the server lives."""
        timeouts = replace(self._timeouts, total_s=total_s)
        form = self._form() if endpoint else ()
        exchange = self._exchange(endpoint, form, timeouts, lambda exchange: self._found(exchange, parse_stats))
        found = exchange.outcome(min(timeouts.read_s, total_s)) or exchange.close()
        if not isinstance(found, Failed):
            self._slowest_s = max(self._slowest_s, exchange.end_at_s)
        return found

    def _exchange(
        self, endpoint: str, form: Form, timeouts: Timeouts, finish: Callable[[Exchange[T]], T]
    ) -> Exchange[T]:
        """Begin an exchange, as soon as the server allows it."""
        left_s = self._may_ask_at - self.now()
        if left_s > 0:
            self.on_outage("The server asks to wait before the next request.", left_s)
            time.sleep(left_s)
        return Exchange(f"{self.server}/{endpoint}", form, timeouts, finish, self._addresses)

    def _found(self, exchange: Exchange[Any], parse: Callable[[Mapping[str, Any]], T]) -> T | Failed:
        """Return the reply to an exchange that is over, by ``parse``, and trace it."""
        pause_s = min(self.patience_s, retry_after_s(exchange.headers))
        self._may_ask_at = max(self._may_ask_at, self.now() + pause_s)
        found = reply_of(exchange, parse)
        if isinstance(found, Failed):
            # Cut after the key is removed: a part of it would not be found.
            message, hint = (
                redacted(text, {self._api_key: PLACEHOLDER})[:_MAX_MESSAGE] for text in (found.message, found.hint)
            )
            found = replace(found, at=self.now(), message=message, hint=hint)
        if self._trace is not None:
            failure = found.message if isinstance(found, Failed) else ""
            self._trace(traced(exchange, failure, self._names))
        return found
