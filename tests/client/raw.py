"""Helpers of the client's tests: a client with short time limits, and a good reply."""

from __future__ import annotations

import json
from typing import Any

from pydantic import SecretStr

from bot.client.http import CourseClient, Timeouts
from tests.servers import http

KEY = "sekrit-key"
GRID = [[0] * 7 for _ in range(6)]
GOOD: dict[str, Any] = {"msg": None, "status": True, "result": 0.0, "botmove": -1, "state": GRID}
QUICK = Timeouts(connect_s=60.0, read_s=60.0, total_s=60.0, patience_s=0.3, first_contact_s=0.3, statistics_s=0.3)
"""Gives up soon what was not sent; waits long for a reply, since a busy machine may answer late."""
IMPATIENT = Timeouts(connect_s=60.0, read_s=0.5, total_s=3.0, patience_s=0.3, first_contact_s=0.3)
"""For servers that never answer."""
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def client(server: str, **options: Any) -> CourseClient:
    options.setdefault("timeouts", QUICK)
    return CourseClient(server, options.pop("ids", ("aa", "bb")), SecretStr(options.pop("key", KEY)), **options)


def good(**fields: Any) -> bytes:
    """Return a whole good reply with these fields."""
    return http(json.dumps({**GOOD, **fields}).encode())
