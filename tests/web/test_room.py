"""Spectators: who is one, what they may do, what they see, and one reader for all of them."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from bot.course.session.events import Started
from bot.web.app import create_app
from bot.web.broadcast import Broadcast, as_text
from bot.web.room import Room, new_token, public_agent, public_name, public_server, reachable_address
from bot.web.runs import Runs
from tests.course.journal.build import Hand
from tests.web.test_runs import WIN, open_run, play

STUDENT = "ab1234cd-s"
OWNER = "http://127.0.0.1:8044"
SPECTATOR = "http://192.168.7.5:8045"
ROOM = Room(("127.0.0.1", 8044), SPECTATOR)


def client_at(folder: Path, base: str, **cookies: str) -> TestClient:
    app = create_app(folder, room=ROOM)
    return TestClient(app, base_url=base, cookies=cookies, raise_server_exceptions=False, follow_redirects=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    journal = open_run(tmp_path, stil_ids=(STUDENT,))
    play(journal, 1, WIN, we_started=True)
    journal.note(1, f"the server calls us {STUDENT}")
    journal.game_end(1, 1.0, moves=WIN, we_started=True, known_by="reply")
    journal.close()
    journal.path.rename(tmp_path / f"000007-20261122T101112Z-{STUDENT}.jsonl")
    return tmp_path


def test_the_owner_has_the_link_and_everything_else(folder: Path) -> None:
    client = client_at(folder, OWNER)
    room = client.get("/api/room").json()
    assert room == {"spectator": False, "link": ROOM.link, "watching": 0}
    (run,) = client.get("/api/runs").json()
    assert run["player"] == STUDENT
    assert client.post("/api/move", json={"moves": "", "agent": "random"}).status_code == 200


def test_without_the_token_nothing_is_shown(folder: Path) -> None:
    for client in (client_at(folder, SPECTATOR), client_at(folder, SPECTATOR, room=new_token())):
        for path in ("/", "/static/app.js", "/api/room", "/api/runs", "/api/live", "/?room=guess", "/?room="):
            answer = client.get(path)
            assert answer.status_code == 403 and "link" in answer.json()["error"], path


def test_a_person_without_the_token_reads_a_sentence_and_no_json(folder: Path) -> None:
    html = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for path in ("/", f"/?room={new_token()}", "/api/runs"):
        answer = client_at(folder, SPECTATOR).get(path, headers=html)
        assert (answer.status_code, answer.headers["content-type"]) == (403, "text/html; charset=utf-8")
        assert "<p>This link is not valid" in answer.text and "Ask for the link that is valid now." in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert not re.search("<style|<script|style=|src=|href=", answer.text), "the policy would block it"
    other = client_at(folder, "http://evil.example").get("/", headers=html)
    assert "{" not in other.text and "Ask for the link" in other.text


def test_the_link_admits_to_reading_and_to_nothing_else(folder: Path) -> None:
    client = client_at(folder, SPECTATOR)
    entered = client.get(f"/?room={ROOM.token}")
    assert (entered.status_code, entered.headers["location"]) == (303, "/#view=watch")
    assert re.search("HttpOnly.*SameSite=lax", entered.headers["set-cookie"])
    for path in ("/", "/static/app.js", "/api/runs"):
        assert client.get(path).status_code == 200, path
    room = client.get("/api/room").json()
    assert room == {"spectator": True, "link": None, "watching": 0}
    assert client.get("/static/vendor/no-such-file.js").status_code == 404, "allowed, but not there"
    body = {"moves": "", "agent": "random"}
    refused = [client.post(f"/api/{path}", json=body) for path in ("move", "analysis", "review", "page", "journal")]
    refused += [client.get("/api/agents"), client.delete("/api/runs"), client.get("/openapi.json")]
    assert [answer.status_code for answer in refused] == [403] * len(refused)


def test_spectators_see_the_runs_without_ids(folder: Path) -> None:
    client = client_at(folder, SPECTATOR, room=ROOM.token)
    (run,) = client.get("/api/runs").json()
    assert run["name"] == "000007-20261122T101112Z" and run["won"] == 1
    whole = client.get(f"/api/runs/{run['name']}")
    assert whole.status_code == 200 and whole.json()["all"][0]["moves"] == WIN
    assert STUDENT not in whole.text and STUDENT not in client.get("/api/runs").text
    (secret,) = (path.name for path in folder.glob("*.jsonl"))
    assert client.get(f"/api/runs/{secret}").status_code == 400, "not even by a name that someone knows"
    (folder / f"{STUDENT}.jsonl").write_text("no journal\n")
    assert STUDENT not in client.get("/api/runs").text
    damaged = client.get(f"/api/runs/{public_name(f'{STUDENT}.jsonl')}")
    assert damaged.status_code == 400 and "cannot be shown" in damaged.text and STUDENT not in damaged.text


def test_names_of_other_journals_are_hidden_too() -> None:
    assert public_name("000012-20261122T101112Z-ab+cd.jsonl") == "000012-20261122T101112Z"
    assert re.fullmatch("run-[0-9a-f]{10}", public_name("ab1234cd.jsonl"))
    game = {"notes": [STUDENT], "problems": [STUDENT]}
    run: dict[str, Any] = {"name": f"{STUDENT}.jsonl", "player": STUDENT, "changed": [game]}
    run |= {"engine": f"/home/{STUDENT}/a.py:A", "server": f"https://{STUDENT}@example.org"}
    events = [("run", run), ("fault", {"error": STUDENT}), ("waiting", {})]
    assert as_text(events, spectator=False).count(STUDENT) == 7
    public = as_text(events, spectator=True)
    assert public.count("event: ") == 2 and STUDENT not in public


OWN = ["perfect", "mtdf", "mtdf:8", "uct:1000", "depth3", "kang-h1:4", "level:3", "proof", "tommy-ab:2"]
NASTY = [
    f"/home/{STUDENT}/mine.py:Searcher",
    f"../{STUDENT}.py:{STUDENT},depth=3",
    f"mine.py:Searcher,token={STUDENT}@time=1",
    f"command:/home/{STUDENT}/engine --user {STUDENT}",
    f"command:ssh {STUDENT}@host engine",
    f"command:{STUDENT}",
    f"C:\\Users\\{STUDENT}\\mine.py:Searcher",
    f"https://{STUDENT}:secret@host/engine",
    f"{STUDENT}",
    f"{STUDENT}@nodes=5",
    f"mtdf:/home/{STUDENT}",
    f"mtdf:8/{STUDENT}",
    f"perfect {STUDENT}",
    "",
]


@pytest.mark.parametrize("name", OWN)
def test_spectators_see_the_names_of_the_packages_own_agents(name: str) -> None:
    assert public_agent(name) == name
    assert public_agent(f"{name}@nodes=9") == name


@pytest.mark.parametrize("name", NASTY)
def test_spectators_see_no_file_command_or_login_of_an_agent_from_outside(name: str, folder: Path) -> None:
    assert public_agent(name) == "an agent from outside"
    assert public_agent(f"halim:6,think={name},ties=random") == "halim:6", "nor what stands among the options"
    journal = Hand(folder, Started(0.0, 2, server="embedded", url="", stil_ids=("x",), engine=name))
    journal.game_end(1, 1.0, moves=WIN, we_started=True, known_by="reply")
    journal.close()
    client = client_at(folder, SPECTATOR, room=ROOM.token)
    texts = [
        client.get("/api/runs").text,
        *(client.get(f"/api/runs/{run['name']}").text for run in client.get("/api/runs").json()),
    ]
    assert len(texts) == 3 and "an agent from outside" in texts[0]
    assert not any(STUDENT in text or "secret" in text for text in texts)


@pytest.mark.parametrize(
    ("server", "shown"),
    [
        ("embedded", "embedded"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("https://vps.example.org/connect4", "https://vps.example.org"),
        ("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443"),
        (f"https://{STUDENT}:pass@example.org:8443/game", "https://example.org:8443"),
        (f"{STUDENT}:pass@example.org", "example.org"),
        (f"https://example.org/{STUDENT}?key=pass#{STUDENT}", "https://example.org"),
        (f"https://{STUDENT}:1/pass@example.org", ""),
        (f"https://{STUDENT}:1#pass@example.org", ""),
        (f"https://{STUDENT}@pass@example.org", ""),
        (f"/home/{STUDENT}/socket", ""),
        (f"ftp://{STUDENT}:pass@example.org", ""),
        ("", ""),
    ],
)
def test_spectators_see_no_login_of_a_server(server: str, shown: str) -> None:
    assert public_server(server) == shown


def test_tokens_differ_and_a_given_address_is_kept() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100 and all(re.fullmatch("[a-z2-9]{12}", token) for token in tokens)
    assert reachable_address("10.1.2.3") == "10.1.2.3"


def test_many_clients_share_one_reader_and_late_ones_get_the_whole_run(tmp_path: Path) -> None:
    journal = open_run(tmp_path, stil_ids=(STUDENT,))

    async def first_of(broadcast: Broadcast, *, spectator: bool, count: int) -> list[str]:
        events: list[str] = []
        async for event in broadcast.events(spectator=spectator):
            events.append(event)
            if len(events) == count:
                return events
        return events

    async def check() -> list[list[str]]:
        broadcast, threads = Broadcast(Runs(tmp_path)), threading.active_count()
        early = [asyncio.create_task(first_of(broadcast, spectator=number > 0, count=2)) for number in range(30)]
        while broadcast.spectators < 29:
            await asyncio.sleep(0.01)
        assert threading.active_count() < threads + 15, "not a reader for each of them"
        play(journal, 1, "4455", we_started=True)
        found = list(await asyncio.gather(*early))
        late = await first_of(broadcast, spectator=True, count=1)
        return [*found, late]

    *early, late = asyncio.run(asyncio.wait_for(check(), 240))
    journal.close()
    assert all(events[0].startswith("event: run\n") and events[1].startswith("event: game") for events in early)
    assert STUDENT in early[0][0] and not any(STUDENT in event for events in early[1:] for event in events)
    assert '"moves":"4455"' in late[0] and late[0].startswith("event: run\n")


def test_the_command_opens_a_second_address(room: tuple[str, str]) -> None:
    own, link = room
    with urllib.request.urlopen(f"{own}/api/room") as answer:
        assert json.load(answer)["link"] == link
    base = link.partition("/?")[0]
    assert base != own
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(f"{base}/api/runs")
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    assert b"Connect Four" in opener.open(link).read()
    assert json.load(opener.open(f"{base}/api/room"))["spectator"] is True
