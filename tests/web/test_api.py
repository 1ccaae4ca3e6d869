"""The page's server without a browser: every reply, every rejection, and input that must not break it."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from posixpath import dirname, normpath
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.agents.catalogue import entries
from bot.agents.family import families
from bot.course.server.embedded import serving
from bot.engine.agent import Decision, Stop
from bot.game import Board, parse_moves
from bot.web import analysis, service
from bot.web import app as app_module
from bot.web.agents import AgentChoice, AgentPool, full_name
from bot.web.app import MIN_COMPRESSED, STATIC, create_app
from bot.web.compiling import prepared
from bot.web.jobs import BusyError, CancelledJobError, Jobs
from bot.web.middleware import MAX_JOURNAL

LATE = "444443333161"


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return TestClient(create_app(tmp_path), base_url="http://127.0.0.1:8044", raise_server_exceptions=False)


def refusal(answer: Any) -> str:
    """Return the sentence of a rejected request."""
    assert 400 <= answer.status_code < 500, answer.text
    body = answer.json()
    assert list(body) == ["error"] and re.match(r"[A-Z'].*[.?]$", body["error"]), body
    return str(body["error"])


def test_the_page_is_small_self_contained_and_guarded_by_headers(client: TestClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert page.headers["x-content-type-options"] == "nosniff"
    files = {
        path.relative_to(STATIC).as_posix(): path.read_text(encoding="utf-8")
        for path in STATIC.rglob("*")
        if path.is_file()
    }
    assert sum(len(text.encode()) for text in files.values()) < 300_000
    for name, text in files.items():
        assert client.get(f"/static/{name}").text == text
        foreign = set(re.findall(r"https?://[^\"' )]+", text)) - {"http://www.w3.org/2000/svg"}
        assert not foreign, (name, foreign)
    assert not re.search(r"\son\w+=|\sstyle=|<script>|<style>", files["index.html"]), "the policy would block it"
    for name, text in files.items():
        imported = [normpath(f"{dirname(name)}/{path}").lstrip("/") for path in re.findall(r'from "(\.[^"]+)"', text)]
        assert {*imported, *re.findall(r"/static/([\w./-]+)", text)} <= set(files), name


def test_files_in_folders_are_served_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    static = tmp_path / "static"
    (static / "vendor").mkdir(parents=True)
    (tmp_path / "secret.js").write_text("secret")
    (static / "vendor" / "library.js").write_text("export {};")
    (static / "vendor" / "LICENSE").write_text("Anyone may use this.")
    monkeypatch.setattr(app_module, "STATIC", static)
    client = TestClient(create_app(tmp_path), base_url="http://localhost")
    script, licence = (client.get(f"/static/vendor/{name}") for name in ("library.js", "LICENSE"))
    assert (script.text, script.headers["content-type"]) == ("export {};", "text/javascript; charset=utf-8")
    assert (licence.text, licence.headers["content-type"]) == ("Anyone may use this.", "text/plain; charset=utf-8")
    for path in ("vendor", "vendor/", "", "../secret.js", "vendor/../../secret.js", "..%2Fsecret.js"):
        assert client.get(f"/static/{path}").status_code == 404, path


@pytest.mark.parametrize("path", ["/", "/static/app.js"])
@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_a_second_visit_loads_nothing_again(client: TestClient, path: str, encoding: str) -> None:
    first = client.get(path, headers={"accept-encoding": encoding})
    tag = first.headers["etag"]
    assert first.status_code == 200 and re.fullmatch('"[0-9a-f]+"', tag), "a strong validator"
    for known in (tag, f'"other", {tag}'):
        again = client.get(path, headers={"accept-encoding": encoding, "if-none-match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert again.headers["cache-control"] == "no-cache", "the next visit asks again"
    assert client.get(path, headers={"accept-encoding": encoding, "if-none-match": '"other"'}).content == first.content


def test_files_and_large_replies_are_compressed_for_those_who_accept_it(client: TestClient) -> None:
    plain, packed = ({"accept-encoding": encoding} for encoding in ("identity", "br, gzip"))
    for path in ("/", "/static/app.js", "/api/agents"):
        whole, small = client.get(path, headers=plain), client.get(path, headers=packed)
        assert small.headers["content-encoding"] == "gzip" and "content-encoding" not in whole.headers
        assert int(small.headers["content-length"]) < int(whole.headers["content-length"]) / 2
        assert small.text == whole.text
        assert all("accept-encoding" in answer.headers["vary"].lower() for answer in (whole, small))
        assert (path == "/api/agents") or whole.headers["etag"] != small.headers["etag"]
    little = client.get("/api/room", headers=packed)
    assert len(little.content) < MIN_COMPRESSED and "content-encoding" not in little.headers


def test_live_events_are_sent_at_once_and_not_compressed(tmp_path: Path) -> None:
    with serving(create_app(tmp_path)) as url:
        connection = HTTPConnection(urlsplit(url).netloc, timeout=60)
        connection.request("GET", "/api/live", headers={"accept-encoding": "gzip"})
        answer = connection.getresponse()
        assert answer.headers["content-encoding"] is None
        assert [answer.readline() for _ in range(2)] == [b"event: waiting\n", b"data: {}\n"]
        connection.close()


@pytest.mark.parametrize("name", ["nothing.js", "..%2Fapp.py", "%2e%2e%2fapp.py", "app.py"])
def test_only_the_pages_own_files_are_served(client: TestClient, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 404


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8044", "127.0.0.1.evil.example", "", "127.0.0.1@evil.example", "[", "::1"]
)
def test_other_hosts_are_refused(client: TestClient, host: str) -> None:
    assert "address" in refusal(client.get("/api/agents", headers={"host": host}))


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "[::1]:8044", "LOCALHOST"])
def test_loopback_names_are_let_in(client: TestClient, host: str) -> None:
    assert client.get("/api/agents", headers={"host": host}).status_code == 200


def test_foreign_origins_forms_and_large_bodies_are_refused(client: TestClient) -> None:
    body = {"moves": "4"}
    assert "web site" in refusal(client.post("/api/move", json=body, headers={"origin": "https://evil.example"}))
    assert "web site" in refusal(client.get("/api/runs", headers={"origin": "null"}))
    assert "JSON" in refusal(client.post("/api/move", data=body))
    assert "bytes" in refusal(client.post("/api/move", json={"moves": "4" * 5000}))
    headers = {"content-type": "application/json"}
    assert "bytes" in refusal(client.post("/api/move", content=iter([b"{}"]), headers=headers))


def test_a_journal_that_is_too_large_is_refused_in_a_sentence_and_not_reset(tmp_path: Path) -> None:
    size, piece = MAX_JOURNAL + 6_000_000, b"a" * 1_000_000
    with serving(create_app(tmp_path)) as url:
        place = urlsplit(url).netloc
        connection = HTTPConnection(place, timeout=60)
        connection.putrequest("POST", "/api/journal")
        connection.putheader("content-type", "application/json")
        connection.putheader("content-length", str(size))
        connection.endheaders()
        for _ in range(size // len(piece)):  # all of it is sent before anything is read
            connection.send(piece)
        answer = connection.getresponse()
        assert answer.status == 413 and f"at most {MAX_JOURNAL} bytes" in json.loads(answer.read())["error"]
        connection.request("GET", "/api/agents")
        assert connection.getresponse().status == 200, "the connection serves the next request"
        connection.close()


def test_page_and_server_agree_on_the_largest_journal(client: TestClient) -> None:
    found = re.search(r"const MAX_JOURNAL = ([\d_]+);", client.get("/static/api.js").text)
    assert found is not None and int(found[1]) == MAX_JOURNAL


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"moves": "8"}, "column"),
        ({"moves": "4444444"}, "full"),
        ({"moves": "4343434"}, "over"),
        ({"moves": "43434341"}, "after"),
        ({"moves": "4" * 60}, "full"),
        ({"moves": 4}, "moves"),
        ({"agent": "unknown"}, "no agent"),
        ({"agent": "halim", "depth": 0}, "depth"),
        ({"agent": "depth", "depth": 9}, "at most 8, not 9"),
        ({"agent": "perfect", "depth": 43}, "at most 42"),
        ({"agent": "uct", "depth": 1_000_001}, "depth"),
        ({"agent": "level", "depth": 11}, "level of the agent level is at most 10"),
        ({"agent": "kang-h1", "options": "features=9"}, "features"),
        ({"agent": "rmarcus", "options": "x=1"}, "x"),
        ({"time_s": 0}, "time_s"),
        ({"time_s": 1e9}, "time_s"),
        ({"game": "g" * 41}, "game"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_an_invalid_request_is_answered_with_one_sentence(
    client: TestClient, fields: dict[str, object], word: str
) -> None:
    assert word in refusal(client.post("/api/move", json=fields))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.dictionaries(
    st.sampled_from(["moves", "agent", "depth", "options", "time_s", "random", "game"]), JSON, max_size=4
)


class Hasty(AgentPool):
    """A pool that plays any move at once: the test is about the requests."""

    def choose(self, board: Board, choice: AgentChoice, stop: Stop | None = None) -> Decision:  # noqa: ARG002
        full_name(choice)
        return Decision(board.legal_columns()[0], float("inf"))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(body=st.one_of(JSON, FIELDS).map(json.dumps) | st.text(max_size=30), where=st.sampled_from(["move", "review"]))
def test_no_body_breaks_the_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, body: str, where: str) -> None:
    monkeypatch.setattr(analysis, "review", lambda *_: {})
    client = TestClient(create_app(tmp_path, pool=Hasty()), base_url="http://localhost", raise_server_exceptions=False)
    answer = client.post(f"/api/{where}", content=body.encode(), headers={"content-type": "application/json"})
    assert answer.status_code < 500
    assert "error" in answer.json() or answer.status_code == 200


def test_every_agent_on_the_list_moves(client: TestClient) -> None:
    listed = client.get("/api/agents").json()
    names = [entry["name"] for entry in listed]
    assert names[0] == "perfect" and {family.name for family in families()} <= set(names)
    for entry in listed:
        for chance in {False, entry["chance"]}:
            fields = {"moves": LATE, "agent": entry["name"], "time_s": 0.2, "random": chance}
            answer = client.post("/api/move", json=fields | ({"depth": 3} if entry["depth"] else {}))
            assert answer.status_code == 200, answer.text
            assert 0 <= answer.json()["column"] <= 6


def test_every_agent_can_be_stopped() -> None:
    pool = AgentPool()
    for player in (entry for entry in entries() if entry.moves_everywhere):
        depth = player.depth and min(player.deepest, 40)
        pool.choose(Board.from_moves(parse_moves(LATE)), AgentChoice(player.name, player.depth and 1))  # compiles
        stop = Stop()
        timer = threading.Timer(0.1, stop.set)
        timer.start()
        decision = pool.choose(Board(), AgentChoice(player.name, depth, time_s=1e5), stop)
        timer.join()
        assert 0 <= decision.column <= 6


def test_full_names_carry_depth_time_and_randomness_to_the_papers() -> None:
    assert full_name(AgentChoice("halim", 6, "", 1.5, random=True)) == "halim:6,think=1.5,ties=random"
    assert full_name(AgentChoice("halim", None, "think=9,discs=2")) == "halim:4,think=9,discs=2,ties=lowest"
    assert full_name(AgentChoice("vds")) == "vds:9,think=2"
    assert full_name(AgentChoice("depth", 5)) == "depth5"
    assert full_name(AgentChoice("perfect", 5)) == "perfect"


def test_deterministic_agents_repeat_themselves_and_chance_takes_any_of_the_best() -> None:
    pool = AgentPool()
    board = Board.from_moves(parse_moves(LATE))
    body = analysis.analyse(parse_moves(LATE), 60.0)
    assert len(body["best"]) > 1, "the position must have several best moves"
    free = {pool.choose(board, AgentChoice("perfect", time_s=60, random=True)).column for _ in range(40)}
    fixed = {pool.choose(board, AgentChoice("perfect", time_s=60)).column for _ in range(4)}
    assert free == set(body["best"])
    assert len(fixed) == 1 and fixed < free
    assert len({pool.choose(board, AgentChoice("random")).column for _ in range(9)}) == 1


class Broken(AgentPool):
    def choose(self, board: Board, choice: AgentChoice, stop: Stop | None = None) -> Decision:  # noqa: ARG002
        raise ZeroDivisionError("no such luck")


def test_an_agent_that_raises_is_one_sentence_on_the_page_and_a_traceback_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = create_app(tmp_path, pool=Broken())
    client = TestClient(app, base_url="http://localhost", raise_server_exceptions=False)
    answer = client.post("/api/move", json={"moves": "44"})
    assert (
        answer.status_code == 500
        and "bug: ZeroDivisionError. The traceback is in the terminal" in answer.json()["error"]
    )
    assert "no such luck" in capsys.readouterr().err


def test_a_request_that_waits_for_a_compilation_can_be_cancelled() -> None:
    compiling, finish, stop = threading.Event(), threading.Event(), Stop()

    def compile_long() -> str:
        compiling.set()
        finish.wait(60)
        return "compiled"

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(prepared, "an agent", compile_long)
        assert compiling.wait(60)
        second = pool.submit(prepared, "an agent", lambda: "not reached", stop)
        assert prepared("another", lambda: "at once") == "at once"
        stop.set()
        with pytest.raises(CancelledJobError):
            second.result(60)
        assert not first.done()
        finish.set()
        assert first.result(60) == "compiled"


class Disconnected:
    """A request whose client has disconnected."""

    async def is_disconnected(self) -> bool:
        return True


def test_a_cancelled_request_stops_its_search_and_too_many_requests_are_refused() -> None:
    async def check() -> None:
        patient, hasty = Jobs(max_jobs=1, max_wait_s=60), Jobs(max_jobs=1, max_wait_s=0.2)
        seen: list[Stop] = []

        def work(stop: Stop) -> str:
            seen.append(stop)
            while not stop.is_set:
                time.sleep(0.005)
            return "done"

        with pytest.raises(CancelledJobError):
            await patient.run(Disconnected(), work)  # type: ignore[arg-type]
        assert seen[0].is_set
        for jobs in (patient, hasty):  # the place of the cancelled job is free
            count = len(seen)
            running = asyncio.create_task(jobs.run(Connected(), work))  # type: ignore[arg-type]
            while len(seen) == count:
                await asyncio.sleep(0.005)
            if jobs is hasty:
                with pytest.raises(BusyError):
                    await jobs.run(Connected(), work)  # type: ignore[arg-type]
            jobs.stop_all()
            assert await running == "done"

    asyncio.run(check())


class Connected:
    async def is_disconnected(self) -> bool:
        return False


def test_a_taken_port_is_replaced_by_a_free_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with service.listen_nearby(port) as sock:
            assert sock.getsockname()[1] != port
