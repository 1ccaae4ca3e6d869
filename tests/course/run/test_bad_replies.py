"""Every bad reply, once and repeatedly, in a whole run: it continues, or ends with one sentence and code 3 or 4."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest
import responses
from pydantic import SecretStr

from bot.course.client.http import CourseClient, Timeouts
from bot.course.journal.reader import journals
from bot.course.session.state import WASTED
from bot.errors import BotError, ExitCode
from tests.course.run.course import WHO, Course, level, play

BASE = "http://course.test"
KEY = "sekrit-key-1234"
Payload = dict[str, Any]
Spoilt = tuple[int, dict[str, str], Any]


def field(name: str, value: Any) -> Callable[[Payload], Spoilt]:
    return lambda payload: (200, {}, {**payload, name: value})


def grid(change: Callable[[list[list[Any]]], Any]) -> Callable[[Payload], Spoilt]:
    """A reply whose board is changed in place, or replaced by what the change returns."""

    def spoil(payload: Payload) -> Spoilt:
        rows = json.loads(json.dumps(payload["state"])) or [[0] * 7 for _ in range(6)]
        changed = change(rows)
        return 200, {}, {**payload, "state": rows if changed is None else changed}

    return spoil


def cell(row: int, column: int, value: Any) -> Callable[[Payload], Spoilt]:
    def change(rows: list[list[Any]]) -> None:
        rows[row][column] = value

    return grid(change)


def refusal(message: str | None) -> Callable[[Payload], Spoilt]:
    return lambda _: (200, {}, {"msg": message, "status": False, "result": None, "botmove": None, "state": None})


def body(content: bytes, kind: str = "application/json") -> Callable[[Payload], Spoilt]:
    return lambda _: (200, {"Content-Type": kind}, content)


def status(code: int, headers: dict[str, str] | None = None) -> Callable[[Payload], Spoilt]:
    return lambda _: (code, {"Content-Type": "text/html", **(headers or {})}, b"<html>Error</html>")


def cut(share: float) -> Callable[[Payload], Spoilt]:
    def spoil(payload: Payload) -> Spoilt:
        whole = json.dumps(payload).encode()
        return 200, {}, whole[: int(len(whole) * share)]

    return spoil


def other_bot_column(payload: Payload) -> Spoilt:
    column = payload["botmove"]
    return 200, {}, {**payload, "botmove": (column + 1) % 7 if isinstance(column, int) and column >= 0 else 3}


FOUR = [[0] * 7 for _ in range(4)] + [[-1, -1, -1, -1, 0, 0, 0], [1, 1, 1, 1, 0, 0, 0]]
STRANGER = [[0] * 7 for _ in range(5)] + [[1, -1, 0, 0, 0, 1, -1]]

TABLE: dict[str, Callable[[Payload], Spoilt]] = {
    "HTML with status 200": body(b"<html>Maintenance</html>", "text/html"),
    "HTML called JSON": body(b"<html>Maintenance</html>"),
    "empty body": body(b""),
    "truncated JSON, early": cut(0.1),
    "truncated JSON, in the middle": cut(0.5),
    "truncated JSON, late": cut(0.95),
    "JSON of another shape: a list": body(b"[1, 2, 3]"),
    "JSON of another shape: a word": body(b'"hello"'),
    "JSON of another shape: null": body(b"null"),
    "JSON of another shape: other fields": body(b'{"detail": "nothing"}'),
    "JSON nested too deeply": body(b"[" * 100_000),
    "null status": field("status", None),
    "null msg": field("msg", None),
    "null botmove": field("botmove", None),
    "null result": field("result", None),
    "null state": field("state", None),
    "status false: Impossible move.": refusal("Impossible move."),
    "status false: Incorrect API key.": refusal("Incorrect API key."),
    "status false: No game is running.": refusal("No game is running."),
    "status false: something new": refusal("The moon is full."),
    "status false without a message": refusal(None),
    "a 5x7 grid": grid(lambda rows: rows[1:]),
    "a ragged grid": grid(lambda rows: [rows[0][:6], *rows[1:]]),
    "an empty grid": grid(lambda _: []),
    "a cell out of range": cell(5, 0, 2),
    "a cell as a string": cell(5, 0, "1"),
    "a cell as a float": cell(5, 0, 0.5),
    "a cell as a truth value": cell(5, 0, True),
    "a null cell": cell(5, 0, None),
    "botmove out of range": field("botmove", 7),
    "botmove as a string": field("botmove", "3"),
    "botmove as a float": field("botmove", 2.5),
    "result out of range": field("result", 3),
    "result as a string": field("result", "0.0"),
    "a floating disc": cell(0, 3, -1),
    "wrong disc counts": grid(lambda _: [[0] * 7 for _ in range(5)] + [[1, 1, 1, 0, 0, 0, 0]]),
    "a board that does not continue ours": grid(lambda _: STRANGER),
    "two winners": grid(lambda _: FOUR),
    "a result that contradicts the board: won": field("result", 1.0),
    "a result that contradicts the board: lost": field("result", -1.0),
    "a result that contradicts the board: illegal": field("result", -10),
    "botmove that contradicts the board": other_bot_column,
    "redirect 301": status(301, {"Location": "https://elsewhere.test/move"}),
    "redirect 307": status(307, {"Location": "https://elsewhere.test/move"}),
    **{str(code): status(code) for code in (400, 401, 403, 404, 405, 408, 409, 418, 422, 500, 501, 502, 503, 504, 599)},
    "429": status(429),
    "a reply too long": body(b" " * ((1 << 20) + 10)),
}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nothing, and let all columns be equal."""
    level(monkeypatch)
    monkeypatch.setattr(CourseClient, "sleep", lambda _self, _seconds: None)


