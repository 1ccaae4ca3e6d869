"""Every kind of fault over real sockets: what a client sees, and whether the server has processed the request."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests

from bot.course.server.embedded import embedded_server
from bot.course.server.store import Store
from bot.engine.simple import Scripted
from bot.trials.faults.plan import FaultPlan
from bot.trials.faults.proxy import failing

FORM = {"stil_id": "a", "api_key": "nyckel"}


class FaultyServer:
    """A server with faults, and its store."""

    def __init__(self, url: str, store: Store) -> None:
        self.url, self.store = url, store

    def move(self, column: int = 3) -> requests.Response:
        return requests.post(f"{self.url}/move", data={**FORM, "move": str(column)}, timeout=60)

    def connect(self, data: bytes) -> socket.socket:
        where = urlsplit(self.url)
        sock = socket.create_connection((where.hostname, where.port or 0), timeout=60)
        sock.sendall(data)
        return sock

    def get(self, path: str) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = requests.get(f"{self.url}/{path}", timeout=60).json()
        return found

    @property
    def moves(self) -> str:
        return self.store.read("a").moves


Start = Callable[[str], FaultyServer]
BODY = b"stil_id=a&move=3&api_key=nyckel"
HEAD = b"POST /move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
MOVE = HEAD + b"Content-Length: %d\r\n\r\n%s" % (len(BODY), BODY)


@pytest.fixture
def course(tmp_path: Path) -> Iterator[Start]:
    with ExitStack() as stack:

        def start(plan: str) -> FaultyServer:
            db, key = tmp_path / f"{len(list(tmp_path.iterdir()))}.db", FORM["api_key"]
            front = partial(failing, FaultPlan.parse(plan, 1))
            server = embedded_server(Scripted("1234567"), api_key=key, db=db, starter="student", front=front)
            url, store = stack.enter_context(server), Store(db)
            stack.callback(store.close)
            return FaultyServer(url, store)

        yield start


@pytest.mark.parametrize("number", [1, 2])
def test_refused_connections_are_refused_for_a_while(course: Start, number: int) -> None:
    """A server that never accepts again is ended by the test's time limit."""
    for seconds in (600, 0.1):
        faulty = course(f"@{number}:refuse,refuse={seconds}:{seconds}")
        if number == 2:
            faulty.move()
        refused, before = 0, faulty.moves
        while refused == 0 or seconds < 600:
            try:
                faulty.move()
                break
            except requests.exceptions.ConnectionError as error:
                assert "Connection refused" in str(error) and faulty.moves == before
                refused += 1
    assert faulty.get("faults")["faults"] == {"refuse": 1}


def test_a_reset_is_a_real_rst_and_a_truncated_reply_shorter_than_it_says(course: Start) -> None:
    with pytest.raises(requests.exceptions.ConnectionError, match="Connection reset by peer"):
        course("@1:reset_after").move()
    faulty = course("@1:truncate")
    with pytest.raises(requests.exceptions.ChunkedEncodingError, match="IncompleteRead"):
        faulty.move()
    assert faulty.moves == "41"


INSTEAD = {
    "html_before": (200, "text/html", ""),
    "html_after": (200, "text/html", "41"),
    "503_before": (503, "text/html", ""),
    "500_after": (500, "text/html", "41"),
    "429_before": (429, "text/html", ""),
    "empty_before": (200, "application/json", ""),
    "empty_after": (200, "application/json", "41"),
    "delay": (200, "application/json", "41"),
}


def test_another_reply_comes_instead(course: Start) -> None:
    for kind, (status, content_type, moves) in INSTEAD.items():
        faulty = course(f"@1:{kind}")
        reply = faulty.move()
        assert (reply.status_code, reply.headers["Content-Type"], faulty.moves) == (status, content_type, moves)
        assert (reply.content == b"") == kind.startswith("empty")
        assert reply.content.startswith(b"<html>") == (content_type == "text/html")


def test_a_dripping_reply_comes_byte_by_byte_and_whole(course: Start) -> None:
    faulty = course("drip=1,drip=0.002:0.002")
    with faulty.connect(MOVE) as sock:
        pieces = list(iter(lambda: sock.recv(65536), b""))
    assert sum(len(piece) == 1 for piece in pieces) > 50
    assert b"".join(pieces).endswith(b"[-1,0,0,1,0,0,0]]}")
    with faulty.connect(MOVE) as sock:
        assert sock.recv(1)  # and go away in the middle
    assert faulty.move(4).json()["state"][5][4] == 1


def test_many_faults_leave_the_store_consistent(course: Start) -> None:
    """Whatever its clients saw, the server has processed exactly the requests that the plan lets through."""
    faulty = course("default=0.7,delay=0:0.01,drip=0:0.0001,refuse=0.01:0.03,@1:502_after")
    sent = 1
    assert requests.post(f"{faulty.url}/stats", data=FORM, timeout=60).status_code == 502
    while sent < 80:
        try:
            faulty.move(-1)
            sent += 1
        except requests.exceptions.RequestException as error:
            sent += "Connection refused" not in str(error)
    counts = faulty.get("faults")
    unprocessed = sum(count for kind, count in counts["faults"].items() if kind.endswith(("_before", "refuse")))
    assert len(counts["faults"]) >= 10
    assert faulty.store.read("a").played + 2 == int(str(counts["requests"])) - unprocessed, "one game runs"
