"""Connections that track the progress of a request.

HTTP frames a form by its Content-Length: until the last byte has been handed to the socket, no server can have the
request. Everything that fails before `request` returns (name lookup, connection, proxy tunnel, TLS handshake, writing)
therefore fails on a request that was not sent; everything that fails later is ambiguous. urllib3's own exceptions do
not separate the two: a TLS error or a reset looks the same on either side of that line.
"""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

from bot.course.client.addresses import AddressMemory, connect_first

_MAX_LINE = 1 << 16
"""Maximum header line of an interim reply, bytes."""
_CONNECT_S = 3.0
"""Connect timeout if the caller sets none, seconds."""


class NeverSentError(Exception):
    """The request was not sent; the reason is the cause. Not a urllib3 class, so that urllib3 does not convert it."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The course of one exchange: instants in seconds after its start, None for a step that was not reached."""

    connected_at_s: float | None
    sent_at_s: float | None
    """Just before the last byte of the request was handed to the socket."""
    first_byte_at_s: float | None
    """When the first byte of the reply arrived; interim replies (1xx) do not count."""
    end_at_s: float
    """When the reply was complete, or the exchange failed."""

    @property
    def first_byte_s(self) -> float | None:
        """Seconds from the request's last byte to the reply's first byte, or to the failure; None if nothing was sent.

        The server's share: without connecting, without reading the rest of the reply.
        """
        if self.sent_at_s is None:
            return None
        return (self.end_at_s if self.first_byte_at_s is None else self.first_byte_at_s) - self.sent_at_s

    @property
    def body_s(self) -> float:
        """Seconds from the reply's first byte to its end; 0 if none arrived."""
        return 0.0 if self.first_byte_at_s is None else self.end_at_s - self.first_byte_at_s


class Attempt:
    """The progress of one request and its cancellation token, shared by the sending thread and the waiting caller.

    A thread can hang where no timeout applies, such as in a name lookup. Once its request is cancelled it must not send
    anything: the server would play a move that arrives late, perhaps after a newer one.
    """

    def __init__(self, on_sent: Callable[[], None] | None = None) -> None:
        """``on_sent`` is called just before the first byte is sent."""
        self._lock = threading.Lock()
        self._on_sent = on_sent
        self._start = time.perf_counter()
        self._is_sent = self._is_cancelled = False
        self._socket: socket.socket | None = None
        self.address: Any = None
        """The address that the connection uses, once there is one."""
        self._connected_at_s: float | None = None
        self._sent_at_s: float | None = None
        self._first_byte_at_s: float | None = None

    def _now_s(self) -> float:
        return time.perf_counter() - self._start

    @property
    def is_sent(self) -> bool:
        """Whether any byte of the request may have been sent."""
        return self._is_sent

    def opened(self, connection: Any, address: object = None) -> None:
        """Note the connection's socket; raise NeverSentError once the request is cancelled."""
        with self._lock:
            self.address = address
            self._socket = connection if isinstance(connection, socket.socket) else None
        self.check()

    def check(self) -> None:
        """Raise NeverSentError once the request is cancelled."""
        with self._lock:
            if self._is_cancelled:
                raise NeverSentError

    def connected(self) -> None:
        """Note that the connection is established, including any tunnel and TLS."""
        self._connected_at_s = self._now_s()

    def sending(self) -> None:
        """Allow the next bytes of the request to be sent; raise NeverSentError once the request is cancelled."""
        with self._lock:
            if self._is_cancelled:
                raise NeverSentError
            if not self._is_sent and self._on_sent is not None:
                self._on_sent()
            self._is_sent = True
        self._sent_at_s = self._now_s()  # before the write: the server may reply before this thread runs again
        self._first_byte_at_s = None

    def first_byte(self) -> None:
        """Note that the first byte of a reply has arrived; the last such note counts."""
        self._first_byte_at_s = self._now_s()

    def cancel(self) -> bool:
        """Send nothing from now on, and shut the connection down. Return whether anything was sent before."""
        with self._lock:
            self._is_cancelled = True
            if self._socket is not None:
                with suppress(OSError):  # the plain socket's: TLS would wait for the other side
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
            return self._is_sent

    def timing(self) -> Timing:
        """Return the progress up to now."""
        return Timing(
            connected_at_s=self._connected_at_s,
            sent_at_s=self._sent_at_s,
            first_byte_at_s=self._first_byte_at_s,
            end_at_s=self._now_s(),
        )


