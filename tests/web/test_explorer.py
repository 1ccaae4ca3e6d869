"""The explorer: values of all replies, mirror images as one, and where the journals' games went."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from bot.game import Board, parse_moves
from bot.web.app import create_app
from bot.web.explorer import GameIndex
from bot.web.runs import Runs
from tests.web.test_runs import open_run, play

WIN = "4343434"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    games = ((WIN, 1.0, True), ("4545454", -1.0, False), ("34", 0.5, True), ("44", 0.0, True))
    for moves, result, we_started in games:
        journal = open_run(tmp_path)
        play(journal, 1, moves, we_started=we_started)
        journal.game_end(1, result, moves=moves, we_started=we_started, known_by="reply")
        journal.close()
    (tmp_path / "zz-bad.jsonl").write_text("garbage\n")
    return tmp_path


def test_games_are_counted_by_position_whatever_their_mirror_image(folder: Path) -> None:
    index = GameIndex(Runs(folder))
    after = index.visits(Board.from_moves(parse_moves("434")))
    assert (after.won, after.drawn, after.lost) == (1, 0, 1), "4343434 and its mirror image 4545454"
    assert index.visits(Board.from_moves(parse_moves("454"))).as_json() == after.as_json()
    assert index.visits(Board.from_moves(parse_moves("3"))).drawn == 1
    assert index.visits(Board.from_moves(parse_moves("44"))).as_json() == {"won": 0, "drawn": 0, "lost": 0}, "void"
    assert {game["result"] for game in after.listed} == {1.0, -1.0}
    journal = open_run(folder)
    play(journal, 1, WIN, we_started=True)
    journal.game_end(1, 1.0, moves=WIN, we_started=True, known_by="reply")
    journal.close()
    assert index.visits(Board.from_moves(parse_moves("434"))).won == 2, "a new journal counts at once"


def test_every_reply_has_its_value_and_its_distance(folder: Path) -> None:
    client = TestClient(create_app(folder), base_url="http://localhost", raise_server_exceptions=False)
    answer = client.post("/api/explore", json={"moves": ""}).json()
    assert [reply["exact"] for reply in answer["replies"]] == [-2, -1, 0, 1, 0, -1, -2]
    assert answer["replies"][3] == {
        "lower": 1,
        "upper": 1,
        "exact": 1,
        "text": "win in 21",
        "plies": 41,
        "best": True,
        "games": {"won": 1, "drawn": 0, "lost": 1},
    }
    assert answer["book"]["holds"] is True and answer["book"]["positions"] > 100_000
    late = client.post("/api/explore", json={"moves": "444444333316"}).json()
    assert late["replies"][3] is None and late["book"]["holds"] is False
    assert late["games"] == {"won": 0, "drawn": 0, "lost": 0, "listed": []}
    over = client.post("/api/explore", json={"moves": WIN}).json()
    assert over["replies"] == [None] * 7
    assert client.post("/api/explore", json={"moves": "9"}).status_code == 400
