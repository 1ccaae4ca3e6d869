"""The course server's two endpoints, /move and /stats: one request becomes one event.

No exception stands between an exchange and its event. What a kind of failure means, and how it is recognised where no
reply began, is in `bot.course.failures`.
"""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import tenacity
from pydantic import SecretStr, TypeAdapter, ValidationError
from urllib3.exceptions import HTTPError
from urllib3.util import Retry

from bot.course.address import is_loopback
from bot.course.client.exchange import MAX_BODY, Exchange, Form, Timeouts, UnreadableError, decode_object
from bot.course.client.outage import DOWN, Link, is_no_answer
from bot.course.client.trace import PLACEHOLDER, TracedExchange, redacted, traced
from bot.course.events import Counted, Failed, Replied
from bot.course.failures import KINDS, Delivery, about
from bot.course.protocol import KEY_HINT, NEW_GAME, MoveReply, Stats, refuses_key
from bot.errors import NetworkError, ProtocolError, one_line

__all__ = ["CourseClient", "Timeouts", "TracedExchange"]

T = TypeVar("T")

_TIMEOUTS = Timeouts()
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
        patience_s: float = 120.0,
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


# From an exchange to the reply of the protocol, or to how it failed

_MOVE_REPLY, _STATS = TypeAdapter(MoveReply), TypeAdapter(Stats)

_OBSTACLES = (
    ("gaierror", "its name is unknown"),
    ("ConnectionRefusedError", "the connection is refused"),
    ("TimeoutError", "it does not answer"),
    ("ConnectionError", "the connection is cut at once"),
    ("SSLError", "no TLS connection can be set up"),
    ("unnel", "the proxy does not let the request through"),  # "Tunnel connection failed"
    ("", "the connection fails"),
)
"""Why a request was not sent: what is in the text of the error, and a clause."""


def reply_of(exchange: Exchange[Any], parse: Callable[[dict[str, Any]], T]) -> T | Failed:
    """Return the reply that ``parse`` finds in the body, or how the request failed.

    A complete reply with a board counts whatever HTTP status a proxy gave it.
    """
    if exchange.status is None:
        return _no_reply(exchange)
    is_good = 200 <= exchange.status <= 299
    try:
        reply = parse(decode_object(exchange.body))
        if is_good or getattr(reply, "state", None) is not None:
            return reply
    except UnreadableError as problem:
        if is_good:
            return _recovered(exchange.body, problem.args[0]) or _unreadable(exchange, *problem.args)
    return _failed(exchange, "redirect" if 300 <= exchange.status <= 399 else f"http {exchange.status}")


def parse_move_reply(fields: Mapping[str, Any]) -> MoveReply:
    """Return the reply to /move in the fields of its JSON object; raise UnreadableError."""
    return _validated(_MOVE_REPLY, fields)


def parse_stats(fields: Mapping[str, Any]) -> Stats:
    """Return the statistics in the fields of their JSON object; raise UnreadableError, of kind "refused" if refused."""
    if fields.get("status") is False:
        # Whole: the client cuts a message after it has removed the key, of which a part would not be found.
        raise UnreadableError("refused", one_line(fields.get("msg"), MAX_BODY))
    return _validated(_STATS, fields)


def _validated(kind: TypeAdapter[T], fields: Mapping[str, Any]) -> T:
    """Return the value of ``fields``, others left out; a number may be in a string, 1.0 is 1, and 1 is true."""
    try:
        return kind.validate_python(fields)
    except ValidationError as error:
        field = ".".join(map(str, error.errors()[0]["loc"]))
        raise UnreadableError("bad reply", f"its field {field} has no value of the protocol") from None


def retry_after_s(headers: Mapping[str, str]) -> float:
    """Return how long a reply asks to wait, seconds, as a number or as a date; 0 if it asks for nothing."""
    with suppress(HTTPError, ValueError, OverflowError):
        return Retry().parse_retry_after(headers.get("retry-after") or "0")
    return 0.0


def _no_reply(exchange: Exchange[Any]) -> Failed:
    """Return how a request failed to which no reply began."""
    root = _root(exchange.error)
    text = " ".join(each.__name__ for each in type(root).__mro__) + f" {root}"
    reason = next(clause for sign, clause in _OBSTACLES if sign in text)
    if not exchange.is_sent:
        text = f"{exchange.error!r} {text} {getattr(root, 'filename', None)!r}"
    for kind, row in KINDS.items():
        is_possible = exchange.is_sent in (None, row.delivery is Delivery.UNKNOWN)
        if is_possible and row.sign and re.search(row.sign, text):
            return _failed(exchange, kind, getattr(root, "strerror", ""))
    return _failed(exchange, "broken" if exchange.is_sent else "not sent", reason)


def _root(error: BaseException | None) -> BaseException | None:
    """Return the error that requests and urllib3 have wrapped in their own."""
    while error is not None and error.__context__ is not None:
        error = error.__context__
    return error


def _recovered(body: bytes, kind: str) -> Any:
    """Return the reply to a move of which the fields before the last one determine the position; None if they do not.

    A reply without the board is the same as in the January 2021 dialect.
    """
    if kind == "cut short":
        with suppress(UnreadableError):
            last = max(body.rfind(b',"'), body.rfind(b', "'))
            reply = parse_move_reply(decode_object(body[:last] + b"}"))
            if reply.status and None not in (reply.result, reply.botmove) and reply.botmove != NEW_GAME:
                return reply
    return None


def _unreadable(exchange: Exchange[Any], kind: str, reason: str) -> Failed:
    """Return how a request failed to which the server replied with status 2xx and a body that cannot be used."""
    if kind == "refused" and refuses_key(reason):
        return replace(_failed(exchange, kind, reason), hint=KEY_HINT)
    if len(exchange.body) > MAX_BODY:
        kind = "too long"
    elif kind in ("empty", "cut short", "not json") and exchange.error:
        kind = "stalled" if isinstance(_root(exchange.error), TimeoutError) else "truncated"
    failed = _failed(exchange, kind, reason)
    return replace(failed, delivered=1.0) if re.search(rb'"status": *true\b', exchange.body) else failed


def _failed(exchange: Exchange[Any], kind: str, reason: str = "") -> Failed:
    """Return a failure of this kind, with the names in its sentence and hint filled in."""
    row = about(kind)
    server, _, endpoint = exchange.url.rpartition("/")
    scheme = server.partition(":")[0]
    proxy = _first_set(f"{scheme}_proxy", f"{scheme}_proxy".upper(), "all_proxy", "ALL_PROXY")
    way = "Check the address and the network."
    if proxy and not is_loopback(server):
        way = f"The environment's {proxy} names a proxy: check it, NO_PROXY, the address and the network."
    names = {
        "server": server,
        "endpoint": endpoint,
        "status": exchange.status,
        "location": one_line(exchange.headers.get("location") or "another address", MAX_BODY),
        "reason": reason,
        "proxy": proxy,
        "bundle": _first_set("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
        "way": way,
    }
    message, hint = row.sentence.format_map(names), row.hint.format_map(names)
    return Failed(0.0, row.delivery, message, hint, kind, row.delivered)


def _first_set(*variables: str) -> str:
    """Return the first of these variables of the environment that has a value; empty if none has."""
    return next(filter(os.environ.get, variables), "")
