"""Failures after the request was sent, over real sockets: ambiguous, with a kind, and never a second request."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable

import pytest
import requests
import responses
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.course.client.http import AmbiguousError, RejectedError, Timeouts
from bot.errors import ExitCode
from tests.course.client.raw import GOOD, HEAD, QUICK, client, good, impatient_after, time_is_over
from tests.servers import Answer, drips, http, raw_server, resets, sends, then_hangs

WHOLE = json.dumps(GOOD).encode()
LONG = HEAD + b"Content-Length: 100000000\r\n\r\n"


CONNECTIONS: dict[str, tuple[Answer, str]] = {
    "closed at once": (sends(), "closed"),
    "reset at once": (resets, "reset"),
    "half a head": (sends(b"HTTP/1.1 200 OK\r\nContent-Type: appl"), "empty"),
    "half a body": (sends(HEAD + b"Content-Length: 500\r\n\r\n{"), "truncated"),
    "a body without end": (sends(LONG, *[b" " * 1_000_000] * 100), "too long"),
    "a redirect without end": (
        sends(LONG.replace(b"200 OK", b"307 X\r\nLocation: /"), *[b" " * 1_000_000] * 100),
        "redirect",
    ),
}
SLOW: dict[str, tuple[Callable[[bytes], Answer], bytes, str]] = {
    "silent": (then_hangs, b"", "timeout"),
    "a head that stops": (then_hangs, b"HTTP/1.1 200 OK\r\nX: ", "timeout"),
    "a head that drips": (drips, b"HTTP/1.1 200 OK\r\nX: ", "timeout"),
    "a body that stops": (then_hangs, LONG + b"{", "stalled"),
    "a body that drips": (drips, LONG + b" ", "stalled"),
}


@pytest.mark.parametrize(("answer", "kind"), CONNECTIONS.values(), ids=CONNECTIONS.keys())
def test_a_connection_that_fails_after_the_request_is_ambiguous_and_not_repeated(answer: Answer, kind: str) -> None:
    check_failure(answer, kind)


@pytest.mark.parametrize(("ending", "part", "kind"), SLOW.values(), ids=SLOW.keys())
def test_a_reply_that_takes_too_long_is_ambiguous_and_not_repeated(
    ending: Callable[[bytes], Answer], part: bytes, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, arrived = impatient_after(monkeypatch, len(part), ending(part))
    if ending is drips:  # no pause is long, so the total time limit ends it
        time_is_over(monkeypatch, arrived)
    check_failure(answer, kind)


def check_failure(answer: Answer, kind: str) -> None:
    with raw_server(answer) as (url, seen):
        with pytest.raises(AmbiguousError) as raised:
            client(url).move(3)
        assert raised.value.exit_code == ExitCode.NETWORK
        assert raised.value.first_byte_s is not None
        time.sleep(0.1)  # time for a second request, were there one
        assert len(seen) == 1
    assert raised.value.kind == kind


def test_a_reset_in_the_body_is_a_truncated_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    part = LONG + b'{"status": true, '

    def resets_in_the_body(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(part)
        arrived.wait(60)  # a reset discards what the other side has not read yet
        resets(connection, over)

    answer, arrived = impatient_after(monkeypatch, len(part), resets_in_the_body, then_s=60.0)
    with raw_server(answer) as (url, _seen), pytest.raises(AmbiguousError) as raised:
        client(url).move(3)
    assert arrived.is_set() and raised.value.kind == "truncated"


def head(*lines: bytes, body: bytes = b"") -> bytes:
    return HEAD + b"\r\n".join(lines) + b"\r\n\r\n" + body


NONSENSE: dict[str, tuple[bytes, str]] = {
    "zero bytes": (bytes(500), "not http"),
    "another protocol": (b"SSH-2.0-OpenSSH_9.6\r\n", "not http"),
    "HTTP 0.9": (b"hello", "not http"),
    "no status": (b"HTTP/1.1\r\n\r\n", "not http"),
    "status 999": (b"HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n", "http 999"),
    "status 100 for ever": (b"HTTP/1.1 100 Continue\r\n\r\n" * 50, "closed"),
    "204": (b"HTTP/1.1 204 No Content\r\n\r\n", "empty"),
    "negative length": (head(b"Content-Length: -5", body=b"{}"), "bad reply"),
    "length in words": (head(b"Content-Length: many", body=b"{}"), "bad reply"),
    "two lengths": (head(b"Content-Length: 5", b"Content-Length: 9", body=b"{}"), "not http"),
    "bad chunk": (head(b"Transfer-Encoding: chunked", body=b"zz\r\n{}\r\n"), "truncated"),
    "huge chunk": (head(b"Transfer-Encoding: chunked", body=b"ffffffffffffffff\r\n"), "truncated"),
    "no last chunk": (head(b"Transfer-Encoding: chunked", body=b"2\r\n{}\r\n"), "bad reply"),
    "gzip that is none": (head(b"Content-Encoding: gzip", b"Content-Length: 2", body=b"{}"), "truncated"),
    "many headers": (head(*(b"X-%d: y" % number for number in range(500))), "not http"),
    "an endless header": (head(b"X: " + b"y" * 200_000), "not http"),
    "headers without colons": (head(b"one two three", b"four", body=b"{}"), "bad reply"),
    "NUL in a header": (head(b"X: \0", body=b"{}"), "bad reply"),
    "a location that is not UTF-8": (b"HTTP/1.1 307 X\r\nLocation: \xff\xfe\r\n\r\n", "redirect"),
    "a location with a bad port": (b"HTTP/1.1 307 X\r\nLocation: http://[::1:99999/\r\n\r\n", "redirect"),
    "no UTF-8": (http(b'{"msg": "\xff"}'), "bad reply"),
    "nested too deep": (http(b'{"status": true, "state": ' + b"[" * 100_000), "not json"),
    "nested too deep, and closed": (http(b'{"x": ' + b"[" * 50_000 + b"]" * 50_000 + b"}"), "not json"),
    "nested in the board": (http(b'{"status": true, "state": ' + b"[" * 60 + b"]" * 60 + b"}"), "not json"),
    "a number too long": (http(b'{"status": true, "botmove": ' + b"9" * 5_000 + b"}"), "not json"),
    "a number too large": (good().replace(b"0.0", b"9e999"), "truncated"),
}


@pytest.mark.parametrize(("answer", "kind"), NONSENSE.values(), ids=NONSENSE.keys())
def test_bytes_that_are_not_a_reply_are_ambiguous_and_never_another_exception(answer: bytes, kind: str) -> None:
    with raw_server(answer) as (url, seen):
        with pytest.raises(AmbiguousError) as raised:
            client(url).move(3)
        assert "\n" not in str(raised.value)
        assert len(seen) == 1
    assert raised.value.kind == kind


REPLY = good(msg="Din tur", botmove=3)


@settings(max_examples=150)
@given(
    st.integers(0, len(REPLY)),
    st.integers(0, 12),
    st.one_of(
        st.binary(max_size=12), st.sampled_from([b"\r\n", b"\r\n\r\n", b"{", b"}", b'"', b"0", b"HTTP/1.1 200\r\n"])
    ),
)
def test_a_damaged_reply_is_read_or_ends_in_an_error_of_the_client(at: int, removed: int, inserted: bytes) -> None:
    with raw_server(REPLY[:at] + inserted + REPLY[at + removed :]) as (url, seen):
        try:
            reply = client(url).move(3)
        except (AmbiguousError, RejectedError) as error:
            assert "\n" not in str(error)
        else:
            assert reply.botmove is None or reply.botmove in range(-1, 7)
        assert len(seen) == 1


@pytest.mark.parametrize("ending", [sends, then_hangs], ids=["closed", "stalled"])
def test_a_reply_that_breaks_off_is_recovered(
    ending: Callable[[bytes], Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    part = LONG + WHOLE[: WHOLE.index(b"[[")].replace(b"-1", b"5")
    answer, _arrived = impatient_after(monkeypatch, len(part), ending(part))
    with raw_server(answer) as (url, seen):
        reply = client(url).move(3)
        assert (reply.botmove, reply.state) == (5, None)
        assert len(seen) == 1


def test_a_reply_whose_time_is_over_is_recovered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The total limit comes before the limit between two packets: what arrived until then still counts."""
    part = LONG + WHOLE[: WHOLE.index(b"[[")].replace(b"-1", b"5")
    answer, arrived = impatient_after(monkeypatch, len(part), then_hangs(part), then_s=600.0)
    time_is_over(monkeypatch, arrived)
    with raw_server(answer) as (url, _seen):
        assert client(url, timeouts=Timeouts(total_s=600.0, read_s=600.0)).move(3).botmove == 5


def test_the_next_request_has_a_connection_of_its_own() -> None:
    with raw_server(good().replace(b"\r\n\r\n", b"\r\nConnection: keep-alive\r\n\r\n")) as (url, seen):
        playing = client(url, timeouts=QUICK)
        for number in range(1, 4):
            assert playing.move(3).status
            assert len(seen) == number


@pytest.mark.parametrize(
    "error",
    [
        requests.ReadTimeout("slow"),
        requests.ConnectionError("reset"),
        requests.exceptions.SSLError("alert"),
        ConnectionResetError("reset"),
        OSError("the connection broke"),
    ],
    ids=repr,
)
@responses.activate
def test_an_error_that_stands_in_for_the_network_may_be_that_of_a_sent_move(error: Exception) -> None:
    """`responses` replaces the connection that would tell whether anything was sent."""
    responses.add(responses.POST, "https://course.test/move", body=error)
    with pytest.raises(AmbiguousError):
        client("https://course.test").move(3)
