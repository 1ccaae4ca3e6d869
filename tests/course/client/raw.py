"""Helpers of the client's tests: a client with patience, and good replies."""

from __future__ import annotations

import json
import threading
from typing import Any

from pydantic import SecretStr

from bot.course.client.http import CourseClient, Timeouts
from bot.course.events import Failed, Replied
from tests.servers import Answer, http, raw_server

IDS = ("aa", "bb")
KEY = "sekrit-key"
GOOD: dict[str, Any] = {"msg": None, "status": True, "result": 0.0, "botmove": -1, "state": [[0] * 7] * 6}
PATIENT = Timeouts(connect_s=60.0, read_s=60.0, total_s=60.0, statistics_s=60.0)
"""Waits long for everything, since a busy machine may answer late."""


def client(server: str, *, key: str = KEY, timeouts: Timeouts = PATIENT, **options: Any) -> CourseClient:
    return CourseClient(server, IDS, SecretStr(key), timeouts=timeouts, **options)


def once(playing: CourseClient) -> Replied | Failed:
    """Send column 3, and return what comes of this request: no other one is asked beside it."""
    underway = playing.attempt(3)
    return underway.outcome(playing.answer_s) or underway.close()


def failure(server: str, **options: Any) -> Failed:
    """Return how sending column 3 fails: one sentence a message, and one a hint."""
    return failed(once(client(server, **options)))


def failed(found: Replied | Failed | None) -> Failed:
    assert isinstance(found, Failed)
    for text in (found.message, found.hint):
        assert text.endswith(".") and "\n" not in text and ". " not in text, text
    return found


def reply(server: str, **options: Any) -> Replied:
    """Return the reply to column 3."""
    replied = once(client(server, **options))
    assert isinstance(replied, Replied), replied
    return replied


def answered(answer: Answer | bytes, **options: Any) -> Replied | Failed:
    """Return what one request becomes to which a server gives this answer; nothing of the client goes on after that."""
    with raw_server(answer) as (url, seen):
        found = once(client(url, **options))
        assert all_end() and len(seen) == 1
    return found


def good(**fields: Any) -> bytes:
    """Return a whole good reply with these fields."""
    return http(json.dumps({**GOOD, **fields}).encode())


def all_end() -> bool:
    """Return, once all requests' threads have ended by themselves."""
    for thread in threading.enumerate():
        if thread.name == "request":
            threading.Thread.join(thread)
    return True
