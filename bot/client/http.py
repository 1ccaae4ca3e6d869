"""Requests to the course server, and the one question that matters after a failure: did the request leave?"""

from __future__ import annotations

import ipaddress
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

import requests
import tenacity
import urllib3.exceptions
from pydantic import SecretStr

from bot.client.wire import BadReplyError, MoveReply, RefusedError, Stats, parse_move_reply, parse_stats
from bot.errors import NetworkError, ProtocolError

MAX_BODY = 1 << 20
"""A reply is about 200 bytes; a longer one is none of the server's."""
NEW_GAME = -1
T = TypeVar("T")


class NotSentError(NetworkError):
    """The request provably never left: nothing happened on the server."""


class AmbiguousError(NetworkError):
    """The request may or may not have been processed: repeating it blindly could cost the game."""

    def __init__(self, message: str, hint: str = "", retry_after_s: float = 0.0) -> None:
        super().__init__(message, hint)
        self.retry_after_s = retry_after_s


class RejectedError(ProtocolError):
    """The server answered that it did not process the request: wrong key, wrong form, wrong address."""


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
    """How long /stats is tried again when it fails in other ways."""


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
        self._session = self._new_session()
        self._has_answered = False

    def move(self, column: int) -> MoveReply:
        """Send ``column`` 0..6, or -1 for a new game, once; repeated only while it provably never left.

        Raises NotSentError, AmbiguousError, RejectedError.
        """
        start = 0.0

        def send() -> MoveReply:
            nonlocal start
            start = time.perf_counter()
            payload = self._post("move", {"move": str(column)})
            latency_s = time.perf_counter() - start
            try:
                return parse_move_reply(payload, latency_s)
            except BadReplyError as error:  # whatever answered, it may have passed the move on
                raise AmbiguousError(error.message, error.hint) from None

        return self._patiently(send, NotSentError, self._timeouts.patience_s)

    def stats(self) -> Stats | None:
        """The server's books; None when it keeps none (404, the January 2021 dialect).

        Reading changes nothing, so any failure is tried again. Raises NetworkError or ProtocolError.
        """

        def ask() -> Stats:
            return parse_stats(self._post("stats", {}))

        try:
            return self._patiently(ask, (AmbiguousError, NotSentError, BadReplyError), self._timeouts.books_s)
        except NotFoundError:
            return None

    def close(self) -> None:
        """Close the connection."""
        self._session.close()

    def _patiently(
        self, action: Callable[[], T], again: type[Exception] | tuple[type[Exception], ...], patience_s: float
    ) -> T:
        """Run ``action``, and again after ``again`` errors for ``patience_s``, with exponential back-off and jitter."""
        if not self._has_answered:
            patience_s = min(patience_s, self._timeouts.first_contact_s)
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda error: isinstance(error, again) and not _is_final(error)),
            wait=tenacity.wait_random_exponential(multiplier=0.1, max=5.0),
            stop=tenacity.stop_after_delay(patience_s),
            before_sleep=lambda state: self._notify(f"{_error_of(state)} Trying again."),
            reraise=True,
        )
        return retrying(action)

    def _post(self, endpoint: str, fields: dict[str, str]) -> Any:
        """The decoded JSON of a 200 reply."""
        form = [("stil_id", stil_id) for stil_id in self._stil_ids]
        form += [*fields.items(), ("api_key", self._api_key.get_secret_value())]
        reply = self._exchange(f"{self.server}/{endpoint}", form)
        self._has_answered = True
        _check_status(reply, endpoint)
        kind = reply.content_type.partition(";")[0].strip().lower()
        if kind != "application/json":
            raise AmbiguousError(f"The server answered with {kind or 'something'} instead of JSON.")
        try:
            return json.loads(reply.body)
        except (ValueError, RecursionError):
            raise AmbiguousError("The server's reply is no complete JSON.") from None

    def _exchange(self, url: str, form: list[tuple[str, str]]) -> _Reply:
        """One request and its whole reply, within the total time-out.

        It runs in a thread of its own, because no time-out of requests bounds a reply that drips byte by byte; a
        thread that is given up ends by itself, with its connection, and the next request takes a fresh one.
        """
        outcome: list[_Reply | Exception] = []
        session = self._session

        def run() -> None:
            try:
                outcome.append(self._request(session, url, form))
            except Exception as error:
                outcome.append(error)

        worker = threading.Thread(target=run, name="request", daemon=True)
        worker.start()
        worker.join(self._timeouts.total_s)
        if not outcome:
            self._session = self._new_session()
            raise AmbiguousError(f"The server's reply did not end within {self._timeouts.total_s:g} s.")
        if isinstance(outcome[0], Exception):
            raise _classified(outcome[0], self.server) from None
        return outcome[0]

    def _request(self, session: requests.Session, url: str, form: list[tuple[str, str]]) -> _Reply:
        timeout = (self._timeouts.connect_s, self._timeouts.read_s)
        with session.post(url, data=form, timeout=timeout, allow_redirects=False, stream=True) as response:
            body = b""
            for piece in response.iter_content(65536):
                body += piece
                if len(body) > MAX_BODY:
                    raise AmbiguousError("The server's reply is far longer than any reply of the course server.")
            return _Reply(
                response.status_code,
                response.headers.get("Content-Type", ""),
                response.headers.get("Retry-After", ""),
                response.headers.get("Location", ""),
                body,
            )

    def _new_session(self) -> requests.Session:
        session = requests.Session()
        session.trust_env = not _is_loopback(self.server)  # a proxy has no business between us and ourselves
        session.headers["Accept"] = "application/json"
        return session


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    content_type: str
    retry_after: str
    location: str
    body: bytes


