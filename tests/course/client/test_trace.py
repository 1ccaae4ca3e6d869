"""Traces and messages: every exchange with its result, and nowhere the key; in traces, no ids and no cookies either."""

from __future__ import annotations

from urllib.parse import quote, quote_plus

import pytest

from bot.course.client.trace import CarefulLog, Trace, redacted
from tests.course.client.raw import IDS, KEY, client, good, once
from tests.servers import http, raw_server, reserved_port


def test_a_trace_says_what_was_sent_and_what_came():
    extra = "Set-Cookie: session=1234\r\nWWW-Authenticate: Basic 1234\r\nX-Served-By: a bb b\r\n"
    traces: list[Trace] = []
    with raw_server(http(b'{"status": true, "msg": "Hello AA, your key sekrit-key"}', extra=extra)) as (url, _seen):
        once(client(f"{url}/game", trace=traces.append))
    (trace,) = traces
    assert (trace["path"], trace["status"], trace["failure"]) == ("/game/move", 200, "")
    assert trace["form"] == [("stil_id", "<id 1>"), ("stil_id", "<id 2>"), ("move", "3"), ("api_key", "<key>")]
    assert [name for name, _ in trace["headers"]] == ["content-type", "x-served-by", "content-length"]
    assert trace["headers"][1][1] == "a <id 2> b"
    assert trace["body"] == '{"status": true, "msg": "Hello <id 1>, your key <key>"}'
    assert 0 < trace["first_byte_s"] <= trace["end_at_s"]


def test_a_failure_is_traced_with_its_sentence_also_if_nothing_was_sent():
    traces: list[Trace] = []
    with raw_server(http(b"<html>")) as (url, _seen), reserved_port() as port:
        once(client(url, trace=traces.append))
        client(f"http://127.0.0.1:{port}", trace=traces.append).statistics(0)
    page, unsent = traces
    assert (page["path"], page["status"]) == ("/move", 200) and page["failure"].endswith("HTML page.")
    assert (unsent["path"], unsent["status"], unsent["first_byte_s"]) == ("/stats", None, None)
    assert "cannot be reached" in unsent["failure"]


@pytest.mark.parametrize("secret", ['a"b\\c/d', "två ord & <mer>", ".*[x]+", "%2f+ß"])
def test_no_spelling_of_a_secret_survives(secret):
    for spelling in (secret, quote(secret, safe=""), quote_plus(secret), quote(secret, safe="").lower()):
        assert spelling not in redacted(f"The key {spelling} is wrong, {spelling}.", {secret: "\0"})


def test_the_longest_secret_is_removed_first():
    assert redacted("nothing", {"": "***"}) == "nothing"
    names = {"cde": "<id 1>", "bcde": "<id 2>", "abcdef": "<key>"}  # one within another, not at its beginning
    assert redacted("xABCDEFx xabcdex cde", names) == "x<key>x xa<id 2>x <id 1>"


ODD_KEY = "se krit/key+"
IN_URL = quote(ODD_KEY, safe="")
ECHO = f"You said {ODD_KEY}, that is {IN_URL} or {quote_plus(ODD_KEY)} or {ODD_KEY.upper()}"


@pytest.mark.parametrize(
    "answer",
    [
        good(msg=ECHO),
        good(msg=ECHO)[:-20],
        http(b"", status="307 X", extra=f"Location: http://x.test/{IN_URL * 90}\r\nX: {ODD_KEY}\r\n"),
        http(b"", status="307 X", extra=f"Location: http://x.test/{'x' * 9}{IN_URL * 90}\r\n"),
    ],
    ids=["message", "partial reply", "a location that is cut in the message", "and in the other half of a key"],
)
def test_a_server_that_echoes_the_key_puts_it_nowhere(answer):
    kept: list[object] = []
    with raw_server(answer) as (url, _seen):
        playing = client(url, key=ODD_KEY, trace=kept.append)
        kept += [once(playing), playing.statistics(0.0)]
    assert len(kept) == 4 and "krit" not in repr(kept).lower()


def test_every_careful_exchange_is_shown_and_kept_without_ids_and_key(tmp_path):
    shown: list[str] = []
    log = CarefulLog(shown.append)
    with raw_server(good(msg=f"Hello {IDS}, your key {KEY}")) as (url, _seen):
        playing = client(url, trace=log)
        once(playing)
        playing.statistics(0.0)
    assert len(shown) == len(log.exchanges) == 2
    log({**log.exchanges[-1], "status": 502, "body": "x" * 1000, "failure": "It makes no sense."})
    assert "HTTP 502 x" in shown[-1] and shown[-1].endswith("x It makes no sense.") and len(shown[-1]) < 600
    path = tmp_path / "careful" / "exchanges.jsonl"
    for times in (1, 2):
        log.write(path)
        assert path.read_text().count("\n") == times * len(log.exchanges), "what was kept before stays"
    assert str(path) in shown[-1]
    assert not any(secret in text for text in (*shown, path.read_text()) for secret in (*IDS, KEY))