def run(
    logs: Path, spoil: Callable[[Payload], Spoilt], first: int, last: float, *, patience_s: float = 0.1
) -> tuple[Course, BotError | None]:
    """Play one game; the replies to requests ``first`` to ``last`` are spoilt after the server's work."""
    course = Course()

    def answer(request: Any) -> tuple[int, dict[str, str], bytes]:
        code, headers, payload = course.answer(request)
        if str(request.url).endswith("/move") and first <= course.moves <= last:
            code, headers, payload = spoil(payload)
        content = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return code, {"Content-Type": "application/json", **headers}, content

    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        mock.add_callback(responses.POST, f"{BASE}/move", answer, content_type=None)
        mock.add_callback(responses.POST, f"{BASE}/stats", answer, content_type=None)
        client = CourseClient(BASE, WHO, SecretStr(KEY), timeouts=Timeouts(statistics_s=0.1))
        try:
            play(client, logs, patience_s=patience_s)
        except BotError as error:
            return course, error
    return course, None


@pytest.mark.parametrize("name", TABLE)
def test_a_bad_reply_in_the_middle_of_a_game(name: str, tmp_path: Path) -> None:
    course, error = run(tmp_path, TABLE[name], 3, 3)
    check(course, error, tmp_path)
    if error is None:
        assert len(course.reasons) >= 1, "the game was played to its end"


@pytest.mark.parametrize("name", TABLE)
def test_a_bad_reply_to_the_opening(name: str, tmp_path: Path) -> None:
    course, error = run(tmp_path, TABLE[name], 1, 1)
    check(course, error, tmp_path)


@pytest.mark.parametrize("name", TABLE)
def test_bad_replies_for_ever(name: str, tmp_path: Path) -> None:
    course, error = run(tmp_path, TABLE[name], 3, float("inf"))
    denied = name == "status false: No game is running."  # said three times it is believed, and a new game opened
    check(course, error, tmp_path, {"played", "forfeit"} if denied else {"played"})
    assert error is not None or course.reasons, "either the game comes to an end, or the run does"
    assert len(course.reasons) <= WASTED, "a run of one game does not play on for ever"


@pytest.mark.parametrize("name", ["403", "404", "HTML with status 200", "502"])
def test_a_server_that_has_answered_is_waited_for(name: str, tmp_path: Path) -> None:
    """A proxy that answers 403, 404 or a page while the server is redeployed: three requests in a row, in mid-game."""
    course, error = run(tmp_path, TABLE[name], 3, 5, patience_s=20.0)
    check(course, error, tmp_path)
    assert error is None
    assert len(course.reasons) >= 1


def check(course: Course, error: BotError | None, logs: Path, reasons: Collection[str] = ("played",)) -> None:
    assert set(course.reasons) <= set(reasons), "no game forfeited, no illegal move"
    written = "".join(path.read_text() for path in logs.glob("*.jsonl"))
    assert KEY not in written
    if error is not None:
        assert error.exit_code in (ExitCode.NETWORK, ExitCode.PROTOCOL)
        assert "\n" not in str(error) and KEY not in str(error)
        for run in journals(logs):  # none stays where the first request was refused
            assert run.end is not None and run.end.reason == "error"
