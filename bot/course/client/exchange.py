"""One HTTP exchange: its own connection, its own thread, a total time limit, and whether the request was sent.

The thread is there because no timeout of requests bounds a reply that drips byte by byte, or a name lookup. The
connection is new, because a reused one can die between two moves, and because a reply that arrives late or twice would
be taken for the reply to the next move.

urllib3's exceptions do not say whether the request was sent: a TLS error or a reset looks the same before and after.
Its connection classes are therefore replaced, through the attribute that urllib3 provides for this purpose, by
subclasses that report to the exchange. HTTP frames a form by its length: until the last byte has been handed to the
socket, no server can have the request.
"""

from __future__ import annotations

import http.client
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError

from bot.course.address import is_loopback
from bot.course.client.wire import UnreadableError, decode_object

MAX_BODY = 1 << 20
"""Maximum size of a reply's body, bytes; a reply of the course server has about 300."""
_CHUNK = 1 << 14
"""Maximum number of bytes read at once."""
_LAST_S = 1.0
"""How long Ctrl-C waits for the reply to a request that was sent, seconds: without it, the next move is a guess."""
_CHECKED = (
    (socket.SOL_SOCKET, "SO_KEEPALIVE", 1),
    (socket.IPPROTO_TCP, "TCP_KEEPIDLE", 1),
    (socket.IPPROTO_TCP, "TCP_KEEPINTVL", 3),
    (socket.IPPROTO_TCP, "TCP_KEEPCNT", 3),
    (socket.IPPROTO_TCP, "TCP_USER_TIMEOUT", 10_000),
)
"""Options with which a connection whose other end is gone fails within about ten seconds."""
_HEADERS = {
    "Accept": "application/json",
    "Connection": "close",
    "User-Agent": requests.utils.default_user_agent(),
}


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Time limits, seconds."""

    connect_s: float = 3.0
    """For the connection to one address of the server."""
    read_s: float = 10.0
    """For a reply's first byte. The connection of a move stays open after it; see `bot.course.client.outage`."""
    total_s: float = 20.0
    """For a whole exchange whose reply has begun, however slowly it arrives."""
    statistics_s: float = 5.0
    """How long to repeat /stats if the caller sets no limit."""


class Exchange:
    """One request, its progress, and its reply. The constructor does no I/O; `run` sends the request once.

    The thread reports each step, and each report is refused once the exchange is over. So a thread that hangs in a name
    lookup when its time is over can neither send the request later nor change what the caller has read here.
    """

    def __init__(
        self,
        url: str,
        form: tuple[tuple[str, str], ...],
        *,
        on_sent: Callable[[], None],
        addresses: dict[str, str],
    ) -> None:
        """POST ``form`` to ``url``, or GET it if the form is empty.

        ``on_sent`` is called from the thread just before the first byte of the request is sent. ``addresses`` maps a
        host's name to the address that brought the last reply, and is kept up to date.
        """
        self.url = url
        self.form = form
        self.addresses = addresses
        self.is_tracked = False
        """Whether a connection that reports here was made: only then is `is_sent` certain to be right."""
        self.status: int | None = None
        """The HTTP status; None if no reply began."""
        self.headers: Mapping[str, str] = {}
        self.body = b""
        """The body as far as it arrived."""
        self.error: BaseException | None = None
        """What ended the exchange before the reply was complete."""
        self.is_interrupted = False
        """Whether Ctrl-C was pressed before the reply was complete."""
        self.end_at_s = 0.0
        """When the reply was complete or the exchange failed, seconds after its start."""
        self.first_byte_s: float | None = None
        """Seconds from just before the request is written to the reply's first byte or to the failure; None if unsent.

        The server's share: without connecting, without reading the rest of the reply.
        """
        self.body_s = 0.0
        """Seconds from the reply's first byte to its end; 0 if none arrived."""
        self._sent_at_s: float | None = None
        self._on_sent = on_sent
        self._interruption: BaseException | None = None
        self._pressed: KeyboardInterrupt | None = None
        """Ctrl-C while the thread was starting."""
        self._host = ""
        self._socket: Any = None
        self._start = time.perf_counter()
        self._lock = threading.Condition()
        self._is_over = False

    @property
    def is_sent(self) -> bool:
        """Whether the request may have been sent."""
        return self._sent_at_s is not None

    def run(self, timeouts: Timeouts) -> None:
        """Send the request and read its reply within the ``timeouts``. No failure of the network raises.

        What ``on_sent`` raises is raised here, and nothing has been sent. After Ctrl-C, too, nothing is sent any more;
        a reply that is complete soon is kept, and `is_interrupted` says that KeyboardInterrupt is due.
        """
        self.begin(timeouts)
        if not self.has_ended(min(timeouts.read_s, timeouts.total_s), timeouts.total_s - timeouts.read_s):
            self.end()

    def begin(self, timeouts: Timeouts) -> None:
        """Start the thread that sends the request and reads its reply; only `wait` and `end` limit its time."""
        self._thread = threading.Thread(target=self._work, args=(timeouts,), name="request", daemon=True)
        try:
            self._thread.start()
        except KeyboardInterrupt as interrupt:  # the thread may have begun: `wait` decides what becomes of it
            self._pressed = interrupt

    def has_ended(self, within_s: float, then_s: float) -> bool:
        """Return whether the exchange ends within ``within_s``, or ``then_s`` more if its reply has begun.

        One that has not begun to send its request by then is ended.
        """
        if not self.wait(within_s) and (self.first_byte_s is not None or not self.is_sent):
            self.wait(then_s)
            self.end()
        return self._is_over

    def wait(self, seconds: float) -> bool:
        """Wait for the end of the exchange, at most ``seconds``; return whether it is over. See `run` for Ctrl-C."""
        try:
            if pressed := self._pressed:
                self._pressed = None
                raise pressed
            self._thread.join(max(0.0, seconds))
        except KeyboardInterrupt:
            with self._lock:  # a thread cannot be joined again after an interrupt
                is_soon_over = self.is_sent and self._lock.wait_for(lambda: self._is_over, _LAST_S)
            if self.error or not is_soon_over:
                self.end()
                raise
            self.is_interrupted = True
        if self._interruption:
            raise self._interruption
        return self._is_over

    def end(self) -> None:
        """End the exchange, if it is not over: its connection is closed, and nothing is sent any more."""
        with suppress(OSError, AttributeError):  # what has not left this machine by now is discarded
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._end(TimeoutError())

    def check_connection(self) -> None:
        """Let the system look whether the other end of the connection still exists: an error follows if it does not.

        A connection is dead without a sign where this machine's address has changed, or a router has forgotten it.
        """
        for level, name, value in _CHECKED:
            with suppress(OSError, AttributeError):  # not every system has all of them
                self._socket.setsockopt(level, getattr(socket, name), value)

    def _work(self, timeouts: Timeouts) -> None:
        """Make the exchange; this is the thread's work."""
        error: BaseException | None = None
        try:
            with _respond(self, timeouts.connect_s) as response:
                with self._ongoing():
                    self.status, self.headers = response.status_code, response.headers
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
            if self._sent_at_s is not None:
                waited_s = self.end_at_s - self._sent_at_s
                self.first_byte_s = waited_s if self.first_byte_s is None else self.first_byte_s
                self.body_s = waited_s - self.first_byte_s
            self._lock.notify()
        with suppress(OSError, TypeError):  # not SSLSocket's own method, which would wait for the other side
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def connecting(self) -> None:
        """Report that a connection is about to be made."""
        with self._ongoing():
            self.is_tracked = True

    def sending(self, connection: Any) -> None:
        """Report that the request is about to be written to ``connection``, which is established, TLS included."""
        with self._ongoing():
            try:
                self._on_sent()
            except BaseException as error:
                self._interruption = error
                raise
            self._host, self._socket = connection.host, connection.sock
            self._sent_at_s = self._now_s()  # before the write: the server may reply before this thread runs again

    def not_written(self) -> None:
        """Report that the request could not be written to its end: then no server has it."""
        with self._ongoing():
            self._sent_at_s = None

    def first_byte(self) -> None:
        """Report that a reply begins: the address works."""
        with self._ongoing():
            assert self._sent_at_s is not None
            self.first_byte_s = self._now_s() - self._sent_at_s
        with suppress(OSError):
            self.addresses[self._host] = self._socket.getpeername()[0]


