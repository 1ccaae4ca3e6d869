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
from bot.course.client.outage import DOWN, deliver, is_no_answer
from bot.course.client.outcome import move_reply_of, retry_after_s, stats_of
from bot.course.client.trace import PLACEHOLDER, Redactor, TracedExchange, traced
from bot.course.events import Counted, Failed, Replied
from bot.course.failures import Delivery, about
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
_MOST_DOUBLED = 4
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
        patience_s: float = _PATIENCE_S,
        trace: Callable[[TracedExchange], None] | None = None,
    ) -> None:
        """``trace`` gets every finished exchange, without key and ids; ``patience_s`` is that of `send`."""
        self.server = server.rstrip("/")
        self._ids = tuple(("stil_id", stil_id) for stil_id in stil_ids)
        self._api_key = api_key
        self._timeouts = timeouts
        self._patience_s = patience_s
        self._trace = trace
        self.on_outage: Callable[[str, float], None] = lambda _text, _left_s: None
        """Called while the server does not answer, with a sentence and the seconds that it will be waited for."""
        key = api_key.get_secret_value()
        self._redactor = Redactor({key: PLACEHOLDER})
        names = {stil_id: f"<id {number}>" for number, stil_id in enumerate(stil_ids, start=1)}
        self._trace_redactor = Redactor({**names, key: "<key>"})
        self._addresses: dict[str, str] = {}
        self._start = time.monotonic()
        self._slowest_s = 0.0
        """Longest time of a good reading of the statistics, seconds."""
        self._may_ask_at = 0.0
        """When the next request may leave, by the server's own word."""
        self.is_interrupted = False
        """Whether Ctrl-C was pressed during the last move's exchange: KeyboardInterrupt is due once it is recorded."""

    def now(self) -> float:
        """Return the seconds since this object was made."""
        return round(time.monotonic() - self._start, 4)

    def sleep(self, seconds: float) -> None:
        """Wait for 75 to 100 % of ``seconds``, at random: clients that failed together must not return together."""
        time.sleep(seconds * random.uniform(0.75, 1.0))

    @property
    def answer_s(self) -> float:
        """See `bot.course.client.outage.Link`."""
        return self._timeouts.read_s

    def waiting(self, text: str, left_s: float) -> None:
        """See `bot.course.client.outage.Link`."""
        self.on_outage(text, left_s)

    def send(self, move: int, on_sent: Callable[[], None]) -> Replied | Failed:
        """Send ``move``, a column 0..6 or -1 for a new game, once, and wait as long as the server does not answer.

        ``on_sent`` is called, from another thread, just before the first byte is sent; if it raises, that is raised
        here, and nothing has been sent. No failure of the network raises.
        """
        return deliver(self, move, on_sent, self._patience_s)

    def attempt(self, move: int, on_sent: Callable[[], None]) -> SentMove:
        """See `bot.course.client.outage.Link`."""
        self._rest()
        exchange = self._exchange("move", self._form(("move", str(move))), on_sent)
        exchange.begin(self._timeouts)
        return SentMove(self, exchange, self._timeouts.total_s)

    def failure_beside(self, misses: int) -> Failed | None:
        """Ask for the statistics, then for the base address; see `bot.course.client.outage.Link`."""
        total_s = max(_SHORTEST_PROBE_S, 2 * self._slowest_s) * 2 ** min(misses, _MOST_DOUBLED)
        found = self._ask("stats", self._form(), total_s, stats_of)
        if is_no_answer(found):
            found = self._ask_base(total_s)
        return found if isinstance(found, Failed) and is_no_answer(found) else None

    def outcome_of(self, exchange: Exchange) -> Replied | Failed:
        """Return what has come of the exchange of a move that is over."""
        self.is_interrupted = exchange.is_interrupted
        found = self._found(exchange, move_reply_of)
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
        usual_s, start_s = self._timeouts.statistics_s, time.monotonic()
        end_s = start_s + (usual_s if patience_s is None else patience_s)
        is_patient = end_s > start_s + usual_s
        failures: list[Failed] = []

        def ask() -> Stats | None:
            total_s = self._timeouts.total_s
            if patience_s is not None:
                total_s = min(total_s, max(_SHORTEST_S, end_s - time.monotonic()))
            found = self._ask("stats", self._form(), total_s, stats_of)
            if not isinstance(found, Failed):
                return found
            failures.append(found)
            if is_patient and len(failures) >= DOWN and not is_no_answer(self._ask_base(total_s)):
                failures.append(replace(found, kind="no statistics"))
            return None

        def is_over(state: tenacity.RetryCallState) -> bool:
            pause_s = max(state.upcoming_sleep, self._may_ask_at - self.now())
            until_s = end_s if is_no_answer(failures[-1]) else min(end_s, start_s + usual_s)
            return time.monotonic() + pause_s > until_s

        def is_repeated(stats: Stats | None) -> bool:
            if stats is not None:
                return False
            return (is_patient and is_no_answer(failures[-1])) or not about(failures[-1].kind).is_final

        def report(_state: tenacity.RetryCallState) -> None:
            if is_patient and len(failures) >= DOWN:
                text = f"{failures[-1].message} Nothing else is sent until the server answers."
                self.on_outage(text, end_s - time.monotonic())

        stats = tenacity.Retrying(
            retry=tenacity.retry_if_result(is_repeated),
            wait=tenacity.wait_random_exponential(multiplier=0.1, max=1.0),
            stop=is_over,
            before_sleep=report,
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

    def _form(self, *fields: tuple[str, str]) -> tuple[tuple[str, str], ...]:
        return (*self._ids, *fields, ("api_key", self._api_key.get_secret_value()))

    def _exchange(
        self, endpoint: str, form: tuple[tuple[str, str], ...], on_sent: Callable[[], None] = lambda: None
    ) -> Exchange:
        return Exchange(f"{self.server}/{endpoint}", form, on_sent=on_sent, addresses=self._addresses)

    def _ask(
        self,
        endpoint: str,
        form: tuple[tuple[str, str], ...],
        total_s: float,
        read: Callable[[Exchange, str], T | Failed],
    ) -> T | Failed:
        """Make one exchange, and read its reply with ``read``."""
        self._rest()
        exchange = self._exchange(endpoint, form)
        exchange.run(replace(self._timeouts, total_s=total_s))
        if exchange.is_interrupted:
            raise KeyboardInterrupt
        found = self._found(exchange, read)
        if not isinstance(found, Failed):
            self._slowest_s = max(self._slowest_s, exchange.end_at_s)
        return found

    def _ask_base(self, total_s: float) -> Stats | Failed:
        """Get the base address: its answer is none of the protocol, and shows that the server lives."""
        return self._ask("", (), total_s, stats_of)

    def _found(self, exchange: Exchange, read: Callable[[Exchange, str], T | Failed]) -> T | Failed:
        """Return the reply to an exchange that is over, by ``read``, and trace it."""
        pause_s = min(self._patience_s, retry_after_s(exchange.headers))
        self._may_ask_at = max(self._may_ask_at, self.now() + pause_s)
        found = read(exchange, self.server)
        failure = ""
        if isinstance(found, Failed):
            # Cut after the key is removed: a part of it would not be found.
            failure = self._redactor.text(found.message)[:_MAX_MESSAGE]
            hint = self._redactor.text(found.hint)[:_MAX_MESSAGE]
            found = replace(found, message=failure, hint=hint)
        if self._trace is not None:
            self._trace(traced(exchange, failure, self._trace_redactor))
        return found

    def _rest(self) -> None:
        """Wait as long as the server has asked for."""
        left_s = self._may_ask_at - self.now()
        if left_s > 0:
            self.on_outage("The server asks to wait before the next request.", left_s)
            time.sleep(left_s)


class SentMove:
    """A move on its way; see `bot.course.client.outage.Underway`."""

    def __init__(self, client: CourseClient, exchange: Exchange, total_s: float) -> None:
        self._client = client
        self._exchange = exchange
        self._total_s = total_s
        self._outcome: Replied | Failed | None = None

    def outcome(self, within_s: float) -> Replied | Failed | None:
        """See `bot.course.client.outage.Underway`; a reply that has begun to arrive has longer."""
        if self._outcome is None and self._exchange.has_ended(within_s, self._total_s):
            self._outcome = self._client.outcome_of(self._exchange)
        return self._outcome

    def check_connection(self) -> None:
        """See `bot.course.client.outage.Underway`."""
        self._exchange.check_connection()

    def close(self) -> Replied | Failed:
        """See `bot.course.client.outage.Underway`."""
        self._exchange.end()
        return self.outcome(0.0) or self._client.outcome_of(self._exchange)
