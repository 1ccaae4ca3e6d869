"""Bodies: every form of the protocol is read, also its beginning; everything else is named in one clause."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.course.client.wire import (
    UnreadableError,
    complete_fields,
    decode_object,
    parse_move_reply,
    parse_stats,
    recover_move_reply,
)
from tests.course.client.raw import GOOD, GRID

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False)
    | st.text('aå"\\,{', max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab,", max_size=4), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text("abc,{", max_size=6), VALUES, max_size=4)


@given(OBJECTS, st.booleans(), st.sampled_from(["utf-8", "utf-8-sig"]), st.data())
def test_an_object_is_decoded_and_a_part_of_it_is_truncated(
    fields: dict[str, object], ascii_: bool, encoding: str, data: st.DataObject
) -> None:
    body = json.dumps(fields, ensure_ascii=ascii_).encode(encoding)
    assert decode_object(body) == fields
    text = json.dumps(fields)
    part = text[: data.draw(st.integers(1, len(text) - 1))].encode()
    with pytest.raises(UnreadableError) as raised:
        decode_object(part)
    assert raised.value.kind == "truncated"
    for name, value in complete_fields(part).items():
        assert fields[name] == value, "a field is as in the whole object"


HOSTILE = (
    VALUES
    | st.sampled_from([float("nan"), float("inf"), 10**399, -(10**399), 1e308, "\ud800", [[[[]]]], True])
    | st.lists(
        st.lists(st.sampled_from([0, 1, -1, 0.0, True, None, 10**399, float("nan"), "1"]), max_size=7), max_size=6
    )
)
NAMES = ["status", "msg", "botmove", "result", "state", "played", "won", "lost", "streak", "total_reward", "\ud800"]


@given(st.dictionaries(st.sampled_from(NAMES), HOSTILE), st.binary(max_size=100))
def test_no_values_and_no_bytes_end_in_another_exception(fields: dict[str, Any], body: bytes) -> None:
    reads: list[Callable[[], object]] = [
        lambda: parse_move_reply({**GOOD, **fields}),
        lambda: parse_stats(fields),
        lambda: decode_object(body),
        lambda: recover_move_reply(body),
    ]
    for read in reads:
        try:
            found = read()
        except UnreadableError as error:
            assert "\n" not in error.reason
            continue
        assert getattr(found, "botmove", None) in (None, *range(-1, 7))


BODIES: dict[bytes, str] = {
    b"": "empty",
    b" \n\0": "empty",
    b"\n <!DOCTYPE html><html>": "html",
    b"[1, 2]": "not json",
    b"[1, 2": "not json",
    b"null": "not json",
    b"{}{}": "trailing bytes",
    b"{}]": "trailing bytes",
    b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}": "not json",
    b'{"botmove": ' + b"1" * 100_000 + b"}": "not json",
    b"{'status': true}": "not json",
    b'{"status": true,}': "not json",
    b'{"x": [1}]': "not json",
}


@pytest.mark.parametrize(("body", "kind"), BODIES.items(), ids=[repr(body[:20]) for body in BODIES])
def test_anything_else_has_a_kind_and_a_reason(body: bytes, kind: str) -> None:
    with pytest.raises(UnreadableError) as raised:
        decode_object(body)
    assert raised.value.kind == kind and raised.value.reason


@pytest.mark.parametrize(
    "change",
    [
        *({"result": result} for result in (None, 0, 1, 0.5, -1, -10, 1.0)),
        {"result": -1, "botmove": None, "state": None},
        {"botmove": None},
        {"botmove": 3.0},
        {"state": None},
        {"state": [[0.0] * 7 for _ in range(6)]},
        {"status": False, "result": None, "botmove": None, "state": None, "msg": "Impossible move."},
        {"something": "new"},
    ],
)
def test_every_form_that_the_protocol_lists_is_accepted(change: dict[str, Any]) -> None:
    fields = {**GOOD, **change}
    reply = parse_move_reply(fields)
    assert (reply.status, reply.result, reply.botmove, reply.msg) == tuple(
        fields[name] for name in ("status", "result", "botmove", "msg")
    )
    assert reply.state is None or (len(reply.state) == 6 and all(type(cell) is int for cell in reply.state[0]))


@pytest.mark.parametrize(
    "change",
    [
        *({"status": status} for status in (1, "True", None)),
        *({"botmove": column} for column in (-1.0,)),
        *({"result": result} for result in ("0.0", "0", 0)),
        *({"state": [[cell] * 7 for _ in range(6)]} for cell in ("0", "0.0", 0.0)),
    ],
    ids=str,
)
def test_another_form_with_a_certain_meaning_is_the_same_reply(change: dict[str, Any]) -> None:
    assert parse_move_reply({**GOOD, **change}) == parse_move_reply(GOOD)


@pytest.mark.parametrize(
    "change",
    [
        *({"botmove": column, "state": None} for column in (7, -2, "three", "\u0663", "", "1e0", 2.5, 10**399, 1e300)),
        *({"status": status} for status in ("ok", 2)),
        {"status": None, "state": None},
        {"status": None, "result": None},
        *({"result": result} for result in (2, float("nan"), float("inf"), 10**399)),
        *({"state": [*GRID[:5], [0] * 6 + [cell]]} for cell in (2, 0.5, None, 10**399, [0])),
        *({"state": state} for state in (GRID[:5], [*GRID[:5], [0] * 6], "board", [0] * 42)),
    ],
    ids=str,
)
def test_anything_else_is_refused_and_its_field_is_named(change: dict[str, Any]) -> None:
    with pytest.raises(UnreadableError) as refused:
        parse_move_reply({**GOOD, **change})
    assert refused.value.kind == "bad reply"
    assert refused.value.reason.startswith(next(iter(change)))


@pytest.mark.parametrize(("message", "text"), [(5, "5"), ({"text": "No."}, '{"text": "No."}'), (None, None)])
def test_no_message_makes_a_reply_unreadable(message: object, text: str | None) -> None:
    assert parse_move_reply({**GOOD, "msg": message}).msg == text


@pytest.mark.parametrize(
    "change",
    [
        {"status": False, "msg": "no"},
        *({"played": played} for played in (None, -1, "many", 10**399)),
        {"streak": 10**10},
        *({"total_reward": reward} for reward in (float("nan"), 10**399)),
    ],
    ids=str,
)
def test_statistics_that_make_no_sense_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(UnreadableError) as refused:
        parse_stats({"status": None, "played": 1, "won": 1, "lost": 0, "streak": 1, **change})
    assert refused.value.kind == ("refused" if "status" in change else "bad reply")


REPLY = {"msg": 'å, "b": [1, {', "status": True, "result": 0.5, "botmove": 1, "state": GRID}


@given(st.integers(0, 400), st.permutations(list(REPLY)), st.booleans())
def test_a_reply_is_recovered_as_it_is_or_not_at_all(cut: int, order: list[str], ascii_: bool) -> None:
    body = json.dumps({name: REPLY[name] for name in order}, ensure_ascii=ascii_).encode()
    reply = recover_move_reply(body[: min(cut, len(body) - 1)])
    if reply is not None:
        assert (reply.status, reply.result) == (True, 0.5), "not a result 0 whose end is cut off"
        assert reply.botmove == 1 or reply.state is not None
        assert reply.botmove in (None, 1)
        assert reply.state in (None, tuple(tuple(row) for row in GRID))


def test_the_bots_column_determines_the_position() -> None:
    text = json.dumps(REPLY)
    for cut in range(text.index('"state"'), len(text)):
        reply = recover_move_reply(text[:cut].encode())
        assert reply is not None and (reply.botmove, reply.state) == (1, None)
    assert recover_move_reply(text[: text.index('"botmove"')].encode()) is None


@pytest.mark.parametrize(
    "body",
    [
        b'{"msg": "no", "status": false, "result": null, ',
        b"<html>,",
        b"",
        b"[1, 2,",
        b'{"status": tru',
        b'{status: true, "result": 0.0, "botmove": 1, ',
        b'{"status": true, "result": 0.0, "botmove": 1, "x": wrong, ',
    ],
)
def test_nothing_is_recovered_from_anything_else_than_the_beginning_of_a_good_reply(body: bytes) -> None:
    assert recover_move_reply(body) is None
    assert complete_fields(body).get("status") is not True
