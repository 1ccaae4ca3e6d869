"""Requests to the course server: what is sent, for how long, and what may be sent again."""

from __future__ import annotations

import ipaddress
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

import requests
import tenacity
import urllib3.exceptions
from pydantic import SecretStr

from bot.client.connection import ProvableAdapter, Ticket, travel_with, waited_s
from bot.client.failures import (
    AmbiguousError,
    NotFoundError,
    NotSentError,
    RawReply,
    RejectedError,
    check_status,
    classified,
    is_final,
)
from bot.client.fragment import salvage, was_processed
from bot.client.wire import BadReplyError, MoveReply, Stats, parse_move_reply, parse_stats
from bot.errors import NetworkError, ProtocolError

__all__ = ["AmbiguousError", "CourseClient", "NotSentError", "RejectedError", "Timeouts"]

MAX_BODY = 1 << 20
"""A reply is about 200 bytes; a longer one is none of the server's."""
JSON = "application/json"
_PIECE = 256
"""Bytes read at once: small, so that a thread which reads a dripping reply soon sees that its time is over."""
NEW_GAME = -1
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Timeouts:
    """All in seconds."""

    connect_s: float = 3.0
    read_s: float = 10.0
    """Between two packets of a reply."""
    total_s: float = 20.0
    """For a whole reply, however it drips."""
    patience_s: float = 30.0
    """How long a server that has answered before, and cannot be reached now, is tried again."""
    first_contact_s: float = 3.0
    """The same before its first answer: then the address is more likely wrong than the network."""
    books_s: float = 5.0
    """How long /stats is tried again when it answers, but with nothing that can be used."""


