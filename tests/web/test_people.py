"""The routes for people who learn, without a browser."""

from __future__ import annotations

import datetime
import http.client
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

from bot.course.server.embedded import serving
from bot.web.app import create_app
from bot.web.jobs import Jobs


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return TestClient(create_app(tmp_path), base_url="http://127.0.0.1:8044", raise_server_exceptions=False)


def test_every_level_moves(client: TestClient) -> None:
    answer = client.get("/api/levels").json()
    assert answer["default"] in [level["number"] for level in answer["levels"]]
    for level in answer["levels"]:
        assert level["name"] and level["about"]
        body = {"moves": "444443333161", "agent": "level", "depth": level["number"], "random": True}
        assert 0 <= client.post("/api/move", json=body).json()["column"] <= 6


def test_the_coach_names_threats_and_the_last_mistake(client: TestClient) -> None:
    answer = client.post("/api/coach", json={"moves": "414147", "time_s": 60}).json()
    (threat,) = answer["position"]["threats"]
    assert (threat["cell"], threat["player"], threat["kind"]) == (21, 1, "playable")
    last = answer["last"]
    assert (last["ply"], last["column"]) == (5, 6)
    assert last["reasons"][0]["kind"] == "four left open"
    assert last["reasons"][0]["line"] == [6, 3]
    seen = last["insight"]
    assert (seen["kind"], seen["missed"], seen["line"], seen["better"]) == ("missed block", False, [6, 3], [3])


def test_the_coach_speaks_of_the_empty_board_and_of_a_finished_game(client: TestClient) -> None:
    empty = client.post("/api/coach", json={}).json()
    assert empty["last"] is None and empty["position"]["threats"] == []
    over = client.post("/api/coach", json={"moves": "4141414"}).json()
    assert over["position"] is None and over["last"]["verdict"] == "best"


def test_bad_moves_are_refused(client: TestClient) -> None:
    for moves in ("8", "4444444", "41414141"):
        assert client.post("/api/coach", json={"moves": moves}).status_code == 400
    assert client.post("/api/coach", json={"moves": "4", "more": 1}).status_code == 422


def test_puzzles_of_a_seed_and_of_a_day(client: TestClient) -> None:
    answer = client.get("/api/puzzles", params={"seed": 5, "count": 2, "kind": ["win", "draw"]}).json()
    assert len(answer) == 2
    assert {puzzle["kind"] for puzzle in answer} <= {"win", "draw"}
    assert answer == client.get("/api/puzzles", params={"seed": 5, "count": 2, "kind": ["win", "draw"]}).json()
    today = datetime.date.today().isoformat()
    daily = client.get("/api/puzzles/daily", params={"day": today}).json()
    assert [puzzle["grade"] for puzzle in daily] == sorted(puzzle["grade"] for puzzle in daily)
    assert len(daily) == 5 and daily == client.get("/api/puzzles/daily", params={"day": today}).json()


@pytest.mark.parametrize("wrong", [{"count": 0}, {"count": 1000}, {"kind": "mate"}, {"grade": 6}, {"seed": -1}])
def test_wrong_requests_for_puzzles_are_refused(client: TestClient, wrong: dict[str, str]) -> None:
    answer = client.get("/api/puzzles", params=wrong)
    assert answer.status_code == 422 and answer.json()["error"].endswith(".")
    assert client.get("/api/puzzles/daily", params={"day": "tomorrow"}).status_code == 422


@pytest.mark.parametrize("distance", [-100_000, -367, 2, 1_000_000])
def test_days_far_from_today_are_refused(client: TestClient, distance: int, monkeypatch: pytest.MonkeyPatch) -> None:
    today = datetime.date.today()

    class Today(datetime.date):
        """The date of this moment, also if midnight comes during the test."""

        @classmethod
        def today(cls) -> Today:
            return cls(today.year, today.month, today.day)

    monkeypatch.setattr(datetime, "date", Today)
    day = today + datetime.timedelta(days=distance)
    answer = client.get("/api/puzzles/daily", params={"day": day.isoformat()})
    assert answer.status_code == 422
    assert "choose a day from 2" in answer.json()["error"] and answer.json()["error"].endswith(".")
    assert client.get("/api/puzzles/daily", params={"day": "0001-01-01"}).status_code == 422


def test_tomorrows_puzzles_are_made_for_other_time_zones(client: TestClient) -> None:
    tomorrow = datetime.date.today() + datetime.timedelta(days=1)
    assert len(client.get("/api/puzzles/daily", params={"day": tomorrow.isoformat()}).json()) == 5


def test_a_long_search_for_puzzles_lets_others_through_and_ends_with_its_reader(tmp_path: Path) -> None:
    explore = ("POST", "/api/explore", b'{"moves": "44"}', {"content-type": "application/json"})
    with serving(create_app(tmp_path, Jobs(max_jobs=1, max_wait_s=0.2))) as url:
        reader, other = (http.client.HTTPConnection(urlsplit(url).netloc, timeout=60) for _ in range(2))

        def status(*request: Any) -> int:
            other.request(*request)
            answer = other.getresponse()
            answer.read()
            return answer.status

        reader.request("GET", "/api/puzzles?count=20&kind=trap&grade=5")  # rare: far longer than this test
        while status(*explore) != 503:  # until the search for puzzles has the only place
            pass
        assert status("GET", "/api/levels") == 200, "other requests are answered meanwhile"
        reader.close()
        while status(*explore) != 200:  # until the search has ended, and its place is free again
            pass
        other.close()
