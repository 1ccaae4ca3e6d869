"""Every kind of fault over real sockets: what a client sees, and whether the server has processed the request."""

from __future__ import annotations

import errno
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

KEY = "nyckel"


class FaultyServer:
    """A server with faults, and its store."""

    def __init__(self, url: str, store: Store) -> None:
        self.url, self.store = url, store
        self.session = requests.Session()

    def move(self, column: int) -> requests.Response:
        return self.session.post(f"{self.url}/move", data={"stil_id": "a", "move": column, "api_key": KEY}, timeout=60)

    @property
    def moves(self) -> str:
        return self.store.read("a").moves


@pytest.fixture
def course(tmp_path: Path) -> Iterator[Callable[[str], FaultyServer]]:
    with ExitStack() as stack:

        def start(plan: str) -> FaultyServer:
            db = tmp_path / f"{len(list(tmp_path.iterdir()))}.db"
            server = embedded_server(
                Scripted("1234567"),
                api_key=KEY,
                db=db,
                starter="student",
                front=partial(failing, FaultPlan.parse(plan, 1)),
            )
            url = stack.enter_context(server)
            store = Store(db)
            stack.callback(store.close)
            found = FaultyServer(url, store)
            stack.callback(found.session.close)
            return found

        yield start


def failed(faulty: FaultyServer) -> set[int | None]:
    """Let a move fail; return the numbers of the system's errors behind the failure."""
    with pytest.raises(requests.exceptions.ConnectionError) as raised:
        faulty.move(3)
    return numbers_of(raised.value)


def numbers_of(error: BaseException) -> set[int | None]:
    found: list[object] = []
    waiting: list[object] = [error]
    while waiting:
        current = waiting.pop()
        if isinstance(current, BaseException) and current not in found:
            found.append(current)
            waiting += [current.__context__, getattr(current, "reason", None), *current.args]
    return {cause.errno for cause in found if isinstance(cause, OSError)}


@pytest.mark.parametrize(("kind", "moves"), [("reset_before", ""), ("reset_after", "41")])
def test_a_reset_is_a_real_rst(course: Callable[[str], FaultyServer], kind: str, moves: str) -> None:
    faulty = course(f"@1:{kind}")
    assert errno.ECONNRESET in failed(faulty)
    assert faulty.moves == moves
    assert faulty.move(3).json()["status"] is True


@pytest.mark.parametrize("number", [1, 2])
def test_refused_connections_are_refused_for_a_while(course: Callable[[str], FaultyServer], number: int) -> None:
    """A server that never accepts again is ended by the test's time limit."""
    for seconds in (600, 0.1):
        faulty = course(f"@{number}:refuse,refuse={seconds}:{seconds}")
        if number == 2:
            assert faulty.move(3).status_code == 200
        before = faulty.moves
        if seconds == 600:
            assert errno.ECONNREFUSED in failed(faulty) and faulty.moves == before
            continue
        while True:
            try:
                assert faulty.move(3).status_code == 200
                break
            except requests.exceptions.ConnectionError as error:
                assert errno.ECONNREFUSED in numbers_of(error)
        assert requests.get(f"{faulty.url}/faults", timeout=60).json()["faults"] == {"refuse": 1}


def test_a_truncated_reply_is_shorter_than_it_says(course: Callable[[str], FaultyServer]) -> None:
    faulty = course("@1:truncate")
    with pytest.raises(requests.exceptions.ChunkedEncodingError, match="IncompleteRead"):
        faulty.move(3)
    assert faulty.moves == "41"


INSTEAD = {
    "html_before": (200, "text/html", ""),
    "html_after": (200, "text/html", "41"),
    "503_before": (503, "text/html", ""),
    "500_after": (500, "text/html", "41"),
    "429_before": (429, "text/html", ""),
    "empty_before": (200, "application/json", ""),
    "empty_after": (200, "application/json", "41"),
}


def test_another_reply_comes_instead(course: Callable[[str], FaultyServer]) -> None:
    for kind, (status, content_type, moves) in INSTEAD.items():
        faulty = course(f"@1:{kind}")
        reply = faulty.move(3)
        assert (reply.status_code, reply.headers["Content-Type"], faulty.moves) == (status, content_type, moves)
        assert reply.content.startswith(b"<html>") != kind.startswith("empty") == (reply.content == b"")


def test_a_delayed_reply_is_late_and_processed_at_once(course: Callable[[str], FaultyServer]) -> None:
    faulty = course("@1:delay,delay=600:600")
    with raw_move(faulty.url) as sock:
        while faulty.moves != "41":
            sock.settimeout(0.05)
            with pytest.raises(TimeoutError):  # not answered yet
                sock.recv(1)
    assert course("@1:delay,delay=0.2:0.2").move(3).json()["status"] is True


def raw_move(url: str) -> socket.socket:
    where = urlsplit(url)
    assert where.hostname and where.port
    sock = socket.create_connection((where.hostname, where.port), timeout=60)
    body = f"stil_id=a&move=3&api_key={KEY}"
    head = "POST /move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    sock.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
    return sock


def test_a_dripping_reply_comes_byte_by_byte_and_whole(course: Callable[[str], FaultyServer]) -> None:
    faulty = course("drip=1,drip=0.002:0.002")
    with raw_move(faulty.url) as sock:
        pieces = list(iter(lambda: sock.recv(65536), b""))
    assert sum(len(piece) == 1 for piece in pieces) > 50
    assert b"".join(pieces).endswith(b"[-1,0,0,1,0,0,0]]}")
    with raw_move(faulty.url) as sock:
        assert sock.recv(1)  # and go away in the middle
    assert faulty.move(4).json()["state"][5][4] == 1


def test_a_connection_without_a_request_takes_no_number(course: Callable[[str], FaultyServer]) -> None:
    faulty = course("@1:html_before")
    where = urlsplit(faulty.url)
    head = b"POST /move HTTP/1.1\r\n"
    unfinished = (head + b"Content-Length: 9\r\n\r\nhalf", head + b"Transfer-Encoding: chunked\r\n\r\n")
    for noise in (b"", b"\x16\x03\x01 no HTTP", *unfinished, b"x" * 200_000):
        with socket.create_connection((where.hostname, where.port or 0), timeout=60) as sock:
            sock.sendall(noise)
    assert requests.get(f"{faulty.url}/", timeout=60).json()["title"], "GETs never fail"
    assert [faulty.move(3).headers["Content-Type"] for _ in range(2)] == ["text/html", "application/json"]


def test_many_faults_leave_the_store_consistent(course: Callable[[str], FaultyServer]) -> None:
    """Whatever its clients saw, the server has processed exactly the requests that the plan lets through."""
    faulty = course("default=0.7,delay=0:0.01,drip=0:0.0001,refuse=0.01:0.03,@1:502_after")
    form, sent = {"stil_id": "a", "api_key": KEY}, 1
    assert faulty.session.post(f"{faulty.url}/stats", data=form, timeout=60).status_code == 502
    while sent < 80:
        try:
            faulty.move(-1)
            sent += 1
        except requests.exceptions.RequestException as error:
            sent += errno.ECONNREFUSED not in numbers_of(error)
    counts = requests.get(f"{faulty.url}/faults", timeout=60).json()
    unprocessed = sum(count for kind, count in counts["faults"].items() if kind.endswith(("_before", "refuse")))
    assert len(counts["faults"]) >= 10
    assert faulty.store.read("a").played == counts["requests"] - unprocessed - 2  # the running one and /stats
