"""Records as lines of a journal: every field is written, an absent one means its default, and a wrong one is named."""

from __future__ import annotations

import pytest

from bot.course.events import Chosen
from bot.course.journal.records import as_line, parse_line

LINES = [
    (
        b'{"type":"started","at":1}',
        b'{"at":1.0,"games":1,"game":0,"limit_s":5.0,"patience_s":120.0,"careful":false,"is_damaged":false,"server":"",'
        b'"url":"","stil_ids":[],"engine":"","think_s":0.0,"goal":20,"dialect":"current","column_opens":false,'
        b'"keeps_statistics":false,"deliveries":{},"is_giving_up":false,"may_run_elsewhere":false,"versions":{},"schema":5,"time":"T","type":"started"}\n',
    ),
    (
        b'{"type":"chosen","at":1,"move":3}',
        b'{"at":1.0,"move":3,"game":0,"ply":0,"score":null,"proven":false,"depth":null,"nodes":null,"pv":[],'
        b'"seconds":0.0,"source":"","move_s":0.0,"late":false,"hypotheses":1,"safe":true,"saved":null,"answers":[],"note":"",'
        b'"time":"T","type":"chosen"}\n',
    ),
    (
        b'{"type":"replied","at":1,"reply":{"status":true}}',
        b'{"at":1.0,"reply":{"status":true,"msg":null,"botmove":null,"result":null,"state":null},"game":0,'
        b'"first_byte_s":null,"body_s":0.0,"time":"T","type":"replied"}\n',
    ),
    (
        b'{"type":"failed","at":1,"delivery":"unknown","message":"No."}',
        b'{"at":1.0,"delivery":"unknown","message":"No.","hint":"","kind":"","delivered":null,"is_outage":false,"game":0,"time":"T",'
        b'"type":"failed"}\n',
    ),
    (
        b'{"type":"counted","at":1,"stats":null}',
        b'{"at":1.0,"stats":null,"kind":"","message":"","hint":"","game":0,"time":"T","type":"counted"}\n',
    ),
    (b'{"type":"abandoned","at":1,"game":2}', b'{"at":1.0,"game":2,"time":"T","type":"abandoned"}\n'),
    (
        b'{"type":"ended","reason":"error","games":[{"game":1,"result":0.5,"known_by":"reply"}]}',
        b'{"reason":"error","error":"","games":[{"game":1,"result":0.5,"known_by":"reply","moves":[],"we_started":null,'
        b'"at":0.0}],"substituted_moves":0,"at":0.0,"time":"T","type":"ended"}\n',
    ),
]


@pytest.mark.parametrize(("short", "whole"), LINES)
def test_a_line_has_every_field_and_an_absent_one_means_its_default(short: bytes, whole: bytes) -> None:
    for line in (short, whole):
        record = parse_line(line)
        assert as_line(record, "T") == whole


WRONG = [
    (b"", "it is not JSON"),
    (b'{"type": "chosen"', "it is not JSON"),
    (b"[1, 2]", "it is not a record of this edition"),
    (b'{"type": "move"}', "it is not a record of this edition"),
    (b'{"at": 1.0}', "it is not a record of this edition"),
    (b'{"type": "chosen", "at": 1.0}', "its field move is wrong"),
    (b'{"type": "chosen", "at": 1.0, "move": 7}', "its field move is wrong"),
    (b'{"type": "chosen", "at": 1.0, "move": -2}', "its field move is wrong"),
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
