"""One HTTP exchange: its own connection, its own thread, a total time limit, and whether the request was sent.

The thread is there because no timeout of requests bounds a reply that drips byte by byte, or a name lookup. The
connection is new, because a reused one can die between two moves, and because a reply that arrives late or twice would
be taken for the reply to the next move.

urllib3's exceptions do not say whether the request was sent: a TLS error or a reset looks the same before and after.
So the connection is established first, and the request written to it second.
"""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import requests
from pydantic_core import from_json
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError

from bot.course.address import is_loopback

T = TypeVar("T")
Form = tuple[tuple[str, str], ...]

MAX_BODY = 1 << 20
"""Maximum size of a reply's body, bytes; a reply of the course server has about 300."""
_CHUNK = 1 << 14
"""Maximum number of bytes read at once."""
_LAST_S = 1.0
"""How long Ctrl-C waits for the reply to a request that was sent, seconds: without it, the next move is a guess."""
_HEADERS = {"Accept": "application/json", "Connection": "close"}


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Time limits, seconds."""

    connect_s: float = 3.0
    """For the connection to one address of the server."""
    read_s: float = 10.0
    """For a reply's headers. The connection of a move stays open after it; see `bot.course.client.outage`."""
    total_s: float = 20.0
    """For a whole exchange whose reply has begun, however slowly it arrives."""
    statistics_s: float = 5.0
    """How long to repeat /stats if the caller sets no limit."""


class Exchange(Generic[T]):
    """One request, its progress, and what comes of it. The constructor begins to send the request, once.

    The thread reports each step, and each report is refused once the exchange is over. So a thread that hangs in a name
    lookup when its time is over can neither send the request later nor change what the caller has read here.
    """

    def __init__(
        self,
        url: str,
        form: Form,
        timeouts: Timeouts,
        finish: Callable[[Exchange[T]], T],
        addresses: dict[str, str],
    ) -> None:
        """POST ``form`` to ``url``, or GET it if the form is empty; no failure of the network raises.

        ``finish`` is called once, when the exchange is over, and returns what has come of it. ``addresses`` maps a
        host's name to the address that brought the last reply, and is kept up to date.
        """
        self.url = url
        self.form = form
        self.is_sent: bool | None = None
        """Whether the request may have been sent; None before a connection is made: then it is not certain."""
        self.status: int | None = None
        """The HTTP status; None if no reply began."""
        self.headers: Mapping[str, str] = {}
        self.body = b""
        """The body as far as it arrived."""
        self.error: BaseException | None = None
        """What ended the exchange before the reply was complete."""
        self.end_at_s = 0.0
        """When the reply was complete or the exchange failed, seconds after its start."""
        self.first_byte_s: float | None = None
        """Seconds from just before the request is written to the reply's headers; None if no reply began.

        The server's share: without connecting, without reading the rest of the reply.
        """
        self.reply_at_s = 0.0
        """When the reply began, seconds after the exchange's start."""
        self._timeouts = timeouts
        self._finish = finish
        self.addresses = addresses
        self._found: T | None = None
        self._host = ""
        self._socket: Any = None
        self._sent_at_s = 0.0
        self._start = time.perf_counter()
        self._lock = threading.Condition()
        self._is_over = False
        try:
            threading.Thread(target=self._work, name="request", daemon=True).start()
        except KeyboardInterrupt:  # the thread may have begun
            self._end(TimeoutError())
            raise

    def outcome(self, within_s: float) -> T | None:
        """Return what comes of the exchange within this time; None if nothing.

        A reply that has begun has as long as a whole exchange; a request that has not left by then never will. After
        Ctrl-C the exchange ends, and a reply that is complete soon is still read: `close` returns it.
        """
        try:
            if not self._ends_within(within_s) and (self.status is not None or not self.is_sent):
                self._ends_within(self._timeouts.total_s - within_s)
                self._end(TimeoutError())
        except KeyboardInterrupt:
            self._ends_within(_LAST_S if self.is_sent else 0.0)
            self._end(TimeoutError())
            raise
        if self._is_over and self._found is None:
            self._found = self._finish(self)
        return self._found

    def close(self) -> T:
        """End the exchange, if it is not over: nothing is sent any more. Return what has come of it."""
        self._end(TimeoutError())
        found = self.outcome(0.0)
        assert found is not None
        return found

    def _ends_within(self, seconds: float) -> bool:
        with self._lock:
            return self._lock.wait_for(lambda: self._is_over, max(0.0, seconds))

    def _work(self) -> None:
        """Make the exchange; this is the thread's work."""
        error: BaseException | None = None
        try:
            with self._respond() as response:
                with self._ongoing():
                    self.status, self.headers = response.status_code, response.headers
                    self.reply_at_s = self._now_s()
                    self.first_byte_s = self.reply_at_s - self._sent_at_s
                if self._socket is not None:  # a mocked server has none
                    with suppress(OSError):
                        self.addresses[self._host] = self._socket.getpeername()[0]
                while len(self.body) <= MAX_BODY and (chunk := response.raw.read1(_CHUNK, decode_content=True)):
                    with self._ongoing():
                        self.body += chunk
                    # A complete object ends the reply, whatever length was announced: waiting would cost the move.
                    if b"}" in chunk:
                        with suppress(UnreadableError):
                            decode_object(self.body)
                            break
        except BaseException as failure:
            error = failure
        self._end(error)
        if self._socket is not None:
            self._socket.close()  # urllib3 keeps it in its pool

    def _respond(self) -> requests.Response:
        """Send the request and return the response, whose body is not yet read.

        Not by requests' Session, which reads the body of a redirect to its end, and sends passwords from ~/.netrc.
        """
        method = "POST" if self.form else "GET"
        request = requests.Request(method, self.url, headers=_HEADERS, data=list(self.form)).prepare()
        # The arguments are: no proxies but the environment's, streamed, certificates checked, none of our own.
        settings: Any = requests.Session().merge_environment_settings(self.url, {}, True, True, None)
        if is_loopback(self.url):
            settings["proxies"] = {}  # the environment's certificates count there, too
        adapter = HTTPAdapter()
        pool: Any = adapter.get_connection_with_tls_context(request, settings["verify"], settings["proxies"])
        pool.ConnectionCls = _connecting_first(pool.ConnectionCls, self)  # plain, TLS, through a proxy or SOCKS
        return adapter.send(request, timeout=(self._timeouts.connect_s, None), **settings)

    def _now_s(self) -> float:
        return time.perf_counter() - self._start

    @contextmanager
    def _ongoing(self) -> Iterator[None]:
        """Hold the lock; raise if the exchange is over."""
        with self._lock:
            if self._is_over:
                raise ConnectionAbortedError("The exchange is over.")
            yield

    def _end(self, error: BaseException | None) -> None:
        """End the exchange, unless it has ended: nothing is sent from now on, and the connection is shut down."""
        with self._lock:
            if self._is_over:
                return
            self._is_over, self.error, self.end_at_s = True, error, self._now_s()
            self._lock.notify()
        with suppress(OSError, TypeError, AttributeError):
            if isinstance(error, TimeoutError):  # what has not left this machine by now is discarded
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            # Not SSLSocket's own method, which would wait for the other side.
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def connecting(self) -> None:
        """Report that a connection is about to be made."""
        with self._ongoing():
            self.is_sent = False

    def sending(self, connection: Any) -> None:
        """Report that the request is about to be written to ``connection``, which is established, TLS included."""
        with self._ongoing():
            self._host, self._socket = connection.host, connection.sock
            self._sent_at_s = self._now_s()
            self.is_sent = True  # before the write: the server may reply before this thread runs again


