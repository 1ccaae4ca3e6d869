"""Traces: every exchange with its result, without key, ids and cookies."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest

from bot.course.client.http import CourseClient, Timeouts, TracedExchange
from bot.course.client.trace import MAX_TEXT
from bot.errors import BotError
from tests.course.client.raw import GOOD, KEY, EnoughError, client, enough_after, good
from tests.servers import closed_port, http, raw_server, resets

IDS = ("ab1234cd-s", "ef5678gh-s")


def traced(url: str, calls: int = 1, **options: object) -> tuple[CourseClient, list[TracedExchange]]:
    traces: list[TracedExchange] = []
    playing = client(url, ids=IDS, trace=traces.append, **options)
    for _ in range(calls):
        with suppress(BotError):
            playing.move(3)
    return playing, traces


def test_a_trace_tells_what_was_sent_and_what_came() -> None:
    extra = "Set-Cookie: session=1234\r\nWWW-Authenticate: Basic\r\nX-Served-By: a ab1234cd-s b\r\n"
    body = json.dumps({**GOOD, "msg": f"Hello EF5678GH-S, your key {KEY}"}).encode()
    with raw_server(http(body, extra=extra)) as (url, _seen):
        _, traces = traced(f"{url}/game")
    (trace,) = traces
    assert (trace.method, trace.path, trace.status) == ("POST", "/game/move", 200)
    assert trace.form == (("stil_id", "<id 1>"), ("stil_id", "<id 2>"), ("move", "3"), ("api_key", "<key>"))
    assert trace.headers == (
        ("content-type", "application/json"),
        ("x-served-by", "a <id 1> b"),
        ("content-length", str(len(body))),
    )
    assert json.loads(trace.body)["msg"] == "Hello <id 2>, your key <key>"
    assert (trace.is_sent, trace.error, trace.kind) == (True, "", "")
    assert trace.timing.first_byte_s is not None
    for private in (KEY, *IDS, "1234"):
        assert private not in repr(trace)


def test_statistics_are_traced_too() -> None:
    body = json.dumps({"stil_id": "+".join(IDS), "played": 1, "won": 1, "lost": 0}).encode()
    with raw_server(http(body)) as (url, _seen):
        playing, traces = traced(url, calls=0)
        assert playing.stats() is not None
    assert [(trace.path, trace.form[-1]) for trace in traces] == [("/stats", ("api_key", "<key>"))]
    assert json.loads(traces[0].body)["stil_id"] == "<id 1>+<id 2>"


@pytest.mark.parametrize(
    ("answer", "kind", "status"),
    [
        (resets, "reset", None),
        (http(b"<html>", kind="text/html"), "html", 200),
        (http(b"", status="502 Bad Gateway"), "http 502", 502),
        (http(b"", status="404 Not Found"), "rejected", 404),
        (good(botmove=9, state=None), "bad reply", 200),
    ],
)
def test_a_failure_is_traced_with_its_kind(answer: bytes, kind: str, status: int | None) -> None:
    with raw_server(answer) as (url, _seen):
        _, traces = traced(url)
    (trace,) = traces
    assert (trace.kind, trace.status, trace.is_sent) == (kind, status, True)
    assert trace.error.endswith(".")


def test_every_attempt_is_traced() -> None:
    with closed_port() as port, suppress(EnoughError):
        traces: list[TracedExchange] = []
        times = Timeouts(patience_s=3600, first_contact_s=3600)
        client(f"http://127.0.0.1:{port}", timeouts=times, trace=traces.append, notify=enough_after(2)).move(3)
    assert len(traces) == 2
    assert {(trace.kind, trace.is_sent, trace.body) for trace in traces} == {("not sent", False, "")}


def test_a_trace_is_bounded() -> None:
    headers = "".join(f"X-{number}: {'y' * 3000}\r\n" for number in range(90))
    with raw_server(http(b"<" + b"x" * 500_000, extra=headers)) as (url, _seen):
        _, traces = traced(url)
    (trace,) = traces
    assert len(trace.body) == MAX_TEXT
    assert len(trace.headers) <= 64
    assert all(len(value) <= 1024 for _, value in trace.headers)


def test_a_body_that_is_not_text_is_traced_readably() -> None:
    with raw_server(http(b"\xff\xfe\xfd" + KEY.encode())) as (url, _seen):
        _, traces = traced(url)
    assert KEY not in traces[0].body
    traces[0].body.encode()
