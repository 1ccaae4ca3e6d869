"""Connections that can prove that a request never left.

HTTP frames a form by its Content-Length: until its last byte has been handed to the socket, no server can have the
request, whatever it does. So everything that fails before `request` returns (the name, the connection, the proxy's
tunnel, the TLS handshake, a kept-alive connection that turns out dead while we write) is a request that never left,
and everything that fails after it is of unknown fate. urllib3's own exceptions do not tell the two apart: a TLS error
or a reset looks the same on either side of that line.
"""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.response import HTTPResponse


class NeverLeftError(Exception):
    """Raised from its cause; no urllib3 class, so that urllib3 passes it on as it is."""


_LINE = 1 << 16
"""Bytes: as long may a header line be."""


@contextmanager
def _before_departure() -> Iterator[None]:
    try:
        yield
    except NeverLeftError:
        raise
    except Exception as error:
        raise NeverLeftError from error


class _FinalResponse(http.client.HTTPResponse):
    """Skips interim replies (1xx): the library skips 100 alone, and takes the others for the final one."""

    def _read_status(self) -> tuple[str, int, str]:
        while True:
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if not 102 <= status <= 199:
                return version, status, reason
            while self.fp.readline(_LINE).strip():
                pass


class _Provable(HTTPConnection):
    response_class = _FinalResponse

    def connect(self) -> None:
        with _before_departure():
            super().connect()

    def request(self, *args: Any, **options: Any) -> None:
        with _before_departure():
            super().request(*args, **options)

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        if _trip.ticket is not None:
            _trip.ticket.leave()
        _trip.since = time.perf_counter()  # before: once the last byte is there, the server may have our core
        super().send(data)

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]  # as urllib3 itself has it
        try:
            return super().getresponse()
        finally:
            _trip.seconds = time.perf_counter() - _trip.since


class _ProvableHTTP(_Provable, HTTPConnection):
    pass


class _ProvableHTTPS(_Provable, HTTPSConnection):
    pass


class Ticket:
    """One request's leave to go, shared by the thread that sends it and the one that waits for it.

    A thread can hang where no time-out reaches, looking up a name, say. Once its request is given up it must not send
    it any more: a move that arrives late, perhaps after a newer one, is in nobody's reckoning.
    """

    def __init__(self, on_leave: Callable[[], None] = lambda: None) -> None:
        """``on_leave`` is called just before the first byte goes."""
        self._lock = threading.Lock()
        self._has_left = self._is_given_up = False
        self._on_leave = on_leave

    def leave(self) -> None:
        """Called before any byte is handed to the socket; raises NeverLeftError once the request is given up."""
        with self._lock:
            if self._is_given_up:
                raise NeverLeftError
            if not self._has_left:
                self._on_leave()
            self._has_left = True

    def give_up(self) -> bool:
        """From now on nothing more leaves; returns whether something had left before."""
        with self._lock:
            self._is_given_up = True
            return self._has_left


class _Trip(threading.local):
    ticket: Ticket | None = None
    since = 0.0
    seconds: float | None = None


_trip = _Trip()


def travel_with(ticket: Ticket) -> None:
    """This thread's next request goes by ``ticket``."""
    _trip.ticket, _trip.seconds = ticket, None


def waited_s() -> float | None:
    """How long this thread's last request waited for its answer to begin, or to fail, from when it had all left.

    The time that the server took, without connecting to it (or to the proxy before it), without reading the rest and
    without work of ours. None where there was no such wait.
    """
    return _trip.seconds


class _HTTPPool(HTTPConnectionPool):
    ConnectionCls = _ProvableHTTP


class _HTTPSPool(HTTPSConnectionPool):
    ConnectionCls = _ProvableHTTPS


_POOLS = {"http": _HTTPPool, "https": _HTTPSPool}


class ProvableAdapter(HTTPAdapter):
    """An adapter for a session, straight or through a proxy; it repeats nothing by itself."""

    def __init__(self) -> None:
        super().__init__(max_retries=0)

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = _POOLS

    def proxy_manager_for(self, *args: Any, **options: Any) -> Any:
        manager = super().proxy_manager_for(*args, **options)
        if type(manager).__module__.startswith("urllib3.poolmanager"):  # a SOCKS manager has pools of its own
            manager.pool_classes_by_scheme = _POOLS
        return manager
