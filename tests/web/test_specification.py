"""What the page's server promises: one reply for each request of `app.py`.

Columns are 0-6 in JSON and 1-7 in strings of moves. Every rejection is ``{"error": "one sentence"}``.
"""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from bot.learn.lessons import LESSONS
from bot.web.app import STATIC
from tests.web.test_runs import WIN, client_of, ended_run, open_run

GUARDS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
DRAW = "257771314744647214154617633623313656555222"


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return client_of(tmp_path)


def refusal(answer: Any) -> str:
    """Return the sentence of a rejected request."""
    assert 400 <= answer.status_code < 500, answer.text
    assert list(answer.json()) == ["error"] and re.match(r"[A-Z'].*[.?]$", answer.json()["error"]), answer.text
    return str(answer.json()["error"])


def ask(client: TestClient, path: str, moves: str = "", **fields: Any) -> Any:
    """Return the reply to a request about a position or a game."""
    answer = client.post(f"/api/{path}", json={"moves": moves, "time_s": 60, **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_page_is_small_self_contained_and_guarded_by_headers(client):
    page = client.get("/")
    policy = page.headers["content-security-policy"]
    assert all(rule in policy for rule in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"))
    assert GUARDS.items() <= dict(page.headers).items()
    files = {path.relative_to(STATIC).as_posix(): path.read_text() for path in STATIC.rglob("*") if path.is_file()}
    assert sum(map(len, files.values())) < 322_000  # with 7,000 for the lessons
    assert not re.search(r"\son\w+=|\sstyle=|<script>|<style>", files["index.html"]), "the policy would block it"
    for path in ("vendor", "vendor/", "", "../app.py", "vendor/../../app.py", "..%2Fapp.py"):
        assert client.get(f"/static/{path}").status_code == 404, path
    for name, text in files.items():
        assert client.get(f"/static/{name}").text == text
        assert set(re.findall(r"https?://[^\"' )]+", text)) <= {"http://www.w3.org/2000/svg"}, name
        assert set(re.findall(r"/static/([\w./-]+)", text)) <= set(files), name


def test_an_agent_or_a_level_chooses_a_move(client):
    names = [agent["name"] for agent in client.get("/api/agents").json()]
    assert names[0] == "perfect" and {"mtdf", "level", "halim"} <= set(names)
    assert ask(client, "move", agent="perfect")["column"] == 3
    assert [level["number"] for level in client.get("/api/levels").json()] == [*range(1, 11)]
    assert 0 <= ask(client, "move", "44", agent="level", depth=2, random=True)["column"] <= 6


ANALYSED = {
    "": ([3], "win in 21"),
    "414141": ([3], "win in 1"),
    "444443333161": (None, "win in 2"),
    "351213242135416734163567": ([3, 2, 1], "win in 1"),  # the most central one first
    DRAW[:41]: ([1], "draw"),
    DRAW: ([], None),
}


@pytest.mark.parametrize("moves", ANALYSED)
def test_the_analysis_gives_every_column_its_exact_score(client, moves):
    answer, (best, text) = ask(client, "analysis", moves), ANALYSED[moves]
    exact = [column["exact"] for column in answer["columns"] if column]
    assert answer["text"] == text and best in (None, answer["best"])
    assert answer["pv"][:1] == answer["best"][:1] and answer["score"] == max(exact, default=None)


def test_the_review_judges_every_move_and_names_the_moment_that_a_person_could_have_seen(client):
    answer = ask(client, "review", "142634435265")
    assert [len(answer[key]) for key in ("scores", "moves", "moments")] == [13, 12, 2]
    assert (answer["moments"][0][0], answer["lost_side"], answer["lost_text"]) == (8, None, None)
    (lesson,) = (each for each in answer["lessons"] if each["ply"] == 8)
    assert lesson["name"] == "allowed double threat" and lesson["reasons"][0]["line"] == [4, 1, 0, 4]
    assert (answer["moves"][10]["kind"], answer["moves"][10]["text"]) == ("best", "was best, but every move lost")


def test_the_coach_explains_the_last_move_and_the_position(client):
    answer = ask(client, "coach", "414147")
    (threat,) = answer["position"]["threats"]
    assert (threat["cell"], threat["player"], threat["kind"]) == (21, 1, "playable")
    last = answer["last"]
    assert (last["ply"], last["column"], last["name"]) == (5, 6, "missed block")
    assert (last["reasons"][0]["kind"], last["reasons"][0]["line"]) == ("four left open", [6, 3])
    assert ask(client, "coach")["last"] is None
    assert ask(client, "coach", "4141414")["position"] is None


def test_puzzles_of_a_seed_or_a_day_are_made(client):
    wanted = {"seed": 5, "count": 2, "kind": ["win", "draw"]}
    puzzles = client.get("/api/puzzles", params=wanted).json()
    assert len(puzzles) == 2 and {puzzle["kind"] for puzzle in puzzles} <= {"win", "draw"}
    tomorrow = datetime.date.today() + datetime.timedelta(days=1)  # the date in another time zone
    daily = client.get("/api/puzzles/daily", params={"day": tomorrow.isoformat()}).json()
    assert len(daily["puzzles"]) == 5 and daily["url"] is None
    today = client.get("/api/puzzles/daily", params={"day": datetime.date.today().isoformat()}).json()
    assert today["puzzles"] != daily["puzzles"]
    easy = client.get("/api/puzzles", params={"seed": 5, "count": 2, "hardest": 1}).json()
    assert [puzzle["grade"] for puzzle in easy] == [1, 1]
    assert [lesson["name"] for lesson in client.get("/api/lessons").json()] == [lesson.name for lesson in LESSONS]


def test_a_game_is_saved_as_a_page_with_the_move_at_which_its_players_began(client):
    fields = {"moves": "4343434", "names": ["Anna", "Ben"], "start": 42}
    text = client.post("/api/page", json=fields).json()["text"]
    assert '"names":["Anna","Ben"],"start":42' in text


def test_runs_are_listed_and_shown_with_their_games_and_the_streak(tmp_path):
    for _ in range(2):
        ended_run(tmp_path, WIN, stil_ids=("another",))
        journal = open_run(tmp_path)
        journal.play(1, WIN)
        journal.game_end(2, 0.5, moves=DRAW)
        journal.run_end("finished")
        journal.close()
    client = client_of(tmp_path)
    newest, _, oldest, _ = client.get("/api/runs").json()
    assert newest["name"] > oldest["name"]
    assert [newest[field] for field in ("won", "drawn", "lost", "played", "end")] == [1, 1, 0, 2, "finished"]
    first, whole = (client.get(f"/api/runs/{run['name']}").json() for run in (oldest, newest))
    assert (first["run"]["streak"], whole["run"]["streak"]) == (2, 4)
    assert [(game["moves"], game["outcome"]) for game in whole["games"]] == [(WIN, "won"), (DRAW, "drawn")]
    assert client_of(tmp_path / "nowhere").get("/api/runs").json() == []


INVALID: list[tuple[str, str, object]] = [
    ("column", "moves", "8"),
    ("full", "moves", "4444444"),
    ("over", "moves", "4343434"),
    ("after", "moves", "43434341"),
    ("moves", "moves", 4),
    ("no agent", "agent", "unknown"),
    ("depth", "depth", 0),
    ("takes no options", "options", "x=1"),
    ("time_s", "time_s", 0),
    ("time_s", "time_s", 1e9),
    ("game", "game", "g" * 41),
    ("surprise", "surprise", 1),
]


@pytest.mark.parametrize(("word", "field", "value"), INVALID)
def test_an_invalid_request_is_answered_with_one_sentence(client, word, field, value):
    assert word in refusal(client.post("/api/move", json={field: value}))


def test_wrong_requests_for_puzzles_are_refused(client):
    for wrong in ("count=0", "count=1000", "seed=-1"):
        assert refusal(client.get(f"/api/puzzles?{wrong}"))
    assert refusal(client.get("/api/puzzles/daily?day=tomorrow"))


def test_only_requests_of_this_machine_s_own_page_are_answered(client):
    for host in ("evil.example:8044", "127.0.0.1.evil.example", "", "127.0.0.1@evil.example", "[", "::1"):
        assert "address" in refusal(client.get("/api/agents", headers={"host": host}))
    for host in ("localhost:1", "127.0.0.1", "[::1]:8044", "LOCALHOST"):
        assert client.get("/api/agents", headers={"host": host}).status_code == 200
    body = {"moves": "4"}
    assert "web site" in refusal(client.post("/api/move", json=body, headers={"origin": "https://evil.example"}))
    assert "web site" in refusal(client.get("/api/runs", headers={"origin": "null"}))
    assert "JSON" in refusal(client.post("/api/move", data=body))
    for size, word in ((4096, "full"), (4097, "bytes")):
        content = '{"moves": "4444444"}'.ljust(size)
        assert word in refusal(client.post("/api/move", content=content, headers={"content-type": "application/json"}))
    chunked = {"content": iter([b"{}"]), "headers": {"content-type": "application/json"}}
    assert "bytes" in refusal(client.post("/api/move", **chunked))
