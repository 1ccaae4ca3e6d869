"""The page's agents: every one moves and can be stopped, and those from outside are never named by path or command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from fastapi.testclient import TestClient

from bot.agents.catalogue import families, family_called, make_agent
from bot.agents.external import child as child_module
from bot.engine.agent import Limit
from bot.errors import GameOverError
from bot.web.agents import MAX_KEPT, AgentPool, full_name
from bot.web.bodies import MoveRequest
from tests.agents.external.programs import classes, program
from tests.web.test_runs import client_of

LATE = "444443333161"


def asked(agent: str = "perfect", **fields: Any) -> MoveRequest:
    """Return the page's request to an agent."""
    return MoveRequest(agent=agent, **fields)


def test_every_agent_on_the_list_can_be_made():
    for known in families():
        if known.moves_everywhere:
            for depth in {known.depth, known.depth and known.deepest}:
                request = asked(known.name, depth=depth, random=known.may_randomise)
                make_agent(full_name(known, request), seed=0).close()


NAMES = {
    "halim:6,think=1.5,ties=random": asked("halim", depth=6, time_s=1.5, random=True),
    "halim:4,think=9,discs=2,ties=lowest": asked("halim", options="think=9,discs=2"),
    "vds:9,think=2": asked("vds"),
    "depth5": asked("depth", depth=5),
    "perfect": asked("perfect", depth=5),
}


def test_full_names_carry_depth_time_and_randomness_to_the_papers():
    assert [full_name(family_called(request.agent), request) for request in NAMES.values()] == list(NAMES)


def test_only_chance_moves_otherwise_in_the_same_position_and_nothing_moves_after_the_end():
    pool = AgentPool()
    for request in (asked(moves=LATE), asked("random", moves=LATE)):
        assert len({pool.choose(request).column for _ in range(3)}) == 1
    assert len({pool.choose(asked("random", random=True)).column for _ in range(40)}) > 1
    with pytest.raises(GameOverError):
        pool.choose(asked(moves="4343434"))


def test_a_search_aims_at_less_than_the_time_that_is_set_which_no_move_exceeds(monkeypatch):
    agent = Mock()
    monkeypatch.setattr("bot.web.agents.prepared", lambda *_: agent)
    AgentPool().choose(asked(time_s=2.0, depth=3))
    assert agent.choose.call_args.args[1] == Limit(hard_s=2.0, think_s=1.8, depth=3)


COUNTS = """
class Counts:
    calls = 0

    def choose(self, board, limit):
        self.calls += 1
        return self.calls
"""


@pytest.fixture
def names(tmp_path: Path) -> Iterator[list[str]]:
    """Agents from outside; one plays the number of its object's calls as its column."""
    file, counts = classes(tmp_path), tmp_path / "counts.py"
    counts.write_text(COUNTS)
    columns = [f"{file}:Column,column={column}" for column in (5, 6)]
    yield [*columns, program(tmp_path), f"{file}:Raises", "tommy-ab:2@nodes=9", f"{counts}:Counts"]
    child_module.end_programs()


@pytest.fixture
def client(tmp_path: Path, names: list[str]) -> TestClient:
    return client_of(tmp_path, AgentPool(names))


def column(client: TestClient, agent: str, **fields: str) -> int:
    """Return an agent's column; for Counts, how often the object that answers has been asked."""
    answer = client.post("/api/move", json={"moves": "", "agent": agent, "time_s": 60, **fields})
    assert answer.status_code == 200, answer.text
    return int(answer.json()["column"])


def test_the_page_offers_what_it_was_started_with(client):
    agents = client.get("/api/agents").json()
    listed = [agent["name"] for agent in agents]
    own = ["Column", "Column-2", "tiny", "Raises", "tommy-ab-2-nodes-9", "Counts"]
    assert listed[:2] == [own[0], "perfect"] and listed[-5:] == own[1:]
    assert agents[0]["title"].endswith(".py:Column,column=5") and "/" not in agents[0]["title"]
    assert [agent["name"] for agent in agents if agent["own"]] == own[:1]
    assert [column(client, name) for name in own[:3]] == [5, 6, 0]
    assert column(client, own[4]) in range(7)


def test_each_game_and_seat_has_an_object_of_its_own(client):
    first = [column(client, "Counts", game="a/yellow") for _ in range(2)]
    other = [column(client, "Counts", game=game) for game in ("a/red", "b/yellow")]
    assert (first, other) == ([1, 2], [1, 1]), "two seats of a game, and a game in another tab"
    assert column(client, "Counts", game="a/yellow") == 3, "the first one is still there"
    kept = len(child_module._children)
    assert [column(client, "Counts") for _ in range(2)] == [1, 1], "without a game nothing is kept"
    assert len(child_module._children) < kept + 2, "the next one may be ready"


def test_the_object_unused_for_longest_makes_room(client):
    games = [str(number) for number in range(MAX_KEPT + 3)]
    assert {column(client, "Counts", game=game) for game in games} == {1}
    assert len(child_module._children) == MAX_KEPT + 1, "programs do not accumulate"
    assert [column(client, "Counts", game=game) for game in (games[-1], games[3], games[0])] == [2, 2, 1]


def test_a_failing_agent_is_an_error_of_its_request(client):
    body = {"moves": "44", "agent": "Raises", "time_s": 60, "game": "one"}
    answers = [client.post("/api/move", json=body) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 400, 200]
    assert "no idea" in answers[2].json()["error"]


def test_no_request_names_a_file_or_a_command(client, names, tmp_path, monkeypatch):
    """A module that leaves a mark when it is loaded; every field of a request that could carry its name is tried."""
    mark = tmp_path / "loaded"
    (tmp_path / "e.py").write_text(f"open({str(mark)!r}, 'w').close()\nclass E:\n  def choose(self, b, l): return 0\n")
    monkeypatch.chdir(tmp_path)
    for name in ("e.py:E", f"{tmp_path}/e.py:E", f"command:touch {mark}", "Column,column=1", *names[:4]):
        for field in (
            {"agent": name},
            {"agent": "vds", "options": name},
            {"agent": "Column", "options": name},
            {"agent": "halim", "options": f"ties={name}"},
        ):
            answer = client.post("/api/move", json={"moves": "", "depth": 1, **field})
            assert answer.status_code in (400, 422), field
    assert not mark.exists()
