"""Bodies: only one JSON object is decoded, and every other body raises the decoder's own exception."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.course.client.decode import MAX_DEPTH, NotAnObjectError, decode_object, is_complete, printable, shape
from bot.course.client.wire import BadReplyError, parse_move_reply, parse_stats
from tests.course.client.raw import GOOD

TEXT = json.dumps(GOOD)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=6), VALUES, max_size=4)


@given(OBJECTS, st.booleans(), st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"]))
def test_every_json_object_is_decoded(fields: dict[str, object], ascii_: bool, encoding: str) -> None:
    body = json.dumps(fields, ensure_ascii=ascii_).encode(encoding)
    assert decode_object(body) == fields
    assert is_complete(body)


@given(OBJECTS, st.data())
def test_a_part_of_an_object_is_truncated(fields: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps(fields)
    part = text[: data.draw(st.integers(1, len(text) - 1))].encode()
    assert not is_complete(part)
    with pytest.raises(NotAnObjectError) as raised:
        decode_object(part)
    assert raised.value.kind == "truncated"


BODIES: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "empty"),
    "white space": (b" \n", "empty"),
    "a page": (b"\n <!DOCTYPE html><html>", "html"),
    "a list": (b"[1, 2]", "not json"),
    "a string": (b'"hello"', "not json"),
    "null": (b"null", "not json"),
    "text": (b"Internal error", "not json"),
    "two objects": ((TEXT + TEXT).encode(), "trailing bytes"),
    "a page after the object": ((TEXT + "<html>").encode(), "trailing bytes"),
    "a bracket after the object": ((TEXT + "]").encode(), "trailing bytes"),
    "a bomb of lists": (b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "not json"),
    "a bomb of objects": (b'{"x": ' * 100_000 + b"1" + b"}" * 100_000, "not json"),
    "an open bomb": (b'{"x": ' * 100_000, "not json"),
    "a list too deep": (b'{"x": ' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}", "not json"),
    "NaN": (b'{"result": NaN}', "not json"),
    "Infinity": (b'{"result": Infinity}', "not json"),
    "-Infinity": (b'{"result": -Infinity}', "not json"),
    "a float that is infinite": (b'{"result": 1e999}', "not json"),
    "a float too long": (b'{"result": 0.' + b"1" * 100_000 + b"}", "not json"),
    "an integer too long": (b'{"botmove": ' + b"1" * 100_000 + b"}", "not json"),
    "duplicate fields": (b'{"botmove": 1, "botmove": 2}', "not json"),
    "duplicate fields inside": (b'{"x": [{"a": 1, "a": 1}]}', "not json"),
    "latin-1 without quotation marks": ("{msg: ä}".encode("latin-1"), "not json"),
    "odd UTF-16": ('{"msg": "hello"}'.encode("utf-16")[:-1], "not json"),
    "single quotes": (b"{'status': true}", "not json"),
    "a trailing comma": (b'{"status": true,}', "not json"),
    "wrong brackets": (b'{"x": [1}]', "not json"),
    "a raw line feed in a string": (b'{"msg": "a\nb"}', "not json"),
    "NUL in a string": (b'{"msg": "a\0b"}', "not json"),
}


@pytest.mark.parametrize(("body", "kind"), BODIES.values(), ids=BODIES.keys())
def test_anything_else_has_a_kind_and_a_reason(body: bytes, kind: str) -> None:
    with pytest.raises(NotAnObjectError) as raised:
        decode_object(body)
    assert raised.value.kind == kind
    assert raised.value.reason


def test_white_space_around_the_object_is_allowed() -> None:
    assert decode_object(f"\r\n {TEXT} \n".encode()) == GOOD


def test_the_deepest_nesting_that_is_read() -> None:
    body = b'{"x": ' + b"[" * (MAX_DEPTH - 1) + b"]" * (MAX_DEPTH - 1) + b"}"
    assert list(decode_object(body)) == ["x"]


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: ('{"' + text).encode("utf-8", "surrogatepass")))
def test_no_bytes_end_in_another_exception(body: bytes) -> None:
    is_complete(body)
    try:
        payload = decode_object(body)
    except NotAnObjectError:
        return
    assert isinstance(payload, dict)


HOSTILE = (
    VALUES
    | st.sampled_from([float("nan"), float("inf"), 10**399, -(10**399), 1e308, "\ud800", [[[[]]]], True])
    | st.lists(
        st.lists(st.sampled_from([0, 1, -1, 0.0, True, None, 10**399, float("nan"), "1"]), max_size=7), max_size=6
    )
)


@given(st.dictionaries(st.sampled_from(["status", "msg", "botmove", "result", "state", "\ud800"]), HOSTILE))
def test_no_values_of_a_move_end_in_another_exception(fields: dict[str, object]) -> None:
    try:
        reply = parse_move_reply({**GOOD, **fields})
    except BadReplyError as error:
        assert "\n" not in str(error)
        str(error).encode()
        return
    (reply.msg or "").encode()
    assert reply.botmove is None or reply.botmove in range(-1, 7)


@given(st.dictionaries(st.sampled_from(["status", "msg", "played", "won", "lost", "streak", "total_reward"]), HOSTILE))
def test_no_values_of_the_statistics_end_in_another_exception(fields: dict[str, object]) -> None:
    try:
        stats = parse_stats({"played": 1, "won": 1, "lost": 0, **fields})
    except BadReplyError as error:
        assert "\n" not in str(error)
        str(error).encode()
        return
    assert stats.played >= 0


def test_the_shape_of_a_text() -> None:
    assert shape("") is None and shape("[]") is None
    text = ' {"a": "}]\\"}", "b": [{}]} rest'
    found = shape(text)
    assert found is not None and (found.depth, found.end) == (3, text.index(" rest"))
    found = shape('{"a": "unterminated}')
    assert found is not None and (found.depth, found.end) == (1, None)


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "iso-8859-2", "mac-roman"])
@given(st.text(st.characters(codec="latin-1", exclude_characters='"\\'), max_size=20))
def test_a_message_in_another_encoding_leaves_the_rest_readable(encoding: str, message: str) -> None:
    """The structure of JSON is ASCII in all of them; only the message is written with the bytes' numbers."""
    body = json.dumps({**GOOD, "msg": message}, ensure_ascii=False).encode(encoding, "replace")
    found = decode_object(body)
    assert {**found, "msg": None} == {**GOOD, "msg": None}
    assert is_complete(body)
    printable(found["msg"]).encode()