@contextmanager
def _before_sending() -> Iterator[None]:
    try:
        yield
    except NeverSentError:
        raise
    except Exception as error:
        raise NeverSentError from error


class _FinalResponse(http.client.HTTPResponse):
    """Notes when the first byte arrives, and skips interim replies (1xx): the library itself skips only 100."""

    def __init__(self, attempt: Attempt, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._attempt = attempt

    def _read_status(self) -> tuple[str, int, str]:
        while True:
            if self.fp.peek(1):  # blocks until a byte or the end arrives
                self._attempt.first_byte()
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if not 102 <= status <= 199:
                return version, status, reason
            while self.fp.readline(_MAX_LINE).strip():
                pass


class _Tracked(HTTPConnection):
    """A connection that reports its progress to an Attempt."""

    def __init__(self, attempt: Attempt, addresses: AddressMemory, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._attempt = attempt
        self._addresses = addresses
        self._is_connecting = False
        self.response_class = partial(_FinalResponse, attempt)  # type: ignore[assignment]

    def _new_conn(self) -> socket.socket:
        connection = super()._new_conn()
        self._attempt.opened(connection)
        return connection

    def connect(self) -> None:
        self._is_connecting = True
        with _before_sending():
            super().connect()
        self._is_connecting = False
        self._attempt.connected()

    def request(self, *args: Any, **options: Any) -> None:
        with _before_sending():
            super().request(*args, **options)

    def send(self, data: Any) -> None:
        if self._is_connecting:  # to a proxy, to open the tunnel: nothing of the request itself
            self._attempt.check()
        else:
            if self.sock is None:
                self.connect()
            self._attempt.sending()
        super().send(data)


class _Direct(_Tracked):
    """Connects to the first address that answers."""

    def _new_conn(self) -> socket.socket:
        timeout_s = self.timeout if isinstance(self.timeout, (int, float)) else _CONNECT_S
        candidates = self._addresses.resolve(self._dns_host, self.port)
        connection, address = connect_first(candidates, timeout_s=timeout_s, options=self.socket_options or ())
        connection.settimeout(timeout_s)
        try:
            self._attempt.opened(connection, address)
        except NeverSentError:
            connection.close()
            raise
        return connection


class _DirectHTTPS(_Direct, HTTPSConnection):
    pass


def _tracked(base: Any) -> Any:
    """Return the tracked class for the connection class ``base`` of any pool (SOCKS has its own)."""
    known: dict[Any, Any] = {HTTPConnection: _Direct, HTTPSConnection: _DirectHTTPS}
    return known.get(base) or type(f"Tracked{base.__name__}", (_Tracked, base), {})


_POOLS = {"http": HTTPConnectionPool, "https": HTTPSConnectionPool}


class TrackingAdapter(HTTPAdapter):
    """A requests adapter for one attempt, direct or through a proxy. It never repeats a request by itself."""

    def __init__(self, attempt: Attempt, addresses: AddressMemory) -> None:
        self._attempt = attempt
        self._addresses = addresses
        super().__init__(max_retries=0)

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        super().init_poolmanager(*args, **options)
        self._track(self.poolmanager)

    def proxy_manager_for(self, *args: Any, **options: Any) -> Any:
        manager = super().proxy_manager_for(*args, **options)
        if not isinstance(manager.pool_classes_by_scheme.get("http"), partial):
            self._track(manager)
        return manager

    def _track(self, manager: Any) -> None:
        classes = getattr(manager, "pool_classes_by_scheme", _POOLS)
        manager.pool_classes_by_scheme = {scheme: partial(self._pool, kind) for scheme, kind in classes.items()}

    def _pool(self, kind: Any, *args: Any, **options: Any) -> HTTPConnectionPool:
        pool: HTTPConnectionPool = kind(*args, **options)
        pool.ConnectionCls = partial(_tracked(pool.ConnectionCls), self._attempt, self._addresses)  # type: ignore[assignment]
        return pool
