"""One HTTP exchange with a total time limit, for the client and the doctor.

Each exchange runs in its own thread, because no timeout of requests bounds a reply that drips byte by byte, or a name
lookup; a cancelled thread sends nothing more. It uses its own connection: on a reused one, a reply that arrives late or
twice would be taken for the reply to the next move.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass

import requests

from bot.course.address import is_loopback
from bot.course.client.addresses import AddressMemory
from bot.course.client.connection import Attempt, NeverSentError, Timing, TrackingAdapter
from bot.course.client.decode import is_complete

__all__ = ["MAX_BODY", "Exchange", "Reply", "Request", "Timing", "Transport"]

MAX_BODY = 1 << 20
"""Maximum size of a reply's body, bytes; a reply of the course server has about 300."""
_CHUNK = 1 << 14
"""Maximum number of bytes read at once."""
_GRACE_S = 0.2
"""Time for a cancelled exchange to return the part of the reply that has arrived, seconds."""


class TotalTimeoutError(Exception):
    """The exchange took longer than its total time limit."""

    def __init__(self, total_s: float) -> None:
        super().__init__(total_s)
        self.total_s = total_s


class TooLongError(Exception):
    """The body is longer than MAX_BODY."""


class BusyError(Exception):
    """Too many earlier exchanges are still running."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request: GET without a form, POST with one."""

    url: str
    form: tuple[tuple[str, str], ...] | None = None

    @property
    def method(self) -> str:
        """GET or POST."""
        return "GET" if self.form is None else "POST"


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply whose headers are complete. Its body may be cut short: then the exchange has an error, too."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    """Names and values; the names in lower case."""
    body: bytes = b""

    @property
    def is_success(self) -> bool:
        """Whether the HTTP status is 2xx."""
        return 200 <= self.status <= 299

    def header(self, name: str) -> str:
        """Return the value of a header, "" if it is missing."""
        return next((value for key, value in self.headers if key == name.lower()), "")


@dataclass(frozen=True, slots=True)
class Exchange:
    """The result of one request. Complete if there is a reply and no error."""

    request: Request
    timing: Timing
    is_sent: bool
    """Whether any byte of the request may have been sent."""
    reply: Reply | None = None
    error: Exception | None = None
    """What ended the exchange early; NeverSentError if no server can have the request."""


@dataclass(frozen=True, slots=True)
class _Limit:
    """The total time limit of one exchange."""

    total_s: float
    until: float
    """On the clock of time.monotonic, seconds."""

    @property
    def left_s(self) -> float:
        """Seconds until the limit, 0 when it is reached."""
        return max(0.0, self.until - time.monotonic())

    def exceeded(self) -> TotalTimeoutError:
        """Return the error of an exchange that took too long."""
        return TotalTimeoutError(self.total_s)


class Transport:
    """Sends requests, one connection and one thread each. The constructor does no I/O.

    It remembers which of a host's addresses work. At most ``max_threads`` threads exist at a time, those of cancelled
    requests included (a name lookup cannot be interrupted). Another request waits for one of them, within its limit.
    """

    def __init__(self, *, connect_s: float = 3.0, read_s: float = 10.0, max_threads: int = 8) -> None:
        """``connect_s``: timeout of the connection, all addresses together; ``read_s``: time limit between packets."""
        self._timeouts = (connect_s, read_s)
        self._addresses = AddressMemory()
        self._slots = threading.BoundedSemaphore(max_threads)

    def exchange(self, request: Request, *, total_s: float, on_sent: Callable[[], None] | None = None) -> Exchange:
        """Send ``request`` and read its reply within ``total_s`` seconds. No failure of the network raises.

        ``on_sent`` is called, from another thread, just before the first byte is sent.
        """
        limit = _Limit(total_s, time.monotonic() + total_s)
        attempt = Attempt(on_sent)
        if not self._slots.acquire(timeout=limit.left_s):
            return _failed(request, attempt, NeverSentError(), BusyError())
        outcome: Future[Exchange] = Future()

        def run() -> None:
            try:
                outcome.set_result(self._run(request, attempt, limit))
            except BaseException as error:
                outcome.set_exception(error)
            finally:
                self._slots.release()

        try:
            threading.Thread(target=run, name="request", daemon=True).start()
            return outcome.result(limit.left_s)
        except FutureTimeoutError:
            return self._cancelled(request, attempt, limit, outcome)
        except RuntimeError as error:  # the system has no thread left
            self._slots.release()
            return _failed(request, attempt, NeverSentError(), error)
        except BaseException:  # Ctrl-C: nothing may be sent after it
            attempt.cancel()
            raise

    def _cancelled(self, request: Request, attempt: Attempt, limit: _Limit, outcome: Future[Exchange]) -> Exchange:
        """Cancel the request, and return what is known about it."""
        if outcome.done():
            return outcome.result()
        is_sent, timing = attempt.cancel(), attempt.timing()
        if not is_sent:
            return _failed(request, attempt, NeverSentError(), limit.exceeded())
        try:
            reply = outcome.result(_GRACE_S).reply
        except FutureTimeoutError:
            reply = None
        if reply is not None and not reply.body:  # its headers may be cut short
            reply = None
        self._addresses.note(attempt.address, works=reply is not None)
        return Exchange(request, timing=timing, is_sent=True, reply=reply, error=limit.exceeded())

    def _run(self, request: Request, attempt: Attempt, limit: _Limit) -> Exchange:
        """The thread's work."""
        reply: Reply | None = None
        failure: Exception | None = None
        try:
            with _session(request.url, attempt, self._addresses) as session:
                data = None if request.form is None else list(request.form)
                with session.request(
                    request.method,
                    request.url,
                    data=data,
                    timeout=self._timeouts,
                    allow_redirects=False,
                    stream=True,
                ) as response:
                    reply, failure = _read(response, limit)
        except Exception as error:
            failure = error
        if attempt.address is not None:
            self._addresses.note(attempt.address, works=reply is not None)
        return Exchange(request, timing=attempt.timing(), is_sent=attempt.is_sent, reply=reply, error=failure)


