"""The course server's two endpoints, /move and /stats, with time limits and retries."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import tenacity
from pydantic import SecretStr

from bot.course.client.decode import NotAnObjectError, decode_object
from bot.course.client.exchange import MAX_BODY, Exchange, Request, Transport
from bot.course.client.failures import (
    AmbiguousError,
    NotFoundError,
    NotSentError,
    RejectedError,
    bad_body,
    bad_reply,
    check_status,
    is_final,
    kind_of,
    recover_reply,
    reply_of,
)
from bot.course.client.redaction import PLACEHOLDER, Redactor
from bot.course.client.trace import TracedExchange, Tracer
from bot.course.client.wire import BadReplyError, MoveReply, Stats, parse_move_reply, parse_stats, text_of
from bot.course.protocol import NEW_GAME
from bot.errors import BotError

__all__ = [
    "MAX_BODY",
    "NEW_GAME",
    "AmbiguousError",
    "CourseClient",
    "NotFoundError",
    "NotSentError",
    "RejectedError",
    "Timeouts",
    "TracedExchange",
]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Time limits and retry budgets, seconds."""

    connect_s: float = 3.0
    """For the connection, all addresses of the server together."""
    read_s: float = 10.0
    """Between two packets of a reply."""
    total_s: float = 20.0
    """For a whole exchange, however slowly the reply arrives."""
    patience_s: float = 30.0
    """How long to repeat requests that were not sent, once the server has replied before."""
    first_contact_s: float = 3.0
    """The same before the server's first reply: then a wrong address is more likely than a network failure."""
    statistics_s: float = 5.0
    """How long to repeat /stats while its replies are unusable."""


