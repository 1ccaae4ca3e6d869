"""Connect to the first of a host's addresses that answers, and remember it for the following requests.

A host name can have several addresses, and one of them may be a black hole (an IPv6 route that leads nowhere, a machine
that is down). Trying them in turn, as urllib3 does, costs the whole connect timeout for every request. Here attempts
overlap, as RFC 8305 ("Happy Eyeballs") describes, and the address that worked last is tried first.
"""

from __future__ import annotations

import errno
import os
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from urllib3.util.connection import allowed_gai_family

STAGGER_S = 0.25
"""Head start of one address over the next, seconds (RFC 8305, section 5, recommends 250 ms)."""

_IN_PROGRESS = (0, errno.EINPROGRESS, errno.EWOULDBLOCK, errno.EALREADY)

AddressInfo = tuple[int, int, int, str, Any]
"""One entry of socket.getaddrinfo: family, type, protocol, canonical name, socket address."""
SocketOptions = Sequence[tuple[int, int, int | bytes]]


class AddressMemory:
    """The addresses of the hosts used so far, and which of them work. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._works: dict[Any, bool] = {}
        self._known: dict[tuple[str, int], list[AddressInfo]] = {}

    def resolve(self, host: str, port: int) -> list[AddressInfo]:
        """Return the addresses of ``host``: those that worked first, those that failed last.

        If the name cannot be looked up now, an address that worked before is used instead.
        """
        try:
            found: list[AddressInfo] = list(
                socket.getaddrinfo(host.strip("[]"), port, allowed_gai_family(), socket.SOCK_STREAM)
            )
        except socket.gaierror:
            with self._lock:
                found = [info for info in self._known.get((host, port), []) if self._works.get(info[4])]
            if not found:
                raise
        with self._lock:
            self._known[host, port] = found
            return sorted(found, key=self._rank)

    def _rank(self, info: AddressInfo) -> int:
        works = self._works.get(info[4])
        return 1 if works is None else 0 if works else 2

    def note(self, address: object, *, works: bool) -> None:
        """Record whether the last exchange with ``address`` brought a reply."""
        with self._lock:
            self._works[address] = works


def connect_first(
    candidates: Sequence[AddressInfo], *, timeout_s: float, options: SocketOptions = ()
) -> tuple[socket.socket, Any]:
    """Return a connected, blocking socket and its address, within ``timeout_s`` seconds for all candidates together.

    The next candidate starts when the one before has failed, or after STAGGER_S. Raises the last candidate's OSError;
    TimeoutError if no candidate has answered.
    """
    race = _Race(candidates, options)
    try:
        return race.run(time.monotonic() + timeout_s)
    finally:
        race.close()


class _Race:
    """Concurrent connection attempts."""

    def __init__(self, candidates: Sequence[AddressInfo], options: SocketOptions) -> None:
        self._waiting = deque(candidates)
        self._options = options
        self._selector = selectors.DefaultSelector()
        self._error: OSError = OSError("The name has no address.")

    def run(self, deadline: float) -> tuple[socket.socket, Any]:
        next_start = time.monotonic()
        while self._waiting or self._selector.get_map():
            now = time.monotonic()
            if now >= deadline:
                raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
            if self._waiting and (now >= next_start or not self._selector.get_map()):
                self._start(self._waiting.popleft())
                next_start = now + STAGGER_S
                continue
            wake = min(deadline, next_start) if self._waiting else deadline
            for key, _ in self._selector.select(wake - now):
                connected = self._finish(key)
                if connected is not None:
                    return connected, key.data
                next_start = now  # an address has failed: start the next at once
        raise self._error

    def _start(self, info: AddressInfo) -> None:
        family, kind, protocol, _, address = info
        try:
            attempt = socket.socket(family, kind, protocol)
        except OSError as error:  # the family is not supported here
            self._error = error
            return
        try:
            for option in self._options:
                attempt.setsockopt(*option)
            attempt.setblocking(False)
            code = attempt.connect_ex(address)
            if code not in _IN_PROGRESS:
                raise OSError(code, os.strerror(code))
            self._selector.register(attempt, selectors.EVENT_WRITE, address)
        except OSError as error:
            attempt.close()
            self._error = error

    def _finish(self, key: selectors.SelectorKey) -> socket.socket | None:
        """Return the socket if its attempt has succeeded; close it and keep the error otherwise."""
        attempt = key.fileobj
        assert isinstance(attempt, socket.socket)
        self._selector.unregister(attempt)
        code = attempt.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code:
            attempt.close()
            self._error = OSError(code, os.strerror(code))
            return None
        attempt.setblocking(True)
        return attempt

    def close(self) -> None:
        """Close the unfinished attempts."""
        for key in list(self._selector.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._selector.close()
