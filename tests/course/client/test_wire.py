"""Validation of replies: every form of the protocol is accepted, anything else is rejected with one sentence."""

from __future__ import annotations

from typing import Any

import pytest

from bot.course.client.wire import BadReplyError, Stats, parse_move_reply, parse_stats

GRID = [[0] * 7 for _ in range(6)]
GOOD: dict[str, Any] = {"msg": None, "status": True, "result": 0.0, "botmove": 1, "state": GRID}


@pytest.mark.parametrize(
    "change",
    [
        {"result": None},
        {"result": 0},
        {"result": 1},
        {"result": -10},
        {"result": -1, "botmove": None, "state": None},
        {"result": 1.0, "state": None},
        {"result": 0.5},
        {"botmove": None},
        {"botmove": -1},
        {"botmove": 3.0},
        {"state": None},
        {"state": [[0.0] * 7 for _ in range(6)]},
        {"msg": "The game has ended."},
        {"status": False, "result": None, "botmove": None, "state": None, "msg": "Impossible move."},
        {"something": "new"},
    ],
)
def test_every_form_that_the_protocol_lists_is_accepted(change: dict[str, Any]) -> None:
    reply = parse_move_reply({**GOOD, **change}, 0.1)
    assert reply.status is change.get("status", True)
    assert reply.latency_s == 0.1
    assert reply.state is None or (len(reply.state) == 6 and all(type(cell) is int for cell in reply.state[0]))


@pytest.mark.parametrize(
    "change",
    [
        {"botmove": 7, "state": None},
        {"botmove": -2, "state": None},
        {"status": "ok"},
        {"status": 2},
        {"status": None, "state": None},
        {"status": None, "result": None},
        {"botmove": "three", "state": None},
        {"botmove": "\u0663", "state": None},
        {"botmove": "", "state": None},
        {"botmove": "1e0", "state": None},
        {"botmove": 2.5, "state": None},
        {"botmove": True, "state": None},
        {"result": 2},
        {"result": float("nan")},
        {"result": float("inf")},
        {"result": 10**399},
        {"result": True},
        {"botmove": 10**399, "state": None},
        {"botmove": float("inf"), "state": None},
        {"botmove": 1e300, "state": None},
        {"state": [*GRID[:5], [0] * 6 + [10**399]]},
        {"state": [[[0]] * 7] * 6},
        {"state": GRID[:5]},
        {"state": [*GRID[:5], [0] * 6]},
        {"state": [*GRID[:5], [0] * 6 + [2]]},
        {"state": [*GRID[:5], [0] * 6 + [0.5]]},
        {"state": [*GRID[:5], [0] * 6 + [None]]},
        {"state": [*GRID[:5], [0] * 6 + [True]]},
        {"state": "board"},
        {"state": [0] * 42},
    ],
)
def test_anything_else_is_refused_in_one_sentence(change: dict[str, Any]) -> None:
    with pytest.raises(BadReplyError) as refused:
        parse_move_reply({**GOOD, **change})
    assert "\n" not in str(refused.value)
    assert next(iter(change)) in refused.value.message
    assert refused.value.exit_code == 4


@pytest.mark.parametrize(
    "change",
    [
        {"status": 1},
        {"status": "True"},
        {"status": None},
        {"botmove": "1"},
        {"botmove": "1.0"},
        {"result": "0.0"},
        {"result": "0"},
        {"state": [["0"] * 7 for _ in range(6)]},
        {"state": [["0.0"] * 7 for _ in range(6)]},
    ],
)
def test_another_form_with_a_certain_meaning_is_the_same_reply(change: dict[str, Any]) -> None:
    assert parse_move_reply({**GOOD, **change}) == parse_move_reply(GOOD)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (5, "5"),
        ({"text": "Impossible move."}, '{"text": "Impossible move."}'),
        ("\ud800", "\ufffd"),
        ("b\udcf6r", "b\\xf6r"),
    ],
)
def test_no_message_makes_a_reply_unreadable(message: object, text: str) -> None:
    assert parse_move_reply({**GOOD, "msg": message}).msg == text


@pytest.mark.parametrize("payload", [None, [], "text", 5, {}])
def test_what_is_no_reply_at_all_is_refused(payload: object) -> None:
    with pytest.raises(BadReplyError):
        parse_move_reply(payload)
    with pytest.raises(BadReplyError):
        parse_stats(payload)


def test_statistics_are_read_as_recorded_in_2022() -> None:
    recorded = {
        "msg": None, "status": None, "stil_id": "x", "played": 96, "won": 81, "lost": 15, "streak": 40,
        "streak_max": 40, "total_reward": 12.0,
    }  # fmt: skip
    assert parse_stats(recorded) == Stats(96, 81, 15, 40, 40, 12.0)


@pytest.mark.parametrize(
    "change",
    [
        {"status": False, "msg": "no"},
        {"played": None},
        {"won": -1},
        {"lost": "many"},
        {"played": 10**399},
        {"streak": 10**10},
        {"total_reward": float("nan")},
        {"total_reward": 10**399},
    ],
)
def test_statistics_that_make_no_sense_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadReplyError):
        parse_stats({"status": None, "played": 1, "won": 1, "lost": 0, "streak": 1, **change})
