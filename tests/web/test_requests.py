"""Requests apart from what they ask for: files, compression, long searches, any body, other sites, bugs."""

from __future__ import annotations

import re
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from typing import TypeVar
from urllib.parse import urlsplit

import pytest
from fastapi import Request
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from bot.course.server.embedded import serving
from bot.engine.agent import Decision, StopFlag
from bot.web.agents import AgentPool
from bot.web.app import MIN_COMPRESSED, STATIC, create_app
from bot.web.bodies import MoveRequest
from bot.web.jobs import BusyError, CancelledJobError, Jobs, prepared
from bot.web.service import listen_for_spectators, listen_nearby
from tests.processes import bot_here
from tests.web.test_room import OWNER, ROOM, SPECTATOR
from tests.web.test_runs import client_of

T = TypeVar("T")


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/api/agents", "/api/room"])
def test_replies_are_compressed_for_those_who_accept_it_and_files_not_loaded_again(tmp_path, path):
    client = client_of(tmp_path)
    whole, small = (client.get(path, headers={"accept-encoding": kind}) for kind in ("identity", "br, gzip"))
    assert small.text == whole.text and "content-encoding" not in whole.headers
    assert ("content-encoding" in small.headers) == (len(whole.content) > MIN_COMPRESSED)
    if not path.startswith("/api/"):
        again = client.get(path, headers={"accept-encoding": "identity", "if-none-match": whole.headers["etag"]})
        assert (again.status_code, again.headers["cache-control"]) == (304, "no-cache")


def test_a_wrong_address_gives_people_a_sentence_and_programs_json(tmp_path):
    client, html = client_of(tmp_path), {"accept": "text/html,*/*;q=0.8"}
    assert "<p>There is nothing at this address." in client.get("/nothing", headers=html).text
    assert [client.get(path, headers=html).status_code for path in ("/nothing", "/static/nothing.js")] == [404, 404]
    assert "error" in client.get("/nothing").json() and "error" in client.get("/api/nothing", headers=html).json()


BODIES = r"""
{
null
7
[]
"44"
ü
{"moves": null}
{"moves": [4]}
{"moves": "4\u0000"}
{"moves": "9"}
{"moves": {"4": 4}}
{"moves": "\ud800"}
{"agent": "\u0000"}
{"depth": "\ufeff"}
{"agent": {}}
{"depth": 1e99}
{"time_s": NaN}
{"random": 7}
{"game": []}
{"": 1}"""
"""Bodies of requests for a move that ask for none, one a line."""


def test_no_body_breaks_the_server_and_a_bug_is_one_sentence(tmp_path, monkeypatch):
    client = client_of(tmp_path)
    for body in (*BODIES.split("\n"), "[" * 2000):
        answer = client.post("/api/move", content=body.encode(), headers={"content-type": "application/json"})
        assert 400 <= answer.status_code < 500 and answer.json()["error"], body
    monkeypatch.setattr(AgentPool, "choose", lambda *_: 1 / 0)
    answer = client.post("/api/move", json={"moves": "44"})
    assert answer.status_code == 500
    assert re.search("went wrong.*Try again.*terminal.*ZeroDivisionError", answer.json()["error"])


def test_a_cancelled_request_does_not_wait_for_the_compiler():
    stop = StopFlag()

    def compile_long() -> None:
        assert prepared("another", lambda: "at once") == "at once"
        stop.set()
        with pytest.raises(CancelledJobError):
            prepared("this", lambda: pytest.fail("compiled"), stop)

    prepared("this", compile_long)
    with pytest.raises(CancelledJobError):
        prepared("this", lambda: pytest.fail("compiled"), stop)


