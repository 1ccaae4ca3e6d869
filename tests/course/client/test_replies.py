"""What a server answers, and the one event that it becomes: a reply, or a failure with its kind."""

from __future__ import annotations

import gzip
import json
import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.course.events import Replied
from bot.course.failures import KINDS, Delivery
from bot.course.protocol import MoveReply, Stats, UnreadableError, decode_object, parse_move_reply, parse_stats
from tests.course.client.raw import GOOD, PATIENT, answered, client, failed, good
from tests.servers import drips, http, raw_server, resets, sends, then_hangs

WHOLE = json.dumps(GOOD).encode()
HEAD = b"HTTP/1.1 200 OK\r\n"
LONG = HEAD + b"Content-Length: 100000000\r\n\r\n"
ENDLESS = [b" " * 1_000_000] * 3
REJECTING = (405, 410, 411, 413, 414, 415, 422)
"""Statuses of HTTP that say: not processed, and sending it again cannot help."""
ODD: tuple[dict[str, Any], ...] = ({"status": None}, {"msg": [7]})
"""Fields with values that say less than the board beside them."""
LOCATION = "Location: http://elsewhere.test/x/move\r\n"


def status(code: int, body: bytes = b"", extra: str = "") -> bytes:
    return http(body, status=f"{code} X", extra=extra)


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("closed", b""),
        ("closed", b"HTTP/1.1 100 Continue\r\n\r\n" * 50),
        ("reset", resets),
        ("not http", b"SSH-2.0-OpenSSH_9.6\r\n"),
        ("not http", HEAD + b"Content-Length: 5\r\nContent-Length: 9\r\n\r\n{}"),
        ("long headers", HEAD + b"X: y\r\n" * 500),
        ("truncated", LONG + b"{"),
        ("truncated", LONG + b'{"msg": null, "status": true, "result'),
        ("truncated", HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n"),
        ("too long", sends(LONG, *ENDLESS)),
        ("redirect", sends(LONG.replace(b"200 OK", b"307 X\r\nLocation: /"), *ENDLESS)),
        ("redirect", b"HTTP/1.1 307 X\r\nLocation: http://[::1:99999/\r\n\r\n"),
        ("redirect", status(303, extra=LOCATION)),
        ("html", http(b"\n <!DOCTYPE html>")),
        ("not json", http(b"hello", kind="text/plain")),
        *(("not json", http(body)) for body in (b"[1, 2", b"null", b'{"x": ' + b"[" * 100_000)),
        ("not json", http(WHOLE + WHOLE)),
        ("cut short", http(WHOLE[:-1])),
        ("bad reply", good(botmove=9, state=None)),
        *((f"http {code}", status(code)) for code in (400, 401, 403, 404, 429, 500, 999)),
        ("http 503", status(503, json.dumps({**GOOD, "state": None}).encode())),
        *((f"http {code}", status(code, b"<html>")) for code in REJECTING),
        ("http 422", status(422, b'{"detail": [{"msg": "Wrong."}]}')),
    ],
)
def test_a_reply_that_cannot_be_used_has_a_kind_and_is_not_requested_again(kind, answer):
    """It may follow a move that was processed, unless the server refuses the request's form or method.

    Its beginning can prove that the move was processed.
    """
    found = failed(answered(answer))
    is_rejected = kind in [f"http {code}" for code in REJECTING]
    is_doubtful = kind in ("http 401", "http 403", "http 404")
    delivery = Delivery.REJECTED if is_rejected else Delivery.UNKNOWN
    assert (found.kind, found.delivery) == (kind, Delivery.NOT_SENT if kind == "http 429" else delivery)
    is_processed = isinstance(answer, bytes) and b"200 OK" in answer and b'"status": true' in answer
    assert found.delivered == (0.02 if is_doubtful else is_processed or None)
    assert kind in KINDS or kind.startswith("http ")


@pytest.mark.parametrize(("answer", "kind"), [(drips(HEAD + b"X: "), "timeout"), (drips(LONG + b" "), "stalled")])
def test_a_reply_that_takes_too_long_is_ambiguous(answer, kind):
    with raw_server(answer) as (url, seen):
        underway = client(url, timeouts=replace(PATIENT, total_s=0.1)).attempt(3)
        while not seen or (kind == "stalled" and underway.status is None):
            time.sleep(0.01)
        outcome = underway.outcome(0.0)
        found = failed(underway.close())
    assert (found.kind, found.delivery, outcome is None) == (kind, Delivery.UNKNOWN, kind == "timeout")


INTERIM = b"".join(b"HTTP/1.1 %d Early\r\nLink: </style.css>\r\n\r\n" % code for code in (100, 102, 103, 199)) * 3


@pytest.mark.parametrize(
    "answer",
    [
        *(status(code, WHOLE) for code in (206, 404, 422, 503)),
        http(json.dumps({**GOOD, "msg": "bö"}, ensure_ascii=False).encode("latin-1")),
        http(b"\xef\xbb\xbf\r\n " + WHOLE + b" \n\0"),
        http(WHOLE, kind="text/html"),
        http(gzip.compress(WHOLE), extra="Content-Encoding: gzip\r\n"),
        *(good(**odd) for odd in ODD),
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(WHOLE), WHOLE),
        INTERIM + good().replace(b"HTTP/1.1", b"HTTP/1.0"),
        then_hangs(good().replace(b"Length: ", b"Length: 9")),
        sends(*(bytes([byte]) for byte in good())),
    ],
)
def test_a_reply_that_can_be_read_is_never_lost(answer):
    """Called lost, it would make the client play blindly. Its end is not waited for: that would take a day here."""
    found = answered(answer, timeouts=replace(PATIENT, total_s=1e5))
    assert isinstance(found, Replied)
    assert (found.reply.status, found.reply.result, found.reply.state) == (True, 0.0, ((0,) * 7,) * 6)


@pytest.mark.parametrize("code", [200, 422])
@pytest.mark.parametrize("fields", [{"status": False, "msg": "No game."}, {"detail": "No game."}], ids=str)
def test_a_refusal_is_read_whatever_the_status_and_the_field_of_its_reason(code, fields):
    """Called lost, it would be sent for ever to a server that has no game."""
    found = answered(status(code, json.dumps(fields).encode()))
    assert isinstance(found, Replied)
    assert found.reply == MoveReply(False, "No game.")


VALUES = st.recursive(
    st.sampled_from([None, True, 0, -1, 10**30, 0.5, float("nan"), 10**399, "\ud800"]) | st.text('aå"\\,{', max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab,", max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*GOOD, "played", "won", "lost", "\ud800"]), VALUES), st.binary(max_size=100))
def test_no_values_and_no_bytes_end_in_another_exception(fields, body):
    read: Any
    for read, value in ((parse_stats, fields), (parse_move_reply, {**GOOD, **fields}), (decode_object, body)):
        with suppress(UnreadableError):
            assert isinstance(read(value), (Stats, MoveReply, dict))