class CourseClient:
    """The course server's two endpoints for one group of students. The constructor makes no I/O."""

    def __init__(
        self,
        server: str,
        stil_ids: Sequence[str],
        api_key: SecretStr,
        timeouts: Timeouts | None = None,
        notify: Callable[[str], None] = lambda _text: None,
    ) -> None:
        self.server = server.rstrip("/")
        self._stil_ids = list(stil_ids)
        self._api_key = api_key
        self._timeouts = timeouts or Timeouts()
        self._notify = notify
        self._has_answered = False
        self._waited_s: float | None = None
        self.on_departure: Callable[[], None] = lambda: None
        """Called, from another thread, just before a move's first byte goes."""

    def move(self, column: int) -> MoveReply:
        """Send ``column`` 0..6, or -1 for a new game, once; repeated only while it provably never left.

        Raises NotSentError, AmbiguousError, RejectedError.
        """
        start = 0.0

        def send() -> MoveReply:
            nonlocal start
            start = time.perf_counter()
            try:
                payload = self._post("move", {"move": str(column)}, self._timeouts.total_s)
                return replace(parse_move_reply(payload, time.perf_counter() - start), first_byte_s=self._waited_s)
            except BadReplyError as error:  # whatever answered, it may have passed the move on
                raise AmbiguousError(error.message, error.hint, first_byte_s=self._waited_s) from None
            except AmbiguousError as error:
                error.first_byte_s = self._waited_s
                told = salvage(error.body)
                if told is not None:
                    self._notify(f"{error.message} What has come of it tells the rest.")
                    return replace(told, latency_s=time.perf_counter() - start, first_byte_s=error.first_byte_s)
                if was_processed(error.body):
                    error.odds = 1.0
                raise

        return self._patiently(send, NotSentError, self._timeouts.patience_s)

    def stats(self, patience_s: float | None = None) -> Stats | None:
        """The server's books; None when it keeps none (404, the January 2021 dialect).

        Reading changes nothing, so any failure is tried again: for ``patience_s`` seconds if given (about as long
        may a single reply take), else as long as the time-outs say. Raises NetworkError or ProtocolError.
        """
        times = self._timeouts
        unreachable_s, useless_s = (times.patience_s, times.books_s) if patience_s is None else (patience_s, patience_s)
        total_s = times.total_s if patience_s is None else min(times.total_s, max(1.0, patience_s))

        def ask() -> Stats:
            return parse_stats(self._post("stats", {}, total_s))

        def reach() -> Stats:
            return self._patiently(ask, NotSentError, unreachable_s)

        try:
            return self._patiently(reach, (AmbiguousError, BadReplyError), useless_s)
        except NotFoundError:
            return None

    def _patiently(
        self, action: Callable[[], T], again: type[Exception] | tuple[type[Exception], ...], patience_s: float
    ) -> T:
        """Run ``action``, and again after ``again`` errors for ``patience_s``, with exponential back-off and jitter."""
        if not self._has_answered:
            patience_s = min(patience_s, self._timeouts.first_contact_s)
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda error: isinstance(error, again) and not is_final(error)),
            wait=tenacity.wait_random_exponential(multiplier=0.1, max=5.0),
            stop=tenacity.stop_after_delay(patience_s),
            before_sleep=lambda state: self._notify(f"{_error_of(state)} Trying again."),
            reraise=True,
        )
        return retrying(action)

    def _post(self, endpoint: str, fields: dict[str, str], total_s: float) -> Any:
        """The decoded JSON of a 200 reply."""
        form = [("stil_id", stil_id) for stil_id in self._stil_ids]
        form += [*fields.items(), ("api_key", self._api_key.get_secret_value())]
        ticket = Ticket(self.on_departure) if endpoint == "move" else Ticket()
        reply = self._exchange(f"{self.server}/{endpoint}", form, total_s, ticket)
        self._has_answered = True
        check_status(reply, endpoint)
        kind = _kind(reply.content_type)
        if kind != JSON:
            raise AmbiguousError(f"The server answered with {kind or 'something'} instead of JSON.")
        try:
            return json.loads(reply.body)
        except (ValueError, RecursionError):
            raise AmbiguousError("The server's reply is no complete JSON.", body=reply.body) from None

    def _exchange(self, url: str, form: list[tuple[str, str]], total_s: float, ticket: Ticket) -> RawReply:
        """One request and its whole reply, within ``total_s`` seconds.

        It runs in a thread of its own, because no time-out of requests bounds a reply that drips byte by byte, or the
        search for a name; a thread that is given up sends nothing any more. It has a connection of its own: on one that
        is used again, a reply that comes late, or twice, would be taken for the answer to the next move.
        """
        outcome: list[tuple[RawReply | Exception, float | None]] = []
        self._waited_s = None
        deadline = time.monotonic() + total_s

        def run() -> None:
            result: RawReply | Exception
            travel_with(ticket)
            try:
                with self._new_session() as session:
                    result = self._request(session, url, form, deadline)
            except Exception as error:
                result = error
            outcome.append((result, waited_s()))

        worker = threading.Thread(target=run, name="request", daemon=True)
        worker.start()
        worker.join(total_s)
        if not outcome:
            if not ticket.give_up():
                raise NotSentError(f"{self.server} cannot be reached within {total_s:g} s.", "Check the network.")
            raise AmbiguousError(f"The server's reply did not end within {total_s:g} s.")
        result, self._waited_s = outcome[0]
        if isinstance(result, Exception):
            raise classified(result, self.server) from None
        return result

    def _request(self, session: requests.Session, url: str, form: list[tuple[str, str]], deadline: float) -> RawReply:
        timeout = (self._timeouts.connect_s, self._timeouts.read_s)
        with session.post(url, data=form, timeout=timeout, allow_redirects=False, stream=True) as response:
            body = self._body(response, deadline)
            return RawReply(
                response.status_code,
                response.headers.get("Content-Type", ""),
                response.headers.get("Retry-After", ""),
                response.headers.get("Location", ""),
                body,
            )

    def _body(self, response: requests.Response, deadline: float) -> bytes:
        """The whole body; when it breaks off, the error of a JSON reply with status 200 carries what came."""
        body = b""
        is_json = response.status_code == 200 and _kind(response.headers.get("Content-Type", "")) == JSON
        try:
            for piece in _pieces(response):
                body += piece
                if len(body) > MAX_BODY:
                    raise AmbiguousError("The server's reply is far longer than any reply of the course server.")
                if is_json and _is_whole(body):
                    break  # whatever its length was said to be: to wait for more would cost our time
                if time.monotonic() > deadline:
                    raise AmbiguousError("The server's reply does not end.")
        except (requests.exceptions.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
            broken = classified(error, self.server)
            if isinstance(broken, AmbiguousError):
                broken.body = body if is_json else b""
            raise broken from None
        return body

    def _new_session(self) -> requests.Session:
        session = requests.Session()
        session.trust_env = not _is_loopback(self.server)  # a proxy has no business between us and ourselves
        session.auth = _no_password
        session.headers.update({"Accept": JSON, "Connection": "close"})
        for scheme in ("http://", "https://"):
            session.mount(scheme, ProvableAdapter())
        return session


def _no_password(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """The form's key is all that we ever tell; without this, requests would look into the user's ~/.netrc."""
    return request


def _pieces(response: requests.Response) -> Iterator[bytes]:
    """The body as it comes in: the end of one that was cut short must not take along what came before."""
    if not hasattr(response.raw, "read1"):  # urllib3 before 2.1, and mocks
        yield from response.iter_content(_PIECE)
        return
    while piece := response.raw.read1(_PIECE, decode_content=True):
        yield piece


def _is_whole(body: bytes) -> bool:
    """Whether the body is a whole JSON object already."""
    if not body.rstrip().endswith(b"}"):
        return False
    try:
        return isinstance(json.loads(body), dict)
    except (ValueError, RecursionError):
        return False


def _kind(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def _error_of(state: tenacity.RetryCallState) -> str:
    error = state.outcome.exception() if state.outcome else None
    return error.message if isinstance(error, (NetworkError, ProtocolError)) else str(error)


def _is_loopback(server: str) -> bool:
    try:
        host = urlsplit(server).hostname or ""
        if host == "localhost":
            return True
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
