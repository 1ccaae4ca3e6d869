"""The protocol as the embedded server speaks it: replies byte by byte, forms, and who may send them."""

from __future__ import annotations

import socket
from collections.abc import Set
from typing import Any

import pytest
from fastapi.testclient import TestClient

from bot.course.protocol import Dialect
from bot.course.server.embedded import create_app
from bot.course.server.network import LOOPBACK
from bot.course.server.referee import Referee, Starter
from bot.course.server.store import Store
from bot.engine.agent import Agent, Decision
from bot.engine.simple import Scripted

KEY = "nyckel"
FORM: dict[str, Any] = {"stil_id": "ab12", "move": 3, "api_key": KEY}
EMPTY = "[0,0,0,0,0,0,0]," * 5
OPENED = '{"msg":"New game initiated, you start. Make your move","status":true,'
REJECTED = '","status":false,"result":null,"botmove":null,"state":null}'
NUMBERS = '"played":1,"won":0,"lost":1,"streak":0,"streak_max":0,"total_reward":-10.0}'


def server(
    *,
    dialect: Dialect = "current",
    host: str = LOOPBACK,
    only: Set[str] = frozenset(),
    store: Store | None = None,
    bot: Agent | None = None,
) -> TestClient:
    starter: Starter = "bot" if dialect == "jan21" else "student"
    referee = Referee(store or Store(), bot or Scripted("1111111"), dialect=dialect, starter=starter)
    return TestClient(create_app(referee, api_key=KEY, host=host, only=only), base_url="http://127.0.0.1:8000")


def test_replies_are_the_course_servers_byte_by_byte():
    course = server(bot=Scripted("4444"))
    transcript: list[tuple[dict[str, Any], str | None]] = [
        ({"move": -1}, OPENED + f'"result":0.0,"botmove":-1,"state":[{EMPTY}[0,0,0,0,0,0,0]]}}'),
        ({"move": 0}, f'{{"msg":null,"status":true,"result":0.0,"botmove":3,"state":[{EMPTY}[1,0,0,-1,0,0,0]]}}'),
        ({"api_key": "x"}, '{"msg":"Incorrect API key.' + REJECTED),
        *[({}, None)] * 3,
        ({}, '{"msg":"Impossible move.' + REJECTED),
    ]
    for fields, reply in transcript:
        answer = course.post("/move", data={**FORM, **fields})
        assert reply in (None, answer.text)
    assert course.post("/stats", data=FORM).text == '{"msg":null,"status":null,"stil_id":"ab12",' + NUMBERS


def test_in_january_2021_the_student_starts_without_a_board_and_there_are_no_statistics():
    course = server(dialect="jan21")
    opening = course.post("/move", data={**FORM, "move": -1})
    assert opening.text == OPENED + '"result":null,"botmove":null,"state":null}'
    assert course.post("/stats", data=FORM).status_code == 404


@pytest.mark.parametrize(
    ("field", "value"), [("move", "7"), ("move", "-2"), ("stil_id", "a b"), ("stil_id", "b" * 51), ("api_key", None)]
)
def test_a_bad_form_is_422_with_the_place_of_the_complaint(field, value):
    reply = server().post("/move", data={**FORM, field: value})
    (complaint,) = reply.json()["detail"]
    assert (reply.status_code, list(complaint), complaint["loc"][1]) == (422, ["loc", "msg", "type"], field)


def test_a_groups_ids_are_one_player_in_any_order_with_or_without_capitals_and_with_a_list_only_its_ids_play():
    course, listed = server(), server(only={"ab12", "cd-s"})
    longest = "b" * 50
    for ids in ([longest, "A"], ["A", longest, "a"]):
        course.post("/move", data={**FORM, "stil_id": ids, "move": -1})
    stats = course.post("/stats", data={**FORM, "stil_id": [longest, "A"]}).json()
    assert (stats["stil_id"], stats["played"]) == (f"a+{longest}", 1)
    assert listed.post("/stats", data={**FORM, "stil_id": ["aB12", "CD-s", "AB12"]}).json()["stil_id"] == "ab12+cd-s"
    said = "x is not on this server's list of players."
    refused = listed.post("/move", data={**FORM, "stil_id": ["ab12", "x"]})
    assert (refused.status_code, refused.text) == (200, f'{{"msg":"{said}{REJECTED}')
    assert list(listed.post("/stats", data={**FORM, "stil_id": "x"}).json().values()) == [said, False]


def test_a_move_that_has_to_wait_for_too_long_is_refused_before_anything_of_it_is_done(monkeypatch):
    bot, store, replies = Scripted("1111111"), Store(), []
    course = server(bot=bot, store=store)

    def asks_too(*_arguments: Any) -> Decision:
        """Choose a column while another player asks for a move."""
        monkeypatch.setattr("bot.course.server.referee.QUEUE_S", 0.05)
        replies.append(course.post("/move", data={**FORM, "stil_id": "b"}))
        return Decision(0)

    monkeypatch.setattr(bot, "choose", asks_too)
    assert course.post("/move", data=FORM).status_code == 200
    (refused,) = replies
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
    assert "nothing of this request was carried out" in refused.json()["detail"]
    assert [game.player for game in store.standings()] == ["ab12"]


@pytest.mark.parametrize(
    ("bound", "headers", "status"),
    [
        (LOOPBACK, {"origin": "https://evil.example"}, 403),
        (LOOPBACK, {"origin": "http://localhost:3000"}, 200),
        (LOOPBACK, {"host": "evil.example:8000"}, 403),  # a name that its owner lets resolve to 127.0.0.1
        (LOOPBACK, {"host": "[::1]:8000"}, 200),
        (LOOPBACK, {"host": socket.gethostname().upper()}, 200),
        ("192.168.0.7", {"host": "192.168.0.8"}, 403),
        ("192.168.0.7", {"host": "192.168.0.7", "origin": "http://192.168.0.7"}, 200),
        ("0.0.0.0", {"host": "192.168.0.8"}, 200),
        ("::", {"host": "192.168.0.8"}, 200),
        ("0.0.0.0", {"host": "evil.example1"}, 403),
        ("0.0.0.0", {"origin": "http://192.168.0.8"}, 403),
    ],
)
def test_a_foreign_web_page_can_neither_play_nor_give_up_a_game(bound, headers, status):
    course = server(host=bound)
    for move in (3, -1):
        assert course.post("/move", data={**FORM, "move": move}, headers=headers).status_code == status
    games = course.post("/stats", data=FORM, headers={"host": "localhost"}).json()
    assert games["played"] == (status == 200)
