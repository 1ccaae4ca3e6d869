"""Records as lines of a journal: every field is written and read, and a wrong one is named."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from bot.course.events import Chosen
from bot.course.journal.records import as_line, parse_line
from tests.course.journal.build import WIN, recorded

SCRIPT = (
    'counted 3 1 1; new: .; d: +a; d: lost reset; settled 3 1 1; d: no "Busy."; abandoned; unread timeout; new: chosen'
)


@pytest.mark.parametrize("line", (recorded(WIN) + recorded(SCRIPT, games=9)).splitlines(keepends=True))
def test_a_line_has_every_field_of_its_record_and_is_read_as_it_was_written(line: bytes) -> None:
    record = parse_line(line)
    assert as_line(record, record.time) == line
    assert [*json.loads(line)] == [field.name for field in fields(record)]


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