class NotFoundError(RejectedError):
    """404: no such endpoint at this address."""


class UntrustedError(NotSentError):
    """TLS could not be set up: repeating would not help."""


def _check_status(reply: _Reply, endpoint: str) -> None:
    """Raise unless the status is 200: RejectedError where it proves that nothing was processed."""
    status = reply.status
    if status == 200:
        return
    if status in (301, 302, 303, 307, 308):
        raise RejectedError(
            f"The server redirects /{endpoint} to {reply.location[:200] or 'somewhere'} (HTTP {status}).",
            "Give the address it names as --server, if you trust it.",
        )
    if status == 422:
        raise RejectedError(f"The server refuses the form: {_detail(reply.body)} (HTTP 422).", "Check --stil-id.")
    if status in (401, 403):
        raise RejectedError(f"The server refuses access (HTTP {status}).", "Check --api-key and --stil-id.")
    if status == 404:
        raise NotFoundError(f"The server knows no /{endpoint} (HTTP 404).", "Check the address given as --server.")
    if status in (405, 410, 411, 413, 414, 415):
        raise RejectedError(f"The server refuses the request (HTTP {status}).", "Check the address given as --server.")
    wait_s = float(reply.retry_after) if reply.retry_after.isdigit() else 0.0
    raise AmbiguousError(f"The server answered HTTP {status}.", "Try again later.", min(wait_s, 60.0))


def _detail(body: bytes) -> str:
    """The first complaint of a 422 body, in a few words."""
    try:
        first = json.loads(body)["detail"][0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"[:200]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        return "no reason given"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and everything it was made of: requests wraps urllib3, which wraps the socket's own."""
    waiting, seen = [error], set()
    while waiting:
        current = waiting.pop()
        if not isinstance(current, BaseException) or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        waiting += [current.__cause__, current.__context__, getattr(current, "reason", None), *current.args]


def _classified(error: Exception, server: str) -> Exception:
    """The error as one of ours: NotSentError only where the request provably never left."""
    if isinstance(error, (NetworkError, ProtocolError)):
        return error
    causes = list(_causes(error))
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return UntrustedError(f"The certificate of {server} cannot be trusted.", "Check the address given as --server.")
    if any(isinstance(cause, ssl.SSLError) and "WRONG_VERSION" in str(cause) for cause in causes):
        return UntrustedError(f"{server} does not speak TLS.", "Check the address given as --server.")
    never_left = (urllib3.exceptions.NewConnectionError, urllib3.exceptions.ConnectTimeoutError)
    if isinstance(error, requests.exceptions.ConnectTimeout) or any(isinstance(cause, never_left) for cause in causes):
        return NotSentError(f"The server {server} cannot be reached.", "Check the address and the network.")
    if isinstance(error, (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema)):
        return RejectedError(f"{server!r} is no usable address.", "Check --server.")
    if isinstance(error, requests.exceptions.Timeout):
        return AmbiguousError("The server did not answer in time.")
    if isinstance(error, (requests.exceptions.RequestException, urllib3.exceptions.HTTPError, OSError)):
        return AmbiguousError("The connection broke before the whole reply was here.")
    return error


def _is_final(error: BaseException) -> bool:
    return isinstance(error, (UntrustedError, RefusedError))


def _error_of(state: tenacity.RetryCallState) -> str:
    error = state.outcome.exception() if state.outcome else None
    return error.message if isinstance(error, (NetworkError, ProtocolError)) else str(error)


def _is_loopback(server: str) -> bool:
    host = urlsplit(server).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
