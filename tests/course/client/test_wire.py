"""Bodies: every form of the protocol is read, also its beginning; everything else is named in one clause."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import replace

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
from bot.course.protocol import MoveReply
from tests.course.client.raw import GOOD, GRID

VALUES = st.recursive(
    st.sampled_from([None, True, 0, -1, 10**30, 0.5, 1e308]) | st.text('aå"\\,{', max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab,", max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text("abc,{", max_size=6), VALUES, max_size=4), st.data())
def test_a_part_of_an_object_is_truncated_and_its_complete_fields_are_as_in_the_whole(fields, data):
    text = json.dumps(fields)
    for body in (text.encode(), json.dumps(fields, ensure_ascii=False).encode("utf-8-sig")):
        assert decode_object(body) == fields
    part = text[: data.draw(st.integers(1, len(text) - 1))].encode()
    with pytest.raises(UnreadableError) as raised:
        decode_object(part)
    assert raised.value.kind == "truncated"
    assert complete_fields(part).items() <= fields.items()


@given(
    st.dictionaries(
        st.sampled_from([*GOOD, "played", "won", "lost", "streak", "total_reward", "\ud800"]),
        VALUES | st.sampled_from([float("nan"), float("inf"), 10**399, "\ud800", [[None]]]),
    ),
    st.binary(max_size=100),
)
def test_no_values_and_no_bytes_end_in_another_exception(fields, body):
    for read, given_ in ((parse_stats, fields), (decode_object, body), (recover_move_reply, body)):
        with suppress(UnreadableError):
            read(given_)
    with suppress(UnreadableError):
        assert parse_move_reply({**GOOD, **fields}).botmove in (None, *range(-1, 7))


def read(change: str) -> MoveReply:
    """Return the good reply with these fields of JSON changed, read from its body."""
    return parse_move_reply(decode_object(f"{json.dumps(GOOD)[:-1]}, {change}}}".encode()))


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ('"result": null', {"result": None}),
        ('"result": 0.5', {"result": 0.5}),
        ('"result": -1, "botmove": null, "state": null', {"result": -1.0, "botmove": None, "state": None}),
        ('"status": false, "msg": "Impossible move."', {"status": False, "msg": "Impossible move."}),
        ('"status": 1, "botmove": -1.0, "result": "0.0"', {}),
        ('"status": null, "result": 0, "something": "new"', {}),
        (f'"state": {[["0"] * 7] * 6}'.replace("'", '"'), {}),
        *(
            (f'"botmove": {column}', {"botmove": None})
            for column in ("9", "-2", "3.5", '"three"', "[3]", "1e300", "null")
        ),
        ('"msg": {"text": "å"}', {"msg": '{"text": "å"}'}),
    ],
)
def test_every_form_with_a_certain_meaning_is_accepted(change, fields):
    """The board shows the bot's column, and no message matters."""
    assert read(change) == replace(parse_move_reply(GOOD), **fields)


@pytest.mark.parametrize(
    "change",
    [
        *(f'"botmove": {column}, "state": null' for column in (7, -2, '"three"', '"\u0663"', 2.5)),
        '"status": 2',
        '"status": null, "state": null',
        '"status": null, "result": null',
        *(f'"result": {result}' for result in (2, "NaN", "Infinity")),
        *(f'"state": {[*GRID[:5], [0] * 6 + [cell]]}' for cell in (2, 0.5, [0])),
        *(f'"state": {state}' for state in (GRID[:5], [*GRID[:5], [0] * 6], '"board"')),
    ],
)
def test_anything_else_is_refused_and_its_field_is_named(change):
    with pytest.raises(UnreadableError) as refused:
        read(change)
    said = re.sub(r"\.\d", "", refused.value.reason)
    field = change.split('"')[1]
    assert (refused.value.kind, said) == ("bad reply", f"its field {field} has no value of the protocol")


REPLY = {"msg": 'å, "b": [1, {', "status": True, "result": 0.5, "botmove": 1, "state": GRID}
BOARD = ((0,) * 7,) * 6


@given(st.integers(0, 400), st.permutations(list(REPLY)), st.booleans())
def test_a_reply_is_recovered_as_it_is_or_not_at_all(cut, order, is_refused):
    body = json.dumps({**{name: REPLY[name] for name in order}, "status": not is_refused}).encode()
    found = recover_move_reply(body[: min(cut, len(body) - 1)])
    if found is not None:
        assert (found.status, found.result, is_refused) == (True, 0.5, False), "not a result 0 whose end is cut off"
        assert (found.botmove, found.state) in ((1, None), (None, BOARD), (1, BOARD))


def test_the_bots_column_determines_the_position():
    body = json.dumps(REPLY).encode()
    found = recover_move_reply(body[: body.index(b'"state"')])
    assert found is not None and (found.botmove, found.state) == (1, None)
    assert recover_move_reply(body[: body.index(b'"botmove"')]) is None
