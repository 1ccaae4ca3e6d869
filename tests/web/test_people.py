"""The routes for people who learn, without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from bot.web.app import create_app


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return TestClient(create_app(tmp_path), base_url="http://127.0.0.1:8044", raise_server_exceptions=False)


def test_every_level_moves(client: TestClient) -> None:
    answer = client.get("/api/levels").json()
    assert answer["default"] in [level["number"] for level in answer["levels"]]
    for level in answer["levels"]:
        assert level["name"] and level["about"]
        agent, _, depth = level["agent"].partition(":")
        body = {"moves": "444443333161", "agent": agent, "depth": int(depth), "random": True}
        assert 0 <= client.post("/api/move", json=body).json()["column"] <= 6


def test_a_hint_gives_the_best_columns(client: TestClient) -> None:
    answer = client.post("/api/hint", json={"moves": "414141"}).json()
    assert answer["best"] == [3] and answer["text"] == "win in 1" and answer["line"] == [3]
    assert answer["position"]["forced"] == [3]
    assert "error" in client.post("/api/hint", json={"moves": "4141414"}).json()


def test_the_coach_names_threats_and_the_last_mistake(client: TestClient) -> None:
    answer = client.post("/api/coach", json={"moves": "414147"}).json()
    (threat,) = answer["position"]["threats"]
    assert (threat["name"], threat["player"], threat["kind"], threat["odd"]) == ("d4", 1, "playable", False)
    assert answer["position"]["facts"][:2] == ["X to move.", "Threats of X: d4 (playable)."]
    last = answer["last"]
    assert (last["ply"], last["column"]) == (5, 6)
    assert last["reasons"][0]["kind"] == "four left open"
    assert last["reasons"][0]["line"] == [6, 3]


def test_the_coach_speaks_of_the_empty_board_and_of_a_finished_game(client: TestClient) -> None:
    empty = client.post("/api/coach", json={}).json()
    assert empty["last"] is None and empty["position"]["threats"] == []
    over = client.post("/api/coach", json={"moves": "4141414"}).json()
    assert over["position"] is None and over["last"]["verdict"] == "best"


def test_all_lessons_of_a_game(client: TestClient) -> None:
    answer = client.post("/api/lessons", json={"moves": "4141474", "time_s": 20}).json()
    assert [lesson["ply"] for lesson in answer["lessons"]][-1] == 5
    assert all(lesson["verdict"] != "best" for lesson in answer["lessons"])


@pytest.mark.parametrize("route", ["hint", "coach", "lessons"])
def test_bad_moves_are_refused(client: TestClient, route: str) -> None:
    for moves in ("8", "4444444", "41414141"):
        assert client.post(f"/api/{route}", json={"moves": moves}).status_code == 400
    assert client.post(f"/api/{route}", json={"moves": "4", "more": 1}).status_code == 422


def test_puzzles_of_a_seed_and_of_a_day(client: TestClient) -> None:
    answer = client.get("/api/puzzles", params={"seed": 5, "count": 2, "kind": ["win", "draw"]}).json()
    assert len(answer) == 2
    assert {puzzle["kind"] for puzzle in answer} <= {"win", "draw"}
    assert answer == client.get("/api/puzzles", params={"seed": 5, "count": 2, "kind": ["win", "draw"]}).json()
    daily = client.get("/api/puzzles/daily", params={"day": "2026-11-22"}).json()
    assert [puzzle["grade"] for puzzle in daily] == sorted(puzzle["grade"] for puzzle in daily)
    assert daily == client.get("/api/puzzles/daily", params={"day": "2026-11-22"}).json()


@pytest.mark.parametrize("wrong", [{"count": 0}, {"count": 1000}, {"kind": "mate"}, {"grade": 6}, {"seed": -1}])
def test_wrong_requests_for_puzzles_are_refused(client: TestClient, wrong: dict[str, str]) -> None:
    answer = client.get("/api/puzzles", params=wrong)
    assert answer.status_code == 422 and answer.json()["error"].endswith(".")
    assert client.get("/api/puzzles/daily", params={"day": "tomorrow"}).status_code == 422