def _tracked(base: Any, exchange: Exchange) -> type:
    """Return a subclass of ``base``, one of urllib3's connection classes, that reports to ``exchange``."""

    class Response(http.client.HTTPResponse):
        def begin(self) -> None:
            if self.fp.peek(1):  # waits for a byte or the end
                exchange.first_byte()
            super().begin()

        def _read_status(self) -> tuple[str, int, str]:
            """Return the next status; http.client reads on after 100 only, and HTTP asks so after every 1xx."""
            version, status, reason = super()._read_status()  # type: ignore[misc]
            is_interim = 100 < status < 200 and status != http.HTTPStatus.SWITCHING_PROTOCOLS
            return version, http.HTTPStatus.CONTINUE if is_interim else status, reason

    class Connection(base):  # type: ignore[misc]
        host: str

        def _new_conn(self) -> Any:
            """Connect to the address that brought the last reply first, and to those that the name has otherwise.

            A name can have an address that does not answer (an IPv6 route that leads nowhere): without this, each
            request would wait for it. An address is forgotten as soon as it brings no reply.
            """
            exchange.connecting()
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

        def request(self, *args: Any, **options: Any) -> None:
            if self.sock is None:
                self.connect()
            exchange.sending(self)
            try:
                super().request(*args, **options)
            except OSError:
                exchange.not_written()
                raise
            self.response_class = Response  # not before: a proxy's answer to CONNECT is none

    return Connection


class _Adapter(HTTPAdapter):
    """Makes tracked connections: plain, TLS, through a proxy, through a SOCKS proxy. It never repeats a request."""

    exchange: Exchange

    def get_connection_with_tls_context(self, *args: Any, **options: Any) -> Any:
        pool: Any = super().get_connection_with_tls_context(*args, **options)
        pool.ConnectionCls = _tracked(pool.ConnectionCls, self.exchange)
        return pool


def _respond(exchange: Exchange, connect_s: float) -> requests.Response:
    """Send the exchange's request and return the response, whose body is not yet read.

    Not by requests' Session, which reads the body of a redirect to its end, and sends passwords from ~/.netrc.
    """
    method = "POST" if exchange.form else "GET"
    request = requests.Request(method, exchange.url, headers=_HEADERS, data=list(exchange.form)).prepare()
    session = requests.Session()
    settings: Any = session.merge_environment_settings(exchange.url, {}, stream=True, verify=True, cert=None)
    if is_loopback(exchange.url):
        settings["proxies"] = {}  # the environment's certificates count there, too
    adapter = _Adapter()
    adapter.exchange = exchange
    return adapter.send(request, timeout=(connect_s, None), **settings)
