"""Partial replies: a field is recovered as it is or not at all, and only from the beginning of a JSON object."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.course.client.partial import complete_fields, recover, was_processed

GRID = [[0] * 7 for _ in range(5)] + [[0, -1, 0, 1, 0, 0, 0]]
REPLY = {"msg": 'å, "b": [1, {', "status": True, "result": 0.0, "botmove": 1, "state": GRID}
WHOLE = json.dumps(REPLY, ensure_ascii=False).encode()


@given(st.integers(0, len(WHOLE) - 1), st.permutations(list(REPLY)), st.booleans(), st.booleans())
def test_a_field_is_recovered_as_it_is_or_not_at_all(cut: int, order: list[str], compact: bool, ascii_: bool) -> None:
    separators = (",", ":") if compact else None
    ordered = {name: REPLY[name] for name in order}
    body = json.dumps(ordered, separators=separators, ensure_ascii=ascii_).encode()
    part = body[: min(cut, len(body) - 1)]
    fields = complete_fields(part)
    assert list(fields.items()) == list(ordered.items())[: len(fields)]
    reply = recover(part)
    if reply is not None:
        assert (reply.status, reply.result) == (True, 0.0)
        assert reply.botmove == 1 or reply.state is not None
        assert reply.botmove in (None, 1)
        assert reply.state in (None, tuple(tuple(row) for row in GRID))


def test_every_field_before_the_cut_is_recovered() -> None:
    cut = WHOLE.index(b"[[")
    assert list(complete_fields(WHOLE[:cut])) == ["msg", "status", "result", "botmove"]
    assert complete_fields(WHOLE[:-1]) == REPLY, "a list that is closed is complete"
    assert complete_fields(b'{"botmove": 1') == {}, "a number may go on"
    assert complete_fields(b'{"botmove": 1 ,') == {"botmove": 1}


def test_the_bots_column_determines_the_position() -> None:
    cut = WHOLE.index(b"[[")
    reply = recover(WHOLE[:cut])
    assert reply is not None and reply.botmove == 1 and reply.state is None
    assert recover(WHOLE[: WHOLE.index(b'"botmove"')]) is None
    assert was_processed(WHOLE[: WHOLE.index(b'"botmove"')])
    assert not was_processed(WHOLE[: WHOLE.index(b'"status"')])


GOES_ON = b'{"status": true, "result": 0.0, "botmove": 1, '


@pytest.mark.parametrize(
    "body",
    [
        b'{"msg": "no", "status": false, "result": null, ',
        b"<html>,",
        b"",
        b"[1, 2,",
        b'{"status": true',
        b'{"status": tru',
        b'{status: true, "result": 0.0, "botmove": 1, ',
        b'{1: 2, "status": true, "result": 0.0, "botmove": 1, ',
        GOES_ON + b'"botmove": 2, ',
        GOES_ON + b'"state": null} and more',
        GOES_ON + b'"state": ' + b"[" * 100_000,
        GOES_ON + b'"msg": "' + b"x" * 5_000,
    ],
)
def test_anything_else_than_the_beginning_of_a_good_reply_yields_nothing(body: bytes) -> None:
    assert recover(body) is None
    assert not was_processed(body)


@pytest.mark.parametrize("value", [b"NaN,", b"1" * 401 + b",", b"1e999,", b'{"a": 1, "a": 2},', b"Infinity"])
def test_a_field_that_is_refused_ends_the_recovery(value: bytes) -> None:
    assert complete_fields(GOES_ON + b'"x": ' + value) == {"status": True, "result": 0.0, "botmove": 1}


def test_a_message_in_another_encoding_does_not_hide_the_rest() -> None:
    reply = recover(GOES_ON + b'"msg": "b\xf6rjar", ')
    assert reply is not None and (reply.botmove, reply.msg) == (1, "b\\xf6rjar")


def test_a_cut_inside_a_character_is_a_cut() -> None:
    body = '{"status": true, "result": 0.0, "botmove": 1, "msg": "å'.encode()
    assert was_processed(body[:-1])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32-le"])
def test_other_encodings_of_unicode_are_read(encoding: str) -> None:
    assert was_processed('{"status": true, "msg": "'.encode(encoding))
