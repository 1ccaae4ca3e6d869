"""The protocol's replies, compared byte by byte with what is known of the course server."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.course.server.app import create_app
from bot.course.server.referee import Dialect, Referee, Starter
from bot.course.server.store import Store
from bot.engine.simple import Scripted

KEY = "nyckel"
EMPTY_ROWS = "[0,0,0,0,0,0,0]," * 5


def client(
    script: str = "1111112222223333334444445555556666667777777",
    starter: Starter = "student",
    dialect: Dialect = "current",
    db: Path | None = None,
) -> TestClient:
    store = Store(db)
    referee = Referee(store, Scripted(script), dialect=dialect, starter=starter, seed=1)
    return TestClient(create_app(referee, dialect=dialect, api_key=KEY), base_url="http://127.0.0.1:8000")


@pytest.fixture
def post() -> Callable[..., bytes]:
    course = client()

    def send(endpoint: str, **fields: object) -> bytes:
        return course.post(f"/{endpoint}", data={"stil_id": "ab12", "api_key": KEY, **fields}).content

    return send


def test_an_opening_where_the_student_starts(post: Callable[..., bytes]) -> None:
    assert post("move", move=-1) == (
        b'{"msg":"New game initiated, you start. Make your move","status":true,"result":0.0,"botmove":-1,"state":['
        + EMPTY_ROWS.encode()
        + b"[0,0,0,0,0,0,0]]}"
    )


def test_an_opening_where_the_bot_starts() -> None:
    reply = client(starter="bot").post("/move", data={"stil_id": "a", "move": -1, "api_key": KEY}).json()
    assert (reply["botmove"], reply["state"][5], reply["result"]) == (0, [-1, 0, 0, 0, 0, 0, 0], 0.0)


def test_an_opening_of_january_2021() -> None:
    course = client(dialect="jan21", starter="bot")
    form = {"stil_id": "a", "move": -1, "api_key": KEY}
    assert course.post("/move", data=form).content == (
        b'{"msg":"New game initiated, you start. Make your move",'
        b'"status":true,"result":null,"botmove":null,"state":null}'
    )
    assert course.post("/stats", data={"stil_id": "a", "api_key": KEY}).status_code == 404


def test_an_ordinary_move(post: Callable[..., bytes]) -> None:
    post("move", move=-1)
    assert post("move", move=3) == (
        b'{"msg":null,"status":true,"result":0.0,"botmove":0,"state":[' + EMPTY_ROWS.encode() + b"[-1,0,0,1,0,0,0]]}"
    )


def test_a_move_without_a_game_starts_one_silently(post: Callable[..., bytes]) -> None:
    reply = json.loads(post("move", move=3))
    assert (reply["status"], reply["state"][5]) == (True, [-1, 0, 0, 1, 0, 0, 0])


def test_the_students_win_ends_with_botmove_minus_one(post: Callable[..., bytes]) -> None:
    for _ in range(3):
        post("move", move=6)
    reply = json.loads(post("move", move=6))
    assert (reply["msg"], reply["status"], reply["result"], reply["botmove"]) == (
        "The game has ended.", True, 1.0, -1,
    )  # fmt: skip
    assert [row[6] for row in reply["state"]] == [0, 0, 1, 1, 1, 1]


def test_the_bots_win_names_its_column(post: Callable[..., bytes]) -> None:
    for column in (2, 3, 2):
        post("move", move=column)
    reply = json.loads(post("move", move=3))
    assert (reply["result"], reply["botmove"]) == (-1.0, 0)
    assert json.loads(post("stats"))["lost"] == 1


def test_an_illegal_move_loses_the_game_and_scores_minus_ten(post: Callable[..., bytes]) -> None:
    for _ in range(3):
        post("move", move=0)  # the scripted bot plays there too
    assert post("move", move=0) == (
        b'{"msg":"Impossible move.","status":false,"result":null,"botmove":null,"state":null}'
    )
    assert post("stats") == (
        b'{"msg":null,"status":null,"stil_id":"ab12","played":1,"won":0,"lost":1,'
        b'"streak":0,"streak_max":0,"total_reward":-10.0}'
    )


def test_a_running_game_that_meets_minus_one_is_lost(post: Callable[..., bytes]) -> None:
    for _ in range(4):
        post("move", move=6)
    post("move", move=-1)
    post("move", move=3)
    post("move", move=-1)
    stats = json.loads(post("stats"))
    assert (stats["played"], stats["won"], stats["lost"], stats["streak"], stats["streak_max"]) == (2, 1, 1, 0, 1)


def test_the_wrong_key_is_status_false_with_http_200(post: Callable[..., bytes]) -> None:
    assert post("move", move=3, api_key="x") == (
        b'{"msg":"Incorrect API key.","status":false,"result":null,"botmove":null,"state":null}'
    )
    assert json.loads(post("stats", api_key="x"))["status"] is False


@pytest.mark.parametrize(
    ("field", "form"),
    [
        ("move", {"stil_id": "a", "move": 9, "api_key": KEY}),
        ("move", {"stil_id": "a", "move": -2, "api_key": KEY}),
        ("move", {"stil_id": "a", "move": "x", "api_key": KEY}),
        ("move", {"stil_id": "a", "api_key": KEY}),
        ("stil_id", {"stil_id": "a b", "move": 1, "api_key": KEY}),
        ("stil_id", {"stil_id": "a" * 51, "move": 1, "api_key": KEY}),
        ("stil_id", {"move": 1, "api_key": KEY}),
        ("api_key", {"stil_id": "a", "move": 1}),
    ],
)
def test_a_bad_form_is_422_with_the_place_of_the_complaint(field: str, form: dict[str, object]) -> None:
    reply = client().post("/move", data=form)
    assert reply.status_code == 422
    detail = reply.json()["detail"]
    assert list(detail[0]) == ["loc", "msg", "type"]
    assert detail[0]["loc"][:2] == ["body", field]


def test_ids_are_sorted_into_one_player() -> None:
    course = client()
    course.post("/move", data={"stil_id": ["b", "a"], "move": 3, "api_key": KEY})
    stats = course.post("/stats", data={"stil_id": ["a", "b"], "api_key": KEY}).json()
    assert stats["stil_id"] == "a+b"


def test_a_restart_with_the_same_database_loses_nothing(tmp_path: Path) -> None:
    form = {"stil_id": "a", "api_key": KEY}
    client(db=tmp_path / "db").post("/move", data={**form, "move": 3})
    reply = client(db=tmp_path / "db").post("/move", data={**form, "move": 3}).json()
    assert [row[3] for row in reply["state"]][4:] == [1, 1]


def test_several_players_at_once_do_not_meet() -> None:
    course = client(script="1212121212")

    def game(player: str) -> list[list[int]]:
        form = {"stil_id": player, "api_key": KEY}
        replies = [course.post("/move", data={**form, "move": column}).json() for column in (-1, 3, 4, 5)]
        return replies[-1]["state"]

    with ThreadPoolExecutor(8) as pool:
        boards = list(pool.map(game, [f"player{number}" for number in range(16)]))
    assert all(board == boards[0] for board in boards)


FORM = {"stil_id": "ab12", "move": 3, "api_key": KEY}


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://127.0.0.1.evil.example:8000"},
        {"origin": "null"},  # of a file, or of a sandboxed frame
        {"host": "evil.example:8000"},  # a name that its owner lets resolve to 127.0.0.1
        {"host": "evil.example@127.0.0.1"},
        {"host": "10.1.2.3:8000"},
    ],
)
def test_a_foreign_web_page_can_neither_play_nor_give_up_a_game(headers: dict[str, str]) -> None:
    course = client()
    course.post("/move", data=FORM)
    for column in (-1, 3):
        reply = course.post("/move", data={**FORM, "move": column}, headers=headers)
        assert reply.status_code == 403 and "another host" in reply.json()["detail"]
    assert course.post("/stats", data=FORM, headers=headers).status_code == 403
    board = course.post("/move", data=FORM).json()["state"]
    assert [abs(row[3]) for row in board] == [0, 0, 0, 0, 1, 1], "the two moves of this game, and nothing else"
    assert course.post("/stats", data=FORM).json()["played"] == 0


@pytest.mark.parametrize(
    "host", ["127.0.0.1:1", "localhost:8000", "LOCALHOST.", "127.0.0.2", "[::1]:8000", "a.localhost"]
)
def test_programs_play_under_every_loopback_name(host: str) -> None:
    assert client().post("/move", data=FORM, headers={"host": host}).json()["status"] is True


def test_a_page_of_this_machine_may_ask() -> None:
    reply = client().post("/move", data=FORM, headers={"origin": "http://localhost:3000"})
    assert reply.json()["status"] is True


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/openapi.json"])
def test_there_are_no_pages_about_the_interface(path: str) -> None:
    assert client().get(path).status_code == 404


COURSE = client()


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["/move", "/stats", "/"]),
    st.dictionaries(
        st.sampled_from(["stil_id", "move", "api_key", "x"]), st.text(max_size=60) | st.integers().map(str)
    ),
    st.binary(max_size=200),
    st.sampled_from([None, "application/json", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"]),
)
def test_nothing_that_anyone_sends_is_answered_with_500(
    path: str, form: dict[str, str], body: bytes, kind: str | None
) -> None:
    replies = [COURSE.post(path, data={key: value.encode("utf-8", "ignore") for key, value in form.items()})]
    if kind is not None:
        replies.append(COURSE.post(path, content=body, headers={"Content-Type": kind}))
    assert all(reply.status_code < 500 for reply in replies)