def _connecting_first(base: Any, exchange: Exchange[Any]) -> type:
    """Return a subclass of ``base``, one of urllib3's connection classes, that connects, reports, and then sends."""

    class Connection(base):  # type: ignore[misc]
        host: str

        def _new_conn(self) -> Any:
            """Connect to the address that brought the last reply first, and to those that the name has otherwise.

            A name can have an address that does not answer (an IPv6 route that leads nowhere): without this, each move
            would wait for it. An address is forgotten as soon as it brings no reply.
            """
            name = self.host
            known = exchange.addresses.pop(name, None)
            if known:
                self.host = known
                try:
                    return super()._new_conn()
                except (OSError, HTTPError):
                    pass
                finally:
                    self.host = name
            return super()._new_conn()

        def connect(self) -> None:
            exchange.connecting()
            super().connect()

        def request(self, *args: Any, **options: Any) -> None:
            if self.sock is None:
                self.connect()
            exchange.sending(self)
            super().request(*args, **options)

    return Connection


# Bodies


_PROBLEMS = (
    ("EOF", "cut short", "it is cut short"),
    ("trailing characters", "not json", "more text follows the JSON object"),
    ("", "not json", "it is not valid JSON"),
)
"""How the parser's message begins, the kind, and the reason."""


class UnreadableError(ValueError):
    """The body is not a reply of the protocol: its kind in `bot.course.failures`, and why, as a clause."""


def decode_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object that ``body`` consists of, whatever its content type; raise UnreadableError.

    Bytes of another encoding are replaced, since only messages have any.
    """
    text = body.decode("utf-8-sig", "replace").strip(" \t\r\n\0")
    if not text:
        raise UnreadableError("empty", "it is empty")
    if text.startswith("<"):
        raise UnreadableError("html", "it is an HTML page")
    if not text.startswith("{"):
        raise UnreadableError("not json", "it is not a JSON object")
    try:
        found: dict[str, Any] = from_json(text)
    except ValueError as error:
        for beginning, kind, reason in _PROBLEMS:
            if str(error).startswith(beginning):
                raise UnreadableError(kind, reason) from None
        raise
    return found
