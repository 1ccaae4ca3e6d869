"""What a server answers, and the one event that it becomes: a reply, or a failure with its kind."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.course.client import failures
from bot.course.session.events import Delivery, Failed
from tests.course.client.raw import (
    GOOD,
    GRID,
    HEAD,
    KEY,
    client,
    failure,
    good,
    impatient_after,
    reply,
    send,
    time_is_over,
)
from tests.servers import Answer, drips, http, raw_server, resets, sends, then_hangs

WHOLE = json.dumps(GOOD).encode()
LONG = HEAD + b"Content-Length: 100000000\r\n\r\n"
ENDLESS = [b" " * 1_000_000] * 100


def status(code: int, body: bytes = b"", extra: str = "") -> bytes:
    return http(body, status=f"{code} X", extra=extra)


def head(*lines: bytes, body: bytes = b"") -> bytes:
    return HEAD + b"\r\n".join(lines) + b"\r\n\r\n" + body


def played(**fields: Any) -> bytes:
    return good(**{"state": None, **fields})


LOCATION = "Location: http://elsewhere.test/x/move\r\n"
AMBIGUOUS: dict[str, tuple[Answer | bytes, str]] = {
    "closed at once": (b"", "closed"),
    "reset at once": (resets, "reset"),
    "half a head": (b"HTTP/1.1 200 OK\r\nContent-Type: appl", "empty"),
    "half a body": (LONG + b"{", "truncated"),
    "a body without end": (sends(LONG, *ENDLESS), "too long"),
    "a redirect without end": (
        sends(LONG.replace(b"200 OK", b"307 X\r\nLocation: /"), *ENDLESS),
        "redirect",
    ),
    "another protocol": (b"SSH-2.0-OpenSSH_9.6\r\n", "not http"),
    "an alert of TLS": (b"\x15\x03\x01\x00\x02\x02\x16", "not http"),
    "HTTP 2": (b"HTTP/2 200\r\n\r\n" + WHOLE, "not http"),
    "no status": (b"HTTP/1.1\r\n\r\n", "not http"),
    "100 for ever": (b"HTTP/1.1 100 Continue\r\n\r\n" * 50, "closed"),
    "two lengths": (head(b"Content-Length: 5", b"Content-Length: 9", body=b"{}"), "not http"),
    "many headers": (head(*(b"X-%d: y" % number for number in range(500))), "not http"),
    "an endless header": (head(b"X: " + b"y" * 200_000), "not http"),
    "a bad chunk": (head(b"Transfer-Encoding: chunked", body=b"zz\r\n{}\r\n"), "truncated"),
    "gzip that is none": (head(b"Content-Encoding: gzip", b"Content-Length: 2", body=b"{}"), "truncated"),
    "a location that is not UTF-8": (b"HTTP/1.1 307 X\r\nLocation: \xff\xfe\r\n\r\n", "redirect"),
    "a location with a bad port": (b"HTTP/1.1 307 X\r\nLocation: http://[::1:99999/\r\n\r\n", "redirect"),
    "HTML": (http(b"<html>", kind="text/html"), "html"),
    "HTML that claims to be JSON": (http(b"\n <!DOCTYPE html>"), "html"),
    "HTML that is cut short": (LONG + b"<html>", "html"),
    "empty": (http(b""), "empty"),
    "204": (b"HTTP/1.1 204 No Content\r\n\r\n", "empty"),
    "white space": (http(b"\r\n"), "empty"),
    "text": (http(b"hello", kind="text/plain"), "not json"),
    "a list": (http(b"[1, 2]"), "not json"),
    "truncated JSON": (http(WHOLE[:20]), "truncated"),
    "two objects": (http(WHOLE + WHOLE), "trailing bytes"),
    "nested too deep": (http(b'{"x": ' + b"[" * 100_000), "not json"),
    "status null without a board": (played(status=None), "bad reply"),
    "a 5 x 7 grid": (good(state=GRID[:5]), "bad reply"),
    "no column, no board": (played(botmove=9), "bad reply"),
    **{f"redirect {code}": (status(code, extra=LOCATION), "redirect") for code in (301, 302, 303, 307, 308)},
    "a redirect to nowhere": (status(302), "redirect"),
    **{f"status {code}": (status(code), f"http {code}") for code in (400, 401, 403, 404, 408, 409, 418, 429, 500, 502)},
    "404 of a proxy": (status(404, b"<html>"), "http 404"),
    "503 with a reply without a board": (status(503, json.dumps({**GOOD, "state": None}).encode()), "http 503"),
    "503 with a refusal": (status(503, b'{"status": false, "msg": "No."}'), "http 503"),
    "999": (status(999), "http 999"),
}


@pytest.mark.parametrize(("answer", "kind"), AMBIGUOUS.values(), ids=AMBIGUOUS.keys())
def test_a_reply_that_may_follow_a_processed_move_is_ambiguous_and_not_repeated(
    answer: Answer | bytes, kind: str
) -> None:
    with raw_server(answer) as (url, seen):
        failed = failure(url)
        assert len(seen) == 1
    assert (failed.delivery, failed.kind) == (Delivery.UNKNOWN, kind)
    assert f"\n{kind}: " in str(failures.__doc__) or kind.startswith("http ")
    is_refused = kind in ("http 401", "http 403", "http 404", "http 429")
    assert failed.delivered == (0.02 if is_refused else None)


SLOW: dict[str, tuple[Callable[[bytes], Answer], bytes, str]] = {
    "silent": (then_hangs, b"", "timeout"),
    "a head that stops": (then_hangs, b"HTTP/1.1 200 OK\r\nX: ", "timeout"),
    "a head that drips": (drips, b"HTTP/1.1 200 OK\r\nX: ", "timeout"),
    "a body that stops": (then_hangs, LONG + b"{", "stalled"),
    "a body that drips": (drips, LONG + b" ", "stalled"),
}


@pytest.mark.parametrize(("ending", "part", "kind"), SLOW.values(), ids=SLOW.keys())
def test_a_reply_that_takes_too_long_is_ambiguous(
    ending: Callable[[bytes], Answer], part: bytes, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, arrived = impatient_after(monkeypatch, len(part), ending(part))
    if ending is drips:  # no pause is long, so the total time limit ends it
        is_in_body = part.startswith(LONG)
        time_is_over(monkeypatch, lambda exchange: bool(exchange.body) if is_in_body else arrived.is_set())
    with raw_server(answer) as (url, seen):
        assert failure(url).kind == kind
        assert len(seen) == 1


def test_a_reset_in_the_body_is_a_truncated_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    part = LONG + b'{"status": true, "result'

    def resets_in_the_body(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(part)
        arrived.wait(60)  # a reset discards what the other side has not read yet
        resets(connection, over)

    answer, arrived = impatient_after(monkeypatch, len(part), resets_in_the_body, then_s=60.0)
    with raw_server(answer) as (url, _seen):
        failed = failure(url)
    assert (failed.kind, failed.delivered) == ("truncated", 1.0), "its beginning proves that the move was processed"


@pytest.mark.parametrize("code", [405, 410, 411, 413, 414, 415, 422])
@pytest.mark.parametrize("body", [b"", b"<html>", b"[" * 100_000], ids=["empty", "html", "bomb"])
def test_a_status_that_no_repetition_can_mend_rejects(code: int, body: bytes) -> None:
    with raw_server(status(code, body)) as (url, seen):
        failed = failure(url)
        assert len(seen) == 1
    assert (failed.delivery, failed.kind) == (Delivery.REJECTED, f"http {code}")


def test_a_page_may_be_a_login_page_and_a_redirect_names_its_address() -> None:
    with raw_server(http(b"<html>"), status(302, extra=LOCATION)) as (url, _seen):
        playing = client(url)
        page, redirect = (playing.send(3, lambda: None) for _ in range(2))
    assert isinstance(page, Failed) and "login page" in page.hint
    assert f"open {url} in a browser" in page.hint and "check --server" in page.hint
    assert isinstance(redirect, Failed) and "http://elsewhere.test/x/move" in redirect.message


NO_COLUMNS: tuple[Any, ...] = (9, -2, 7.0, 3.5, "three", "7", True, [3], {}, 1e300)
READABLE: dict[str, bytes] = {
    "Latin-1": http(json.dumps({**GOOD, "msg": "b\xf6rjar"}, ensure_ascii=False).encode("latin-1")),
    "a message that is an object": good(msg={"sv": "b\xf6rjar"}),
    "numbers as strings": good(botmove="3", result="0.0"),
    **{f"botmove {column!r}": good(botmove=column) for column in NO_COLUMNS},
    **{f"status {code}": status(code, WHOLE) for code in (201, 202, 206, 400, 404, 422, 500, 502, 503)},
    **{f"content type {kind!r}": http(WHOLE, kind=kind) for kind in ("text/html", "image/png", "nonsense", None)},
    "a byte order mark": http(b"\xef\xbb\xbf" + WHOLE),
    "white space around it": http(b"\r\n " + WHOLE + b" \n\0"),
    "no length": HEAD + b"\r\n" + WHOLE,
    "a negative length": head(b"Content-Length: -5", body=WHOLE),
    "no last chunk": head(b"Transfer-Encoding: chunked", body=b"%x\r\n%s\r\n" % (len(WHOLE), WHOLE)),
    "headers without colons": head(b"one two three", b"four", body=WHOLE),
    "HTTP 1.0": good().replace(b"HTTP/1.1", b"HTTP/1.0"),
    "after 100": b"HTTP/1.1 100 Continue\r\n\r\n" + good(),
}


@pytest.mark.parametrize("answer", READABLE.values(), ids=READABLE.keys())
def test_a_reply_that_can_be_read_is_never_lost(answer: bytes) -> None:
    """Called lost, it would make the client play blindly."""
    with raw_server(answer) as (url, _seen):
        got = reply(url).reply
    assert (got.status, got.result) == (True, 0.0)
    assert got.state == tuple(tuple(row) for row in GRID)


@pytest.mark.parametrize(
    "fields",
    [
        {"status": False, "msg": "Impossible move.", "result": None, "botmove": None, "state": None},
        {"result": -1, "botmove": None, "state": None},
    ],
    ids=["refused", "lost without a board"],
)
def test_a_refusal_and_an_end_without_a_board_are_replies(fields: dict[str, Any]) -> None:
    with raw_server(good(**fields)) as (url, _seen):
        got = reply(url).reply
    assert (got.status, got.msg) == (fields.get("status", True), fields.get("msg"))
    assert got.is_over == (fields["result"] == -1)


PART = LONG + WHOLE[: WHOLE.index(b"[[")].replace(b"-1", b"5")


@pytest.mark.parametrize("ending", [sends, then_hangs], ids=["closed", "stalled"])
@pytest.mark.parametrize("is_over", [False, True], ids=["no more", "time is over"])
def test_a_reply_that_breaks_off_is_recovered(
    ending: Callable[[bytes], Answer], is_over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, _arrived = impatient_after(monkeypatch, len(PART), ending(PART), then_s=600.0 if is_over else 0.1)
    if is_over:
        time_is_over(monkeypatch, lambda exchange: len(exchange.body) == len(PART) - len(LONG))
    with raw_server(answer) as (url, seen):
        got = reply(url).reply
        assert (got.botmove, got.state) == (5, None)
        assert len(seen) == 1


def test_a_complete_reply_does_not_wait_for_the_length_it_announces() -> None:
    """The server keeps the connection open: a client that waits for more has no reply but a timeout."""
    with raw_server(then_hangs(good(botmove=4).replace(b"Content-Length: ", b"Content-Length: 9"))) as (url, _seen):
        got = reply(url).reply
    assert got.botmove == 4 and got.state is not None


def test_a_reply_in_small_parts_is_whole() -> None:
    answer = good(botmove=4)
    with raw_server(sends(*(answer[index : index + 1] for index in range(len(answer))))) as (url, _seen):
        assert reply(url).reply.state is not None


REPLY = good(msg="Din tur", botmove=3)


@settings(max_examples=100)
@given(
    st.integers(0, len(REPLY)),
    st.integers(0, 12),
    st.binary(max_size=12) | st.sampled_from([b"\r\n\r\n", b"{", b"}", b'"', b"0", b"HTTP/1.1 200\r\n"]),
)
def test_a_damaged_reply_is_read_or_becomes_a_failure(at: int, removed: int, inserted: bytes) -> None:
    with raw_server(REPLY[:at] + inserted + REPLY[at + removed :]) as (url, seen):
        found = send(url)
        assert len(seen) == 1
    if isinstance(found, Failed):
        assert found.delivery is not Delivery.NOT_SENT and KEY not in found.message
    else:
        assert found.reply.botmove is None or found.reply.botmove in range(-1, 7)