class Endless(AgentPool):
    """A pool that thinks until it is stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.searching = threading.Semaphore(0)

    def choose(self, request: MoveRequest, stop: StopFlag | None = None) -> Decision:
        self.searching.release()
        while stop is not None and not stop.is_set:
            time.sleep(0.01)
        return Decision(len(request.moves))


def test_an_endless_search_lets_others_through_and_is_stopped_when_its_reader_or_the_page_leaves(tmp_path):
    kind, jobs, pool = {"content-type": "application/json"}, Jobs(max_jobs=1, max_wait_s=0.2), Endless()
    with serving(create_app(tmp_path, jobs, pool)) as url:
        reader, other = (HTTPConnection(urlsplit(url).netloc, timeout=60) for _ in range(2))

        def analysed() -> int:
            other.request("POST", "/api/analysis", b'{"moves": "44"}', kind)
            answer = other.getresponse()
            answer.read()
            return answer.status

        reader.request("POST", "/api/move", b"{}", kind)
        assert pool.searching.acquire(timeout=60) and analysed() == 503, "the search has the only place"
        other.request("GET", "/api/levels")
        assert other.getresponse().read(), "other requests are answered meanwhile"
        reader.close()
        assert 200 in (analysed() for _ in range(60)), "its place is free again"
        reader.request("POST", "/api/move", b"{}", kind)
        assert pool.searching.acquire(timeout=60)
        jobs.stop_all()
        assert reader.getresponse().read(), "the end of the page ends its searches"
        reader.close()
        other.close()


READABLE = {"/", "/api/room", "/api/runs", "/api/runs/{name}", "/api/live"}
"""What spectators may read besides the page's files."""


class Refusing(Jobs):
    """Jobs that are counted and have no free place."""

    started = 0

    async def run(self, request: Request, work: Callable[[StopFlag], T]) -> T:  # noqa: ARG002
        self.started += 1
        raise BusyError("busy")


@pytest.mark.parametrize("base", [OWNER, SPECTATOR])
@pytest.mark.parametrize("site", ["cross-site", "same-site", "same-origin", "none", None])
def test_what_other_sites_send_starts_nothing_and_only_the_page_can_be_linked_to(tmp_path, base, site):
    jobs, headers = Refusing(), {} if site is None else {"sec-fetch-site": site}
    app, is_own = create_app(tmp_path, jobs, room=ROOM), site in ("same-origin", "none", None)
    client = TestClient(app, base_url=base, headers=headers)
    assert client.get(f"/?room={ROOM.token}").text == client.get("/").text == (STATIC / "index.html").read_text()
    routes = {
        (method, route.path) for route in app.routes if isinstance(route, APIRoute) for method in route.methods or ()
    }
    refused = {}
    for method, path in routes - {("GET", "/")}:
        body = {"moves": "44"} if method == "POST" else None
        answer = client.request(method, re.sub("{.*?}", "1", path), json=body)
        if answer.status_code == 403:
            refused[path] = "another web site" in answer.text
    for_owner = {path for _, path in routes} - READABLE
    refusals = for_owner if base == SPECTATOR else set()
    assert set(refused) == (refusals if is_own else for_owner | READABLE - {"/"})
    assert set(refused.values()) <= {not is_own}
    assert (jobs.started > 6) == (is_own and base == OWNER)


@pytest.mark.skipif(sys.platform != "linux", reason="needs a second loopback address")
def test_spectators_get_the_owners_port_where_it_is_free_and_a_link_to_it():
    with closing(listen_nearby(None)) as owner:
        place = owner.getsockname()
        for host, is_free in (("127.0.0.2", True), (place[0], False)):
            sock, room = listen_for_spectators(host, owner)
            with closing(sock):
                assert (sock.getsockname() == (host, place[1])) == is_free
                assert room.owner == place and room.link.startswith("http://{}:{}/?room=".format(*sock.getsockname()))


def test_a_taken_port_is_named_and_replaced_by_a_free_one_unless_it_was_chosen(monkeypatch, tmp_path):
    monkeypatch.setattr("uvicorn.Server.run", lambda _server, sockets: sockets)
    monkeypatch.setattr("bot.web.service.warm_up", lambda: None)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr("bot.web.service.PORT", port)
        done = bot_here("web", "--no-browser", cwd=tmp_path)
        assert done.returncode == 0 and f":{port}" not in done.stdout
        assert f"Port {port} is taken" in done.stderr and "keeps games and streaks by port" in done.stderr
        chosen = bot_here("web", "--no-browser", "--port", str(port), cwd=tmp_path)
        assert chosen.returncode == 2 and f"Cannot listen on 127.0.0.1:{port}" in chosen.stderr
