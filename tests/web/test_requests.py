"""Requests apart from what they ask for: files and compression, long jobs, bodies of any kind, bugs."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.course.server.embedded import serving
from bot.engine.agent import Decision, Stop
from bot.game import Board
from bot.web import analysis, service
from bot.web import app as app_module
from bot.web.agents import AgentChoice, AgentPool, full_name
from bot.web.app import MIN_COMPRESSED, create_app
from bot.web.compiling import prepared
from bot.web.jobs import BusyError, CancelledJobError, Jobs
from bot.web.middleware import MAX_JOURNAL
from tests.web.test_runs import client_of


def test_files_in_folders_are_served_and_no_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    static = tmp_path / "static"
    (static / "vendor").mkdir(parents=True)
    (tmp_path / "secret.js").write_text("secret")
    (static / "vendor" / "library.js").write_text("export {};")
    (static / "vendor" / "LICENSE").write_text("Anyone may use this.")
    monkeypatch.setattr(app_module, "STATIC", static)
    client = client_of(tmp_path)
    for name, kind in (("library.js", "text/javascript"), ("LICENSE", "text/plain")):
        answer = client.get(f"/static/vendor/{name}")
        assert answer.text == (static / "vendor" / name).read_text()
        assert answer.headers["content-type"] == f"{kind}; charset=utf-8"
    for path in ("vendor", "vendor/", "", "../secret.js", "vendor/../../secret.js", "..%2Fsecret.js", "app.py"):
        assert client.get(f"/static/{path}").status_code == 404, path


@pytest.mark.parametrize("path", ["/", "/static/app.js"])
@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_a_second_visit_loads_nothing_again(tmp_path: Path, path: str, encoding: str) -> None:
    client = client_of(tmp_path)
    first = client.get(path, headers={"accept-encoding": encoding})
    tag = first.headers["etag"]
    for known in (tag, f'"other", {tag}'):
        again = client.get(path, headers={"accept-encoding": encoding, "if-none-match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert again.headers["cache-control"] == "no-cache", "the next visit asks again"
    assert client.get(path, headers={"accept-encoding": encoding, "if-none-match": '"other"'}).content == first.content


def test_files_and_large_replies_are_compressed_for_those_who_accept_it(tmp_path: Path) -> None:
    client = client_of(tmp_path)
    for path in ("/", "/static/app.js", "/api/agents", "/api/room"):
        whole, small = (client.get(path, headers={"accept-encoding": kind}) for kind in ("identity", "br, gzip"))
        assert small.text == whole.text and "content-encoding" not in whole.headers
        assert ("content-encoding" in small.headers) == (len(whole.content) > MIN_COMPRESSED)
        assert path == "/api/room" or "accept-encoding" in whole.headers["vary"].lower()
        assert path.startswith("/api/") or whole.headers["etag"] != small.headers["etag"]


def test_live_events_are_sent_at_once_and_a_journal_that_is_too_large_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with serving(create_app(tmp_path)) as url:
        connection = HTTPConnection(urlsplit(url).netloc, timeout=60)
        connection.request("GET", "/api/live", headers={"accept-encoding": "gzip"})
        answer = connection.getresponse()
        assert answer.headers["content-encoding"] is None
        assert [answer.readline() for _ in range(2)] == [b"event: waiting\n", b"data: {}\n"]
        connection.close()
        body = b"a" * (MAX_JOURNAL + 6_000_000)  # all of it is sent before anything is read
        connection.request("POST", "/api/journal", body, {"content-type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 413 and f"at most {MAX_JOURNAL} bytes" in json.loads(answer.read())["error"]
        connection.request("GET", "/static/api.js")
        found = re.search(rb"const MAX_JOURNAL = ([\d_]+);", connection.getresponse().read())
        assert found is not None and int(found[1]) == MAX_JOURNAL, "page and server agree"
        connection.close()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(["moves", "agent", "depth", "options", "time_s", "random", "game"])


class Hasty(AgentPool):
    """A pool that plays any move at once: the test is about the requests."""

    def choose(self, board: Board, choice: AgentChoice, stop: Stop | None = None) -> Decision:  # noqa: ARG002
        full_name(choice)
        if choice.agent == "random":
            raise ZeroDivisionError("no such luck")
        return Decision(board.legal_columns()[0], float("inf"))


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(body=(JSON | st.dictionaries(FIELDS, JSON, max_size=4)).map(json.dumps) | st.text(max_size=30))
def test_no_body_breaks_the_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, body: str) -> None:
    monkeypatch.setattr(analysis, "review", lambda *_: {})
    client = TestClient(create_app(tmp_path, pool=Hasty()), base_url="http://localhost", raise_server_exceptions=False)
    for path in ("move", "review"):
        answer = client.post(f"/api/{path}", content=body.encode(), headers={"content-type": "application/json"})
        assert answer.status_code == 200 or (answer.status_code < 500 and "error" in answer.json())


def test_a_bug_is_one_sentence_on_the_page_and_a_traceback_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    client = TestClient(create_app(tmp_path, pool=Hasty()), base_url="http://localhost", raise_server_exceptions=False)
    answer = client.post("/api/move", json={"moves": "44", "agent": "random"})
    assert answer.status_code == 500
    assert "bug: ZeroDivisionError. The traceback is in the terminal" in answer.json()["error"]
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


class Client:
    """A request of a client that is connected or not."""

    def __init__(self, is_gone: bool) -> None:
        self._is_gone = is_gone

    async def is_disconnected(self) -> bool:
        return self._is_gone


def test_a_cancelled_request_stops_its_search_and_too_many_requests_are_refused() -> None:
    async def check() -> None:
        jobs = Jobs(max_jobs=1, max_wait_s=60)
        started, stops = asyncio.Event(), list[Stop]()
        loop = asyncio.get_running_loop()

        def work(stop: Stop) -> str:
            stops.append(stop)
            loop.call_soon_threadsafe(started.set)
            while not stop.is_set:
                pass
            return "done"

        def run(*, is_gone: bool = False) -> Any:
            return jobs.run(Client(is_gone), work)  # type: ignore[arg-type]

        with pytest.raises(CancelledJobError):
            await run(is_gone=True)
        assert stops[0].is_set
        started.clear()
        running = asyncio.create_task(run())  # once the place of the cancelled job is free
        await started.wait()
        jobs._max_wait_s = 0.2
        with pytest.raises(BusyError):
            await run()
        jobs.stop_all()
        assert await running == "done"

    asyncio.run(check())


def test_a_long_search_lets_others_through_and_ends_with_its_reader(tmp_path: Path) -> None:
    explore = ("POST", "/api/explore", b'{"moves": "44"}', {"content-type": "application/json"})
    with serving(create_app(tmp_path, Jobs(max_jobs=1, max_wait_s=0.2))) as url:
        reader, other = (HTTPConnection(urlsplit(url).netloc, timeout=60) for _ in range(2))

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


def test_a_taken_port_is_replaced_by_a_free_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with service.listen_nearby(port) as sock:
            assert sock.getsockname()[1] != port
