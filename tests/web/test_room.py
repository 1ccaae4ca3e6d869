"""Spectators: who is one, what they may do, and that they see no student's id, login, file or command."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from bot.web.app import create_app
from bot.web.room import Room, new_token, public_agent, public_name
from tests.course.journal.build import Hand, started
from tests.web.test_runs import WIN, open_run

STUDENT = "ab1234cd-s"
OWNER = "http://127.0.0.1:8044"
SPECTATOR = "http://192.168.7.5:8045"
ROOM = Room(("127.0.0.1", 8044), SPECTATOR)


def client_at(folder: Path, base: str, **cookies: str) -> TestClient:
    app = create_app(folder, room=ROOM)
    return TestClient(app, base_url=base, cookies=cookies, raise_server_exceptions=False, follow_redirects=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    first = started(server=f"https://{STUDENT}@example.org", ids=[STUDENT])
    journal = Hand(tmp_path, replace(first, options=replace(first.options, engine=f"/home/{STUDENT}/mine.py:Mine")))
    journal.play(1, WIN)
    journal.intent(2, -1)
    journal.reply(2, status=False, msg=f"Busy, {STUDENT}.")
    journal.close()
    journal.path.rename(tmp_path / f"000007-20261122T101112Z-{STUDENT}.jsonl")
    return tmp_path


def test_without_the_token_nothing_is_shown_and_a_person_reads_a_sentence(folder):
    html = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for client in (client_at(folder, SPECTATOR), client_at(folder, SPECTATOR, room=new_token())):
        for path in ("/", "/static/app.js", "/api/room", "/api/runs", "/api/live", "/?room=guess", "/?room="):
            answer, shown = client.get(path), client.get(path, headers=html)
            assert (answer.status_code, shown.status_code) == (403, 403), path
            assert "Ask for the link that is valid now." in answer.json()["error"]
            assert f"<p>{answer.json()['error']}</p>" in shown.text
            assert "default-src 'none'" in shown.headers["content-security-policy"]
            assert not re.search("<style|<script|style=|src=|href=(?!.data:,)", shown.text), "the policy would block it"


def test_the_link_admits_to_reading_and_to_nothing_else(folder):
    client = client_at(folder, SPECTATOR)
    entered = client.get(f"/?room={ROOM.token}")
    assert (entered.status_code, entered.headers["location"]) == (303, "/#view=games")
    assert re.search("HttpOnly.*SameSite=lax", entered.headers["set-cookie"])
    assert [client.get(path).status_code for path in ("/", "/static/app.js", "/api/runs")] == [200] * 3
    assert client.get("/api/room").json() == {"spectator": True, "link": None, "code": None}
    owner = client_at(folder, OWNER)
    shown = owner.get("/api/room").json()
    assert shown["link"] == ROOM.link and shown["code"].startswith("data:image/svg+xml")
    assert client.get("/static/vendor/no-such-file.js").status_code == 404, "allowed, but not there"
    refused = client.get("/openapi.json"), client.delete("/api/runs"), client.post("/api/page", json={"moves": ""})
    assert {answer.status_code for answer in refused} == {403}


def test_spectators_see_the_runs_without_ids(folder):
    client = client_at(folder, SPECTATOR, room=ROOM.token)
    (run,) = client.get("/api/runs").json()
    assert run["name"] == "000007-20261122T101112Z" and run["won"] == 1
    whole = client.get(f"/api/runs/{run['name']}")
    newest = client.get("/api/live")
    assert newest.json()["run"]["won"] == 1
    assert whole.json()["games"][0]["moves"] == WIN
    assert STUDENT not in whole.text + newest.text + client.get("/api/runs").text
    assert [run["engine"] for run in client_at(folder, OWNER).get("/api/runs").json()] == ["mine.py:Mine"]
    (secret,) = (path.name for path in folder.glob("*.jsonl"))
    assert client.get(f"/api/runs/{secret}").status_code == 400, "not even by a name that someone knows"
    (folder / f"{STUDENT}.jsonl").write_text("no journal\n")
    damaged = client.get(f"/api/runs/{public_name(f'{STUDENT}.jsonl')}")
    assert damaged.status_code == 400 and "cannot be shown" in damaged.text
    assert STUDENT not in damaged.text + client.get("/api/runs").text


@pytest.mark.parametrize("base", [OWNER, SPECTATOR])
def test_the_journals_that_are_listed_are_those_that_can_be_opened(tmp_path, base):
    journal = open_run(tmp_path / "logs")
    journal.close()
    logs, odd = journal.path.parent, [".hidden.jsonl", "a+b-c_d.v2.jsonl"]
    never = ["a b.jsonl", "\u00fc.jsonl", "q#.jsonl", "%41.jsonl", ".jsonl", "run.jsonl.bak", "../secret.jsonl"]
    for name in (*odd, *never):
        (logs / name).write_bytes(journal.path.read_bytes())
    (logs / "folder.jsonl").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(logs / "pipe.jsonl")
    for link, target in (("out", "../secret.jsonl"), ("in", journal.path.name), ("up", ".."), ("lost", "no.jsonl")):
        (logs / f"{link}.jsonl").symlink_to(target)
    client = client_at(logs, base, room=ROOM.token)
    listed = [run["name"] for run in client.get("/api/runs").json()]
    shown = sorted([journal.path.name, *odd], reverse=True)
    assert listed == (shown if base == OWNER else [*map(public_name, shown)])
    names = [
        *(path.name for path in logs.iterdir()),
        *never,
        "folder.jsonl/x.jsonl",
        "missing.jsonl",
        "a\0.jsonl",
        "x" * 300 + ".jsonl",
    ]
    for name in {*names, *map(public_name, names)}:
        answer = client.get(f"/api/runs/{quote(name, safe='')}")
        assert (answer.status_code == 200) == (name in listed), name
        assert name in listed or "error" in answer.json(), name


OUTSIDE = "an agent from outside"
AGENTS = {
    "mtdf:8": "mtdf:8",
    "kang-h1:4@nodes=9": "kang-h1:4",
    f"level:3,think={STUDENT}": "level:3",
    f"/home/{STUDENT}/mine.py:Searcher": OUTSIDE,
    f"mine.py:Searcher,token={STUDENT}@time=1": OUTSIDE,
    f"command:ssh {STUDENT}@host engine": OUTSIDE,
    f"https://{STUDENT}:secret@host/engine": OUTSIDE,
    f"{STUDENT}@nodes=5": OUTSIDE,
    f"mtdf:8/{STUDENT}": OUTSIDE,
    f"perfect {STUDENT}": OUTSIDE,
    "": OUTSIDE,
}


def test_spectators_see_no_file_and_no_command_of_an_agent():
    assert {name: public_agent(name) for name in AGENTS} == AGENTS
