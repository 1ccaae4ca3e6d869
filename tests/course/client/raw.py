"""Helpers of the client's tests: a client with patience, good replies, and limits that come at a known moment."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import SecretStr

from bot.course.client.exchange import Exchange
from bot.course.client.http import CourseClient, Timeouts
from bot.course.events import Failed, Replied
from tests.servers import Answer, http, raw_server

KEY = "sekrit-key"
GRID = [[0] * 7] * 6
GOOD: dict[str, Any] = {"msg": None, "status": True, "result": 0.0, "botmove": -1, "state": GRID}
PATIENT = Timeouts(connect_s=60.0, read_s=60.0, total_s=60.0, statistics_s=60.0)
"""Waits long for everything, since a busy machine may answer late."""


def client(server: str, *, key: str = KEY, timeouts: Timeouts = PATIENT, **options: Any) -> CourseClient:
    return CourseClient(server, ("aa", "bb"), SecretStr(key), timeouts=timeouts, **options)


def send(server: str, on_sent: Callable[[], None] = lambda: None, **options: Any) -> Replied | Failed:
    """Send column 3 to ``server`` with a client of its own, once, and return what comes of this request."""
    return once(client(server, **options), on_sent)


def once(playing: CourseClient, on_sent: Callable[[], None] = lambda: None) -> Replied | Failed:
    """Send column 3, and return what comes of this request: no other one is asked beside it."""
    underway = playing.attempt(3, on_sent)
    return underway.outcome(playing.answer_s) or underway.close()


def failure(server: str, **options: Any) -> Failed:
    """Return how sending column 3 fails: one sentence a message, and one a hint."""
    return failed(send(server, **options))


def failed(found: Replied | Failed) -> Failed:
    assert isinstance(found, Failed)
    for text in (found.message, found.hint):
        assert text.endswith(".") and "\n" not in text and ". " not in text, text
    return found


def reply(server: str, **options: Any) -> Replied:
    """Return the reply to column 3."""
    replied = send(server, **options)
    assert isinstance(replied, Replied), replied
    return replied


def answered(answer: Answer | bytes) -> Replied | Failed:
    """Return what one request becomes to which a server gives this answer; nothing of the client goes on after that."""
    with raw_server(answer) as (url, seen):
        found = send(url)
        assert all_end() and len(seen) == 1
    return found


def good(**fields: Any) -> bytes:
    """Return a whole good reply with these fields."""
    return http(json.dumps({**GOOD, **fields}).encode())


def impatient_after(monkeypatch: pytest.MonkeyPatch, count: int, then_s: float = 0.1) -> threading.Event:
    """Let clients wait long for the first ``count`` bytes of a reply, and only ``then_s`` for more.

    The event is set when they have arrived.
    """
    arrived, received, receive = threading.Event(), 0, socket.socket.recv_into

    def counted(self: socket.socket, *arguments: Any) -> int:
        nonlocal received
        if arrived.is_set():
            self.settimeout(then_s)
        size = receive(self, *arguments)
        received += size
        if received >= count:
            arrived.set()
        return size

    monkeypatch.setattr(socket.socket, "recv_into", counted)  # the client's: the server calls `recv`
    return arrived


def time_is_over(monkeypatch: pytest.MonkeyPatch, when: Callable[[Exchange], object]) -> None:
    """Let the total time limit of every exchange be reached as soon as ``when`` is true for it."""

    class Limited(threading.Thread):
        def __init__(self, *, target: Any, **options: Any) -> None:
            super().__init__(target=target, **options)
            self._exchange = target.__self__

        def join(self, _timeout: float | None = None) -> None:
            while self.is_alive() and not when(self._exchange):
                time.sleep(0.01)

    threads = SimpleNamespace(Thread=Limited, Condition=threading.Condition)
    monkeypatch.setattr("bot.course.client.exchange.threading", threads)


def all_end() -> bool:
    """Return, once all requests' threads have ended by themselves."""
    for thread in threading.enumerate():
        if thread.name == "request":
            threading.Thread.join(thread)
    return True
