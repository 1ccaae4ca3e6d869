"""What the beginning of a reply tells: no more than stands there whole."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from bot.client.fragment import salvage, was_processed, whole_fields

GRID = [[0] * 7 for _ in range(5)] + [[0, -1, 0, 1, 0, 0, 0]]
REPLY = {"msg": 'a, "b": [1, {', "status": True, "result": 0.0, "botmove": 1, "state": GRID}
WHOLE = json.dumps(REPLY).encode()


@given(st.integers(0, len(WHOLE)), st.permutations(list(REPLY)), st.booleans())
def test_a_field_is_told_as_it_is_or_not_at_all(cut: int, order: list[str], compact: bool) -> None:
    separators = (",", ":") if compact else None
    whole = json.dumps({name: REPLY[name] for name in order}, separators=separators).encode()
    told = whole_fields(whole[:cut])
    assert all(REPLY[name] == value for name, value in told.items())
    reply = salvage(whole[:cut])
    if reply is not None:
        assert (reply.status, reply.result) == (True, 0.0)
        assert reply.botmove == 1 or reply.state is not None
        assert reply.botmove in (None, 1)
        assert reply.state in (None, tuple(tuple(row) for row in GRID))


def test_the_bots_column_tells_the_rest() -> None:
    cut = WHOLE.index(b"[[")
    reply = salvage(WHOLE[:cut])
    assert reply is not None and reply.botmove == 1 and reply.state is None
    assert salvage(WHOLE[: WHOLE.index(b'"botmove"')]) is None
    assert was_processed(WHOLE[: WHOLE.index(b'"botmove"')])
    assert not was_processed(WHOLE[: WHOLE.index(b'"status"')])


def test_a_refusal_or_a_page_tells_nothing() -> None:
    for text in (b'{"msg": "no", "status": false, "result": null, ', b"<html>,", b"", b"[1, 2,", b'{"status": true'):
        assert salvage(text) is None
        assert not was_processed(text)