class CourseClient:
    """The course server's two endpoints for one group of students. The constructor does no I/O."""

    __slots__ = ("_api_key", "_has_answered", "_notify", "_redactor", "_stil_ids", "_timeouts", "_trace", "_tracer",
                 "_transport", "server")  # fmt: skip

    def __init__(
        self,
        server: str,
        stil_ids: Sequence[str],
        api_key: SecretStr,
        timeouts: Timeouts | None = None,
        notify: Callable[[str], None] = lambda _text: None,
        trace: Callable[[TracedExchange], None] | None = None,
    ) -> None:
        """``notify`` gets sentences for the user; ``trace`` gets every finished exchange, without key and ids."""
        self.server = server.rstrip("/")
        self._stil_ids = tuple(stil_ids)
        self._api_key = api_key
        self._timeouts = timeouts or Timeouts()
        self._notify = notify
        self._trace = trace
        self._tracer = Tracer(self._stil_ids, api_key.get_secret_value())
        self._redactor = Redactor({api_key.get_secret_value(): PLACEHOLDER})
        self._transport = Transport(connect_s=self._timeouts.connect_s, read_s=self._timeouts.read_s)
        self._has_answered = False

    def move(
        self, column: int, on_sent: Callable[[], None] | None = None, *, patience_s: float | None = None
    ) -> MoveReply:
        """Send ``column`` 0..6, or -1 for a new game, once; repeat the request only while it was not sent.

        Repetitions end after ``patience_s`` seconds (0: no repetition; None: as set in the timeouts). ``on_sent`` is
        called, from another thread, just before the first byte is sent. Raises NotSentError, AmbiguousError,
        RejectedError.
        """

        def send() -> MoveReply:
            return self._request("move", {"move": str(column)}, self._timeouts.total_s, self._read_move, on_sent)

        if patience_s == 0:
            return send()
        return self._repeat(send, NotSentError, self._timeouts.patience_s if patience_s is None else patience_s)

    def stats(
        self, patience_s: float | None = None, on_retry: Callable[[str, float], None] | None = None
    ) -> Stats | None:
        """Return the server's statistics; None if it keeps none (404, the January 2021 dialect).

        Reading changes nothing, so it is repeated after any failure: for ``patience_s`` seconds if given, which also
        limit a single exchange, else as set in the timeouts. ``on_retry`` is called before each repetition with the
        reason and the seconds left, in place of a notice to the user. Raises NetworkError or ProtocolError.
        """
        times = self._timeouts
        unsent_s, unusable_s = (
            (times.patience_s, times.statistics_s) if patience_s is None else (patience_s, patience_s)
        )
        total_s = times.total_s if patience_s is None else min(times.total_s, max(1.0, patience_s))

        def ask() -> Stats:
            return self._request("stats", {}, total_s, self._read_stats)

        def reach() -> Stats:
            return self._repeat(ask, NotSentError, unsent_s, on_retry)

        try:
            return self._repeat(reach, (AmbiguousError, BadReplyError), unusable_s, on_retry)
        except NotFoundError:
            return None

    def _repeat(
        self,
        action: Callable[[], T],
        again: type[Exception] | tuple[type[Exception], ...],
        patience_s: float,
        on_retry: Callable[[str, float], None] | None = None,
    ) -> T:
        """Run ``action``, and again after ``again`` errors for ``patience_s``, with exponential back-off and jitter."""
        if not self._has_answered:
            patience_s = min(patience_s, self._timeouts.first_contact_s)

        def before_sleep(attempt: tenacity.RetryCallState) -> None:
            error = attempt.outcome.exception() if attempt.outcome else None
            message = error.message if isinstance(error, BotError) else str(error)
            left_s = max(0.0, patience_s - (attempt.seconds_since_start or 0.0))
            if on_retry is not None:
                on_retry(message, left_s)
            else:
                self._notify(f"{message} Trying again for at most {math.ceil(left_s)} s.")

        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda error: isinstance(error, again) and not is_final(error)),
            wait=tenacity.wait_random_exponential(multiplier=0.1, max=5.0),
            stop=tenacity.stop_after_delay(patience_s),
            before_sleep=before_sleep,
            reraise=True,
        )
        return retrying(action)

    def _request(
        self,
        endpoint: str,
        fields: dict[str, str],
        total_s: float,
        read: Callable[[Exchange], T],
        on_sent: Callable[[], None] | None = None,
    ) -> T:
        """Make one exchange, read its reply with ``read``, and trace it."""
        form = (
            *(("stil_id", stil_id) for stil_id in self._stil_ids),
            *fields.items(),
            ("api_key", self._api_key.get_secret_value()),
        )
        request = Request(f"{self.server}/{endpoint}", form)
        exchange = self._transport.exchange(request, total_s=total_s, on_sent=on_sent)
        self._has_answered = self._has_answered or exchange.reply is not None
        try:
            result = read(exchange)
        except BotError as error:
            if self._trace is not None:
                self._trace(self._tracer.trace(exchange, error=error.message, kind=kind_of(error)))
            raise
        if self._trace is not None:
            self._trace(self._tracer.trace(exchange))
        return result

    def _read_stats(self, exchange: Exchange) -> Stats:
        return parse_stats(self._payload(exchange, "stats"))

    def _read_move(self, exchange: Exchange) -> MoveReply:
        """Return the reply to /move; one that was cut short is accepted if it determines the position."""
        timing = exchange.timing
        try:
            reply = parse_move_reply(self._payload(exchange, "move"))
        except BadReplyError as error:  # a proxy may have passed the move on
            raise bad_reply(error, timing) from None
        except AmbiguousError as error:
            partial = recover_reply(exchange)
            if partial is None:
                raise
            self._notify(f"{error.message} What arrived contains everything needed.")
            reply = partial
        return replace(
            reply,
            msg=None if reply.msg is None else self._redactor.text(reply.msg),
            latency_s=timing.end_at_s,
            first_byte_s=timing.first_byte_s,
            body_s=timing.body_s,
        )

    def _payload(self, exchange: Exchange, endpoint: str) -> dict[str, Any]:
        """Return the JSON object of a reply with status 2xx and any content type; raise for other replies."""
        reply = reply_of(exchange, self.server)
        check_status(reply, endpoint, redactor=self._redactor, timing=exchange.timing)
        try:
            payload = decode_object(reply.body)
        except NotAnObjectError as problem:
            raise bad_body(exchange, problem) from None
        message = text_of(payload.get("msg"))
        return payload if message is None else {**payload, "msg": self._redactor.text(message)}
