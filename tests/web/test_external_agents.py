"""Agents from outside on the page: only those that the page was started with, and never by path or command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from bot.agents.external import child as child_module
from bot.web.agents import MAX_KEPT, AgentPool
from bot.web.app import create_app
from tests.agents.external.programs import classes, program


@pytest.fixture
def names(tmp_path: Path) -> Iterator[list[str]]:
    file = classes(tmp_path)
    yield [
        f"{file}:Column,column=5",
        f"{file}:Column,column=6",
        program(tmp_path),
        f"{file}:Raises",
        "tommy-ab:2@nodes=9",
    ]
    child_module.end_programs()


def client_of(tmp_path: Path, names: list[str]) -> TestClient:
    app = create_app(tmp_path, pool=AgentPool(names))
    return TestClient(app, base_url="http://127.0.0.1:8044", raise_server_exceptions=False)


def test_the_page_offers_what_it_was_started_with(tmp_path: Path, names: list[str]) -> None:
    client = client_of(tmp_path, names)
    listed = [agent["name"] for agent in client.get("/api/agents").json()]
    assert listed[0] == "perfect" and listed[-5:] == ["Column", "Column-2", "tiny", "Raises", "tommy-ab-2-nodes-9"]
    moves = [client.post("/api/move", json={"moves": "44", "agent": name, "time_s": 60}).json() for name in listed[-5:]]
    assert [move.get("column") for move in moves[:3]] == [5, 6, 0]
    assert moves[4]["column"] in range(7)


COUNTS = """
class Counts:
    def __init__(self):
        self.calls = 0

    def choose(self, board, limit):
        self.calls += 1
        return self.calls
"""


@pytest.fixture
def counts(tmp_path: Path) -> Iterator[TestClient]:
    """A client of a page with an agent that plays the number of its object's calls as its column."""
    (tmp_path / "counts.py").write_text(COUNTS)
    yield client_of(tmp_path, [f"{tmp_path}/counts.py:Counts"])
    child_module.end_programs()


def calls(client: TestClient, **fields: str) -> int:
    """Return how often the object that answers a request has been asked."""
    answer = client.post("/api/move", json={"moves": "", "agent": "Counts", "time_s": 60, **fields})
    assert answer.status_code == 200, answer.text
    return int(answer.json()["column"])


def test_each_game_and_seat_has_an_object_of_its_own(counts: TestClient) -> None:
    first = [calls(counts, game="a/yellow") for _ in range(2)]
    other = [calls(counts, game="a/red"), calls(counts, game="b/yellow")]
    assert (first, other) == ([1, 2], [1, 1]), "two seats of a game, and a game in another tab"
    assert calls(counts, game="a/yellow") == 3, "the first one is still there"
    assert [calls(counts) for _ in range(2)] == [1, 1], "without a game nothing is kept"


def test_the_object_unused_for_longest_makes_room_and_its_program_goes_to_the_next_game(counts: TestClient) -> None:
    child_module.end_programs()
    games = [str(number) for number in range(MAX_KEPT + 3)]
    assert [calls(counts, game=game) for game in games] == [1] * len(games)
    assert len(child_module._children) == MAX_KEPT + 1, "programs do not accumulate"
    assert [calls(counts, game=game) for game in (games[-1], games[3], games[0])] == [2, 2, 1]


def test_a_failing_agent_is_an_error_of_its_request(tmp_path: Path, names: list[str]) -> None:
    client = client_of(tmp_path, names)
    body = {"moves": "44", "agent": "Raises", "time_s": 60, "game": "one"}
    answers = [client.post("/api/move", json=body) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 400, 200]
    assert "no idea" in answers[2].json()["error"]


def test_no_request_names_a_file_or_a_command(tmp_path: Path, names: list[str]) -> None:
    """A module that leaves a mark when it is loaded; every field of a request that could carry its name is tried."""
    mark = tmp_path / "loaded"
    evil = tmp_path / "e.py"
    evil.write_text(f"open({str(mark)!r}, 'w').close()\nclass E:\n  def choose(self, b, l): return 0\n")
    for client in (client_of(tmp_path, []), client_of(tmp_path, names)):
        for name in (f"{evil}:E", f"command:touch {mark}", "Column,column=1", "../e.py:E", *names[:4]):
            fields = ({"agent": name}, {"agent": "vds", "options": name}, {"agent": "halim", "options": f"ties={name}"})
            for field in fields:
                answer = client.post("/api/move", json={"moves": "", "depth": 1, **field})
                assert answer.status_code in (400, 422), field
    assert not mark.exists()


def test_a_short_path_is_no_agent_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that fits into the field, of a file in the working directory."""
    (tmp_path / "e.py").write_text("class E:\n  def choose(self, b, l): return 0\n")
    monkeypatch.chdir(tmp_path)
    client = client_of(tmp_path, [])
    for body in ({"agent": "e.py:E"}, {"agent": "command:true"}, {"agent": "random", "options": "e.py:E"}):
        assert client.post("/api/move", json=body).status_code == 400
