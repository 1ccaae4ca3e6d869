"""Traces and messages: every exchange with its result, and nowhere the key; in traces, no ids and no cookies either."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.course.client.http import TracedExchange
from bot.course.client.trace import MAX_TEXT, Redactor
from tests.course.client.raw import GOOD, KEY, client, good
from tests.servers import Answer, closed_port, http, raw_server, resets

IDS = ("ab1234cd-s", "ef5678gh-s")


def trace_of(url: str) -> TracedExchange:
    traces: list[TracedExchange] = []
    client(url, ids=IDS, trace=traces.append).send(3, lambda: None)
    (trace,) = traces
    return trace


def test_a_trace_says_what_was_sent_and_what_came() -> None:
    extra = "Set-Cookie: session=1234\r\nWWW-Authenticate: Basic 1234\r\nX-Served-By: a ab1234cd-s b\r\n"
    body = json.dumps({**GOOD, "msg": f"Hello EF5678GH-S, your key {KEY}"}).encode()
    with raw_server(http(body, extra=extra)) as (url, _seen):
        trace = trace_of(f"{url}/game")
    assert (trace.path, trace.status) == ("/game/move", 200)
    assert trace.form == (("stil_id", "<id 1>"), ("stil_id", "<id 2>"), ("move", "3"), ("api_key", "<key>"))
    assert trace.headers == (
        ("content-type", "application/json"),
        ("x-served-by", "a <id 1> b"),
        ("content-length", str(len(body))),
    )
    assert json.loads(trace.body)["msg"] == "Hello <id 2>, your key <key>"
    assert (trace.is_sent, trace.error, trace.kind) == (True, "", "")
    assert trace.first_byte_s is not None and trace.first_byte_s <= trace.end_at_s
    for private in (KEY, *IDS, "1234"):
        assert private not in repr(trace)


@pytest.mark.parametrize(
    ("answer", "kind", "status"),
    [
        (resets, "reset", None),
        (http(b"<html>", kind="text/html"), "html", 200),
        (http(b"", status="404 Not Found"), "http 404", 404),
        (good(botmove=9, state=None), "bad reply", 200),
    ],
)
def test_a_failure_is_traced_with_its_kind(answer: Answer | bytes, kind: str, status: int | None) -> None:
    with raw_server(answer) as (url, _seen):
        trace = trace_of(url)
    assert (trace.kind, trace.status, trace.is_sent) == (kind, status, True)
    assert trace.error.endswith(".")


def test_every_reading_of_the_statistics_is_traced_also_if_it_was_not_sent() -> None:
    traces: list[TracedExchange] = []
    body = json.dumps({"stil_id": "+".join(IDS), "played": 1, "won": 1, "lost": 0}).encode()
    with raw_server(b"", http(body)) as (url, _seen), closed_port() as port:
        assert client(url, ids=IDS, trace=traces.append).statistics(None).stats is not None
        client(f"http://127.0.0.1:{port}", ids=IDS, trace=traces.append).statistics(0)
    assert [(trace.path, trace.kind, trace.is_sent) for trace in traces] == [
        ("/stats", "closed", True),
        ("/stats", "", True),
        ("/stats", "not sent", False),
    ]
    assert json.loads(traces[1].body)["stil_id"] == "<id 1>+<id 2>"


def test_a_trace_is_bounded_and_readable() -> None:
    extra = f"X-Long: {'y' * 3000}\r\n"
    with raw_server(http(b"<\xff" + KEY.encode() + b"x" * 500_000, extra=extra)) as (url, _seen):
        trace = trace_of(url)
    assert len(trace.body) == MAX_TEXT and trace.body.startswith("<\ufffd<key>x")
    assert all(len(value) <= 1024 for _, value in trace.headers)


SECRETS = ["sekrit-key", 'a"b\\c/d', "två ord & <mer>", "P@ss+w%rd", ".*[x]+"]


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_removed_as_it_is_and_as_forms_encode_it(secret: str) -> None:
    redactor = Redactor({secret: "***"})
    for spelling in (
        secret,
        secret.title(),
        quote(secret, safe=""),
        quote(secret, safe="").lower(),
        quote_plus(secret),
    ):
        assert redactor.text(f"The key {spelling} is wrong.") == "The key *** is wrong.", spelling
        assert redactor.text(f"x{spelling}x{spelling}") == "x***x***", spelling


@given(st.text(min_size=4, max_size=12), st.text(max_size=20), st.text("abcde ", max_size=20))
def test_no_secret_survives_and_other_text_does(secret: str, before: str, other: str) -> None:
    assert len(Redactor({secret: ""}).text(before + secret + other)) <= len(before + other)
    assume("aaaa" not in other)
    assert Redactor({"aaaa": "***"}).text(other) == other


def test_a_short_secret_is_removed_as_a_whole_word_only_and_the_longest_goes_first() -> None:
    assert Redactor({"ab": "***"}).text("ab cab abc AB, ab-x") == "*** cab abc ***, ***-x"
    assert Redactor({"": "***"}).text("nothing") == "nothing"
    assert Redactor({"abcd": "<id>", "abcdef": "<key>"}).text("abcdef abcd") == "<key> <id>"


ODD_KEY = "se krit/key+"
ECHO = f"You said {ODD_KEY}, that is {quote(ODD_KEY, safe='')} or {quote_plus(ODD_KEY)} or {ODD_KEY.upper()}"
REPLIES: dict[str, bytes] = {
    "msg": good(msg=ECHO),
    "msg of a refusal": http(json.dumps({"status": False, "msg": ECHO}).encode()),
    "msg of a partial reply": http(json.dumps({**GOOD, "msg": ECHO}).encode()[:-20]),
    "detail": http(json.dumps({"detail": [{"loc": ["body", ODD_KEY], "msg": ECHO}]}).encode(), status="422 X"),
    "long detail": http(json.dumps({"detail": [{"loc": ["x" * 358], "msg": ODD_KEY}]}).encode(), status="422 X"),
    "location": http(b"", status="307 X", extra=f"Location: http://x.test/?api_key={quote(ODD_KEY, safe='')}\r\n"),
    "header": http(b"", status="503 X", extra=f"X-Echo: {ODD_KEY}\r\nRetry-After: {ODD_KEY}\r\n"),
    "page": http(f"<html>{ECHO}".encode()),
    "field": http(json.dumps({**GOOD, ODD_KEY: ODD_KEY, "botmove": ODD_KEY, "state": None}).encode()),
}


@pytest.mark.parametrize("answer", REPLIES.values(), ids=REPLIES.keys())
def test_a_server_that_echoes_the_key_puts_it_nowhere(answer: bytes) -> None:
    kept: list[Any] = []
    with raw_server(answer) as (url, _seen):
        playing = client(url, key=ODD_KEY, trace=kept.append)
        kept += [playing.send(3, lambda: None), playing.statistics(0.0)]
    assert len(kept) == 4
    for text in map(repr, kept):
        assert "krit" not in text.lower(), text
