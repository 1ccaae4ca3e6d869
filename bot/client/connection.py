"""Connections that can prove that a request never left.

HTTP frames a form by its Content-Length: until its last byte has been handed to the socket, no server can have the
request, whatever it does. So everything that fails before `request` returns (the name, the connection, the proxy's
tunnel, the TLS handshake, a kept-alive connection that turns out dead while we write) is a request that never left,
and everything that fails after it is of unknown fate. urllib3's own exceptions do not tell the two apart: a TLS error
or a reset looks the same on either side of that line.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.response import HTTPResponse


class NeverLeftError(Exception):
    """Raised from its cause; no urllib3 class, so that urllib3 passes it on as it is."""


@contextmanager
def _before_departure() -> Iterator[None]:
    try:
        yield
    except NeverLeftError:
        raise
    except Exception as error:
        raise NeverLeftError from error


class _Provable(HTTPConnection):
    def connect(self) -> None:
        with _before_departure():
            super().connect()

    def request(self, *args: Any, **options: Any) -> None:
        with _before_departure():
            super().request(*args, **options)
        _wait.since = time.perf_counter()

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]  # as urllib3 itself has it
        try:
            return super().getresponse()
        finally:
            _wait.seconds = time.perf_counter() - _wait.since


class _ProvableHTTP(_Provable, HTTPConnection):
    pass


class _ProvableHTTPS(_Provable, HTTPSConnection):
    pass


class _Wait(threading.local):
    since = 0.0
    seconds: float | None = None


_wait = _Wait()


def waited_s() -> float | None:
    """How long this thread's last request waited for its answer to begin, or to fail, from when it had all left.

    The time that the server took and nothing else: no connecting, no reading, no work of ours. None where there was
    no such wait; asking clears it.
    """
    seconds, _wait.seconds = _wait.seconds, None
    return seconds


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
