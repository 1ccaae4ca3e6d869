"""Every bad reply, once and repeatedly, in a whole run: it continues, or ends with one sentence and code 3 or 4."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
import responses
from pydantic import SecretStr

from bot.course.client.http import CourseClient, Timeouts
from bot.course.session import WASTED
from bot.errors import BotError, ExitCode
from tests.course.run.course import WHO, Course, journals, level, play

BASE = "http://course.test"
KEY = "sekrit-key-1234"
REFUSED = {"status": False, "result": None, "botmove": None, "state": None}
EMPTY = [[0] * 7] * 6
DENIED = "no game is running"

TABLE: dict[str, Any] = {
    "HTML": b"<html>Maintenance</html>",
    "empty": b"",
    "nested too deeply": b"[" * 100_000,
    "cut in the middle": 0.5,
    "null botmove": {"botmove": None},
    "null state": {"state": None},
    "impossible": {**REFUSED, "msg": "Impossible move."},
    "wrong key": {**REFUSED, "msg": "Incorrect API key."},
    DENIED: {**REFUSED, "msg": "No game is running."},
    "a floating disc": {"state": [[0, 0, 0, -1, 0, 0, 0], *EMPTY[:5]]},
    "the board of another game": {"state": [*EMPTY[:5], [1, -1, 0, 0, 0, 1, -1]]},
    "another botmove": {"botmove": 6},
    "result 3": {"result": 3},
    "won on a board that goes on": {"result": 1.0},
    **{f"HTTP {code}": code for code in (301, 403, 404, 422, 502)},
}
"""Bytes in place of the reply, the share of it that arrives, its changed fields, or an HTTP status."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nothing, and let all columns be equal."""
    level(monkeypatch)
    monkeypatch.setattr(CourseClient, "sleep", lambda _self, _seconds: None)


def run(logs: Path, change: Any, first: float, last: float) -> tuple[Course, BotError | None]:
    """Play one game; the replies to the requests ``first`` to ``last`` to /move are spoilt after the server's work."""
    course = Course()

    def answer(request: Any) -> tuple[int, dict[str, str], bytes]:
        if str(request.url).endswith("/stats"):
            return 200, {}, json.dumps(course.referee.stats(*WHO)).encode()
        payload = course.process(int(parse_qs(request.body)["move"][0]))
        spoils = first <= course.moves <= last
        if spoils and isinstance(change, int):
            return change, {"Location": "https://elsewhere.test/move"}, b"<html>Error</html>"
        if spoils and isinstance(change, bytes):
            return 200, {}, change
        whole = json.dumps(payload | (change if spoils and isinstance(change, dict) else {})).encode()
        return 200, {}, whole[: int(len(whole) * change)] if spoils and isinstance(change, float) else whole

    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        for endpoint in ("move", "stats"):
            mock.add_callback(responses.POST, f"{BASE}/{endpoint}", answer, content_type="application/json")
        client = CourseClient(BASE, WHO, SecretStr(KEY), timeouts=Timeouts(statistics_s=0.1))
        try:
            play(client, logs, patience_s=0.1)
        except BotError as error:
            return course, error
    return course, None


@pytest.mark.parametrize("name", TABLE)
def test_a_bad_reply_costs_no_game(name: str, tmp_path: Path) -> None:
    for when, first, last in (("once", 3, 3), ("at the opening", 1, 1), ("for ever", 3, inf)):
        logs = tmp_path / when
        course, error = run(logs, TABLE[name], first, last)
        is_believed = name == DENIED and last == inf  # as the server says it three times
        assert set(course.reasons) <= {"played", "forfeit" if is_believed else "played"}
        assert len(course.reasons) <= WASTED, "a run of one game does not play on for ever"
        assert error or course.reasons, "either the game comes to an end, or the run does"
        assert not any(KEY in path.read_text() for path in logs.glob("*.jsonl"))
        if error is not None:
            assert error.exit_code in (ExitCode.NETWORK, ExitCode.PROTOCOL)
            assert "\n" not in str(error) and KEY not in str(error)
            assert {run.run_end and run.run_end.reason for run in journals(logs)} <= {"error"}
