"""One HTTP exchange: its own connection, its own thread, a total time limit, and whether the request was sent; and the
reply of the protocol that came of it, or how it failed.

The thread is there because no timeout of requests bounds a reply that drips byte by byte, or a name lookup. The
connection is new, because a reused one can die between two moves, and because a reply that arrives late or twice would
be taken for the reply to the next move.

urllib3's exceptions do not say whether the request was sent: a TLS error or a reset looks the same before and after.
So the connection is established first, and the request written to it second.
"""

from __future__ import annotations

import http.client
import os
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, Generic, TypeVar

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError

from bot.course.events import Failed
from bot.course.failures import KINDS, Delivery, about
from bot.course.protocol import (
    KEY_HINT,
    MAX_BODY,
    UnreadableError,
    decode_object,
    is_loopback,
    refuses_key,
)
from bot.errors import one_line

T = TypeVar("T")
Form = tuple[tuple[str, str], ...]

_CHUNK = 1 << 14
"""Maximum number of bytes read at once."""
_LAST_S = 1.0
"""How long Ctrl-C waits for the reply to a request that was sent, seconds: without it, the next move is a guess."""
_HEADERS = {"Accept": "application/json", "Connection": "close"}


class Exchange(Generic[T]):
    """One request, its progress, and what comes of it. The constructor begins to send the request, once.

    The thread reports each step, and each report is refused once the exchange is over. So a thread that hangs in a name
    lookup when its time is over can neither send the request later nor change what the caller has read here.
    """

    def __init__(
        self,
        url: str,
        form: Form,
        connect_s: float,
        total_s: float,
        finish: Callable[[Exchange[T]], T],
        *,
        addresses: dict[str, str],
    ) -> None:
        """POST ``form`` to ``url``, or GET it if the form is empty; no failure of the network raises.

        A connection to one address of the server takes at most ``connect_s`` seconds, an exchange whose reply has begun
        ``total_s``. ``finish`` is called once, when the exchange is over, and returns what has come of it.
        ``addresses`` maps a host's name to the address that brought the last reply, and is kept up to date.
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
        self.addresses = addresses
        self._connect_s, self._total_s = connect_s, total_s
        self._finish = finish
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

        A reply that has begun, and a request that has not left, have as long as a whole exchange; what has not left by
        then never will. After Ctrl-C the exchange ends, and a reply that is complete soon is still read: `close`
        returns it.
        """
        try:
            if not self._ends_within(within_s) and not self._ends_within(self._total_s - within_s, or_is_silent=True):
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

    def _ends_within(self, seconds: float, *, or_is_silent: bool = False) -> bool:
        """Wait until the exchange ends, or the request has left and no reply has begun, if that is for the caller."""

        def is_reached() -> bool:
            return self._is_over or (or_is_silent and self.is_sent is True and self.status is None)

        with self._lock:
            return self._lock.wait_for(is_reached, max(0.0, seconds))

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
        return adapter.send(request, timeout=(self._connect_s, None), **settings)

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
            self._lock.notify()


class _Response(http.client.HTTPResponse):
    """Reads on after every 1xx status, as HTTP asks; http.client does so after 100 only."""

    def _read_status(self) -> tuple[str, int, str]:
        version, status, reason = super()._read_status()  # type: ignore[misc]
        is_interim = 100 < status < 200 and status != http.HTTPStatus.SWITCHING_PROTOCOLS
        return version, http.HTTPStatus.CONTINUE if is_interim else status, reason


def _connecting_first(base: Any, exchange: Exchange[Any]) -> type:
    """Return a subclass of ``base``, one of urllib3's connection classes, that connects, reports, and then sends."""

    class Connection(base):  # type: ignore[misc]
        response_class = _Response

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


# From an exchange to the reply of the protocol, or to how it failed

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

    A complete reply with a board counts whatever HTTP status a proxy gave it, and a refusal where the status says no
    more than that.
    """
    if exchange.status is None:
        return _no_reply(exchange)
    is_good = 200 <= exchange.status <= 299
    try:
        reply = parse(decode_object(exchange.body))
        is_refusal = about(f"http {exchange.status}").refuses_column and getattr(reply, "status", None) is False
        if is_good or is_refusal or getattr(reply, "state", None) is not None:
            return reply
    except UnreadableError as problem:
        if is_good:
            return _unreadable(exchange, *problem.args)
    return _failed(exchange, "redirect" if 300 <= exchange.status <= 399 else f"http {exchange.status}")


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
