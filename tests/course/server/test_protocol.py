"""The protocol as the embedded server speaks it: replies byte by byte, forms, and who may send them."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.course.server.app import create_app
from bot.course.server.referee import Dialect, Referee
from bot.course.server.sockets import LOOPBACK
from bot.course.server.store import Store
from bot.engine.simple import Scripted

KEY = "nyckel"
FORM: dict[str, Any] = {"stil_id": "ab12", "move": 3, "api_key": KEY}
EMPTY = "[0,0,0,0,0,0,0]," * 5
OPENED = '{"msg":"New game initiated, you start. Make your move","status":true,'
REJECTED = '","status":false,"result":null,"botmove":null,"state":null}'
NUMBERS = '"played":1,"won":0,"lost":1,"streak":0,"streak_max":0,"total_reward":-10.0}'


def server(*, dialect: Dialect = "current", host: str = LOOPBACK, script: str = "1111111") -> TestClient:
    referee = Referee(Store(), Scripted(script), dialect=dialect, starter="student")
    return TestClient(create_app(referee, dialect=dialect, api_key=KEY, host=host), base_url="http://127.0.0.1:8000")


def test_replies_are_the_course_servers_byte_by_byte() -> None:
    course = server()
    for fields, reply in [
        ({"move": -1}, OPENED + f'"result":0.0,"botmove":-1,"state":[{EMPTY}[0,0,0,0,0,0,0]]}}'),
        ({}, f'{{"msg":null,"status":true,"result":0.0,"botmove":0,"state":[{EMPTY}[-1,0,0,1,0,0,0]]}}'),
        ({"api_key": "x"}, '{"msg":"Incorrect API key.' + REJECTED),
        ({"move": 0}, None),
        ({"move": 0}, None),
        ({"move": 0}, '{"msg":"Impossible move.' + REJECTED),
    ]:
        answer = course.post("/move", data={**FORM, **fields})
        assert answer.status_code == 200
        assert reply in (None, answer.text)
    assert course.post("/stats", data=FORM).text == '{"msg":null,"status":null,"stil_id":"ab12",' + NUMBERS
    assert course.post("/stats", data={**FORM, "api_key": "x"}).json()["status"] is False


def test_in_january_2021_an_opening_has_no_board_and_there_are_no_statistics() -> None:
    course = server(dialect="jan21")
    opening = course.post("/move", data={**FORM, "move": -1})
    assert opening.text == OPENED + '"result":null,"botmove":null,"state":null}'
    assert course.post("/stats", data=FORM).status_code == 404


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("move", "7"),
        ("move", "-2"),
        ("move", "x"),
        ("move", None),
        ("stil_id", "a b"),
        ("stil_id", "a" * 51),
        ("stil_id", None),
        ("api_key", None),
    ],
)
def test_a_bad_form_is_422_with_the_place_of_the_complaint(field: str, value: str | None) -> None:
    reply = server().post("/move", data={**FORM, field: value})
    (complaint,) = reply.json()["detail"]
    assert (reply.status_code, list(complaint), complaint["loc"][1]) == (422, ["loc", "msg", "type"], field)


def test_every_legal_form_is_taken_and_a_groups_ids_are_one_player_in_any_order() -> None:
    course = server(script="1234567")
    for ids, column in ((["b" * 50, "a"], 6), (["a", "b" * 50], 0)):
        assert course.post("/move", data={**FORM, "stil_id": ids, "move": column}).status_code == 200
    stats = course.post("/stats", data={**FORM, "stil_id": ["b" * 50, "a"]}).json()
    assert (stats["stil_id"], stats["played"]) == ("a+" + "b" * 50, 0)


@pytest.mark.parametrize(
    ("bound", "headers", "status"),
    [
        (LOOPBACK, {"origin": "https://evil.example"}, 403),
        (LOOPBACK, {"origin": "http://127.0.0.1.evil.example:8000"}, 403),
        (LOOPBACK, {"origin": "null"}, 403),  # of a file, or of a sandboxed frame
        (LOOPBACK, {"origin": "http://localhost:3000"}, 200),
        (LOOPBACK, {"host": "evil.example:8000"}, 403),  # a name that its owner lets resolve to 127.0.0.1
        (LOOPBACK, {"host": "evil.example@127.0.0.1"}, 403),
        (LOOPBACK, {"host": "127.0.0.1:0"}, 403),
        (LOOPBACK, {"host": "10.1.2.3:8000"}, 403),
        (LOOPBACK, {"host": "[::1]:8000"}, 200),
        (LOOPBACK, {"host": "LOCALHOST."}, 200),
        (LOOPBACK, {"host": "a.localhost"}, 200),
        (LOOPBACK, {"host": socket.gethostname().upper()}, 200),
        ("192.168.0.7", {"host": "192.168.0.7"}, 200),
        ("192.168.0.7", {"host": "192.168.0.8"}, 403),
        ("0.0.0.0", {"host": "192.168.0.8"}, 200),
        ("::", {"host": "[fe80::1]"}, 200),
        ("0.0.0.0", {"host": "evil.example"}, 403),
    ],
)
def test_a_foreign_web_page_can_neither_play_nor_give_up_a_game(
    bound: str, headers: dict[str, str], status: int
) -> None:
    course = server(host=bound)
    course.post("/move", data=FORM, headers={"host": bound if ":" not in bound else f"[{bound}]"})
    for move in (-1, 3):
        assert course.post("/move", data={**FORM, "move": move}, headers=headers).status_code == status
    games = course.post("/stats", data=FORM, headers={"host": "localhost"}).json()
    assert games["played"] == (status == 200)


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/openapi.json"])
def test_there_are_no_pages_about_the_interface(path: str) -> None:
    assert server().get(path).status_code == 404


def test_players_at_once_do_not_meet() -> None:
    course = server(script="1212121212")

    def game(player: str) -> Any:
        replies = [course.post("/move", data={**FORM, "stil_id": player, "move": column}) for column in (-1, 3, 4, 5)]
        return replies[-1].json()["state"]

    with ThreadPoolExecutor(8) as pool:
        boards = list(pool.map(game, [f"player{number}" for number in range(16)]))
    assert all(board == boards[0] for board in boards)


FUZZED = server()


@settings(max_examples=40)
@given(
    st.sampled_from(["/move", "/stats", "/"]),
    st.dictionaries(st.sampled_from([*FORM, "x"]), st.text(max_size=60) | st.integers().map(str)),
    st.binary(max_size=200),
    st.sampled_from(["application/json", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"]),
)
def test_nothing_that_anyone_sends_is_answered_with_500(
    path: str, form: dict[str, str], body: bytes, kind: str
) -> None:
    replies = [
        FUZZED.post(path, data={key: value.encode("utf-8", "ignore") for key, value in form.items()}),
        FUZZED.post(path, content=body, headers={"Content-Type": kind}),
    ]
    assert all(reply.status_code < 500 for reply in replies)