def _failed(request: Request, attempt: Attempt, error: Exception, cause: Exception) -> Exchange:
    error.__cause__ = cause
    return Exchange(request, timing=attempt.timing(), is_sent=False, error=error)


def _read(response: requests.Response, limit: _Limit) -> tuple[Reply, Exception | None]:
    """Return the reply, and what cut its body short, if anything did.

    A body that is a complete JSON object ends the reply, whatever length was announced: waiting for more would use up
    the time for the move.
    """
    body = bytearray()
    failure: Exception | None = None
    try:
        for chunk in _chunks(response):
            body += chunk
            if len(body) > MAX_BODY:
                failure = TooLongError()
                break
            if b"}" in chunk and is_complete(bytes(body)):
                break
            if not limit.left_s:
                failure = limit.exceeded()
                break
    except Exception as error:
        failure = error
    headers = tuple((name.lower(), _utf8(value)) for name, value in response.headers.items())
    return Reply(response.status_code, headers, bytes(body)), failure


def _utf8(header: str) -> str:
    """Return a header's value as text: http.client reads it as Latin-1."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return header


def _chunks(response: requests.Response) -> Iterator[bytes]:
    """Yield the body as it arrives, so that the part before a failure is not lost."""
    if not hasattr(response.raw, "read1"):  # urllib3 before 2.1: a read would wait for a whole chunk
        yield from response.iter_content(1)
        return
    while chunk := response.raw.read1(_CHUNK, decode_content=True):
        yield chunk


class _Session(requests.Session):
    """A session without automatic behaviour: no password from ~/.netrc, no redirects."""

    def get_redirect_target(self, resp: requests.Response) -> None:  # noqa: ARG002
        """Return None: otherwise requests would read the body of a redirect to its end, however long it is."""
        return


def _session(url: str, attempt: Attempt, addresses: AddressMemory) -> requests.Session:
    session = _Session()
    session.trust_env = not is_loopback(url)  # bypass proxies on loopback
    session.auth = _no_password
    session.headers.update({"Accept": "application/json", "Connection": "close"})
    for scheme in ("http://", "https://"):
        session.mount(scheme, TrackingAdapter(attempt, addresses))
    return session


def _no_password(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Send no credentials but the form's: without this, requests looks into the user's ~/.netrc."""
    return request
