"""Helpers of the client's tests: a client with time limits, good replies, and limits that come at a known moment."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import SecretStr

from bot.course.client.exchange import Exchange
from bot.course.client.http import CourseClient, Timeouts
from bot.course.session.events import Failed, Replied
from tests.servers import Answer, http

KEY = "sekrit-key"
GRID = [[0] * 7 for _ in range(6)]
GOOD: dict[str, Any] = {"msg": None, "status": True, "result": 0.0, "botmove": -1, "state": GRID}
PATIENT = Timeouts(connect_s=60.0, read_s=60.0, total_s=60.0, statistics_s=60.0)
"""Waits long for everything, since a busy machine may answer late."""
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def client(server: str, **options: Any) -> CourseClient:
    options.setdefault("timeouts", PATIENT)
    return CourseClient(server, options.pop("ids", ("aa", "bb")), SecretStr(options.pop("key", KEY)), **options)


def send(server: str, on_sent: Callable[[], None] = lambda: None, **options: Any) -> Replied | Failed:
    """Send column 3 to ``server`` with a client of its own."""
    return client(server, **options).send(3, on_sent)


def failure(server: str, on_sent: Callable[[], None] = lambda: None, **options: Any) -> Failed:
    """Return how sending column 3 fails: one sentence a message, and one a hint."""
    failed = send(server, on_sent, **options)
    assert isinstance(failed, Failed)
    for text in (failed.message, failed.hint):
        assert text.endswith(".") and "\n" not in text and ". " not in text, text
    return failed


def reply(server: str, **options: Any) -> Replied:
    """Return the reply to column 3."""
    replied = send(server, **options)
    assert isinstance(replied, Replied), replied
    return replied


def good(**fields: Any) -> bytes:
    """Return a whole good reply with these fields."""
    return http(json.dumps({**GOOD, **fields}).encode())


def impatient_after(
    monkeypatch: pytest.MonkeyPatch, count: int, answer: Answer, *, then_s: float = 0.1
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


def time_is_over(monkeypatch: pytest.MonkeyPatch, when: Callable[[Exchange], bool]) -> None:
    """Let the total time limit of every exchange be reached as soon as ``when`` is true for it."""

    class Limited(threading.Thread):
        def __init__(self, *, target: Callable[..., None], **options: Any) -> None:
            super().__init__(target=target, **options)
            self.exchange = getattr(target, "__self__", None)

        def join(self, timeout: float | None = None) -> None:
            if not isinstance(self.exchange, Exchange) or timeout is None:
                super().join(timeout)
                return
            while self.is_alive() and not when(self.exchange):
                time.sleep(0.01)

    monkeypatch.setattr(threading, "Thread", Limited)


def request_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "request"}


def all_end(threads: set[threading.Thread]) -> bool:
    """Return whether all of these threads end by themselves."""
    for thread in threads:
        threading.Thread.join(thread, None)
    return True
