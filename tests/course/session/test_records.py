"""Records as lines of a journal: every field is written and read, and a wrong one is named."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest

from bot.course.events import Abandoned, Chosen, Counted, Failed, GameEnded, Replied, Started
from bot.course.failures import Delivery
from bot.course.journal.records import Record, RunEnded, as_line, parse_line
from bot.course.protocol import MoveReply, Stats

RECORDS = [
    Started(1.0, stil_ids=("a",), deliveries={"reset": (1, 2)}),
    Chosen(1.0, 3, pv=(3, 2), saved=0.5, answers=((0.5,) * 7, ()), note="It failed."),
    Replied(1.0, MoveReply(True, "", 6, -10.0, ((0,) * 7,) * 6), body_s=0.1),
    Failed(1.0, Delivery.NOT_SENT, "No.", delivered=0.5, is_outage=True),
    Counted(1.0, Stats(1, 1, 0, 1, 1, 1.0)),
    Abandoned(1.0, 2),
    RunEnded("error", games=(GameEnded(1, 0.5, "reply", (3,), True),)),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.type)
def test_a_line_has_every_field_of_a_record_and_none_that_is_lost(record: Record) -> None:
    line = as_line(record, "T")
    assert parse_line(line) == replace(record, time="T")
    assert [*json.loads(line)] == [field.name for field in fields(record)] and line.endswith(b"}\n")


WRONG = [
    (b"", "it is not JSON"),
    (b'{"type": "chosen"', "it is not JSON"),
    (b"[1, 2]", "it is not a record of this edition"),
    (b'{"type": "move"}', "it is not a record of this edition"),
    (b'{"at": 1.0}', "it is not a record of this edition"),
    (b'{"type": "chosen", "at": 1.0}', "its field move is wrong"),
    (b'{"type": "chosen", "at": 1.0, "move": 7}', "its field move is wrong"),
    (b'{"type": "chosen", "at": 1.0, "move": -2}', "its field move is wrong"),
    (b'{"type": "chosen", "at": 1.0, "move": 3, "game": 900000000}', "its field game is wrong"),
    (b'{"type": "chosen", "at": 1.0, "move": 3, "ply": 43}', "its field ply is wrong"),
    (b'{"type": "chosen", "at": 1.0, "move": 3, "pv": [7]}', "its field pv.0 is wrong"),
    (b'{"type": "chosen", "at": 1.0, "move": 3, "saved": 1.5}', "its field saved is wrong"),
    (b'{"type": "abandoned", "at": NaN}', "its field at is wrong"),
    (b'{"type": "abandoned", "at": 1.0, "game": -1}', "its field game is wrong"),
    (b'{"type": "replied", "at": 1, "reply": {"status": true, "botmove": 9}}', "its field reply.botmove is wrong"),
    (
        b'{"type": "failed", "at": 1, "delivery": "unknown", "message": "", "delivered": 2}',
        "its field delivered is wrong",
    ),
    (b'{"type": "replied", "at": 1, "reply": {"status": true}, "body_s": -1}', "its field body_s is wrong"),
    (b'{"type": "started", "at": 1, "schema": 2}', "its field schema is wrong"),
    (b'{"type": "started", "at": 1, "schema": 6}', "its field schema is wrong"),
]


@pytest.mark.parametrize(("line", "reason"), WRONG)
def test_a_line_that_is_no_record_says_why(line: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=r"^it") as caught:
        parse_line(line)
    assert str(caught.value).startswith(reason)


def test_numbers_of_numpy_become_plain_ones() -> None:
    numpy = pytest.importorskip("numpy")
    assert parse_line(as_line(Chosen(1.0, numpy.int64(3), nodes=numpy.uint64(9)), "")) == Chosen(1.0, 3, nodes=9)
