"""Helpers of the client's tests: a client with time limits, good replies, and limits that come at a known moment."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any

import pytest
from pydantic import SecretStr

from bot.course.client import exchange
from bot.course.client.http import CourseClient, Timeouts
from tests.servers import Answer, http

KEY = "sekrit-key"
GRID = [[0] * 7 for _ in range(6)]
GOOD: dict[str, Any] = {"msg": None, "status": True, "result": 0.0, "botmove": -1, "state": GRID}
QUICK = Timeouts(connect_s=60.0, read_s=60.0, total_s=60.0, patience_s=0.3, first_contact_s=0.3, statistics_s=0.3)
"""Gives up soon what was not sent; waits long for a reply, since a busy machine may answer late."""
_SHORT_S = 0.1
"""Time limit between two packets once everything has arrived that the server will ever send, seconds."""
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def client(server: str, **options: Any) -> CourseClient:
    options.setdefault("timeouts", QUICK)
    return CourseClient(server, options.pop("ids", ("aa", "bb")), SecretStr(options.pop("key", KEY)), **options)


def good(**fields: Any) -> bytes:
    """Return a whole good reply with these fields."""
    return http(json.dumps({**GOOD, **fields}).encode())


def impatient_after(
    monkeypatch: pytest.MonkeyPatch, count: int, answer: Answer, *, then_s: float = _SHORT_S
) -> tuple[Answer, threading.Event]:
    """Let clients wait long for the first ``count`` bytes of ``answer``, and only ``then_s`` for more.

    So a time limit is reached after the part that a test is about, however slowly a busy machine delivers it. Returns
    the answer to serve, and an event that is set when the server has the request and the client those bytes.
    """
    asked, arrived, received = threading.Event(), threading.Event(), 0
    receive = socket.socket.recv_into

    def counted(self: socket.socket, *arguments: Any) -> int:
        nonlocal received
        if not asked.wait(60):
            raise AssertionError("the server has not read the request")
        if received >= count:
            arrived.set()
            self.settimeout(then_s)
        size = receive(self, *arguments)
        received += size
        if received >= count:
            arrived.set()
        return size

    def noted(connection: socket.socket, over: threading.Event) -> None:
        asked.set()
        answer(connection, over)

    monkeypatch.setattr(socket.socket, "recv_into", counted)  # the client's: the server calls `recv`
    return noted, arrived


def time_is_over(monkeypatch: pytest.MonkeyPatch, when: threading.Event) -> None:
    """Let the total time limit of every exchange be reached at the event ``when``."""

    class Limited(Future[Any]):
        is_over = False

        def result(self, timeout: float | None = None) -> Any:
            while not self.is_over and not self.done():
                if when.wait(0.02):
                    self.is_over = True
                    raise FutureTimeoutError
            return super().result(timeout)

    monkeypatch.setattr(exchange, "Future", Limited)
    monkeypatch.setattr(exchange, "_GRACE_S", 60.0)  # a busy machine may need it


class EnoughError(Exception):
    """Stops a client that would try again for an hour."""


def enough_after(tries: int) -> Callable[[str], None]:
    """Return a `notify` that ends the client's repetitions with EnoughError at this number of notes."""
    notes: list[str] = []

    def notify(note: str) -> None:
        notes.append(note)
        if len(notes) == tries:
            raise EnoughError(note)

    return notify
