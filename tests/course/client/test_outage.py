"""An outage is one event: at most one move is on its way, and nothing follows it before the server answers again."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Any

import pytest

from bot.course.client import outage
from bot.course.client.http import Timeouts, retry_after_s
from bot.course.events import Failed, Replied
from bot.course.failures import Delivery
from tests.course.client.raw import client, good
from tests.servers import SocketServer, closed_port, http, read_message

QUICK = Timeouts(read_s=0.1, total_s=5.0, statistics_s=0.1)
"""A server that is asked after this time whether it lives."""
STATS = http(b'{"status": null, "played": 3, "won": 3, "lost": 0, "streak": 3}')
GATEWAY = http(b"<html>Bad gateway</html>", status="502 Bad Gateway", kind="text/html")
Act = Callable[["Relay", socket.socket], None]


class Relay:
    """A server whose answer to each path is one of a list; the last one is repeated."""

    def __init__(self, **answers: list[bytes | Act]) -> None:
        self.seen: list[str] = []
        self.thawed = threading.Event()
        self._answers = answers
        self.sockets = SocketServer(self._serve)

    def _serve(self, connection: socket.socket, _over: threading.Event) -> None:
        head, _body = read_message(connection)
        path = head.split()[1].decode().strip("/") or "base"
        self.seen.append(path)
        left = self._answers[path]
        answer = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(answer, bytes):
            connection.sendall(answer)
        else:
            answer(self, connection)


def held_until_thawed(relay: Relay, connection: socket.socket) -> None:
    """Answer when the outage is over."""
    relay.thawed.wait(60)
    connection.sendall(good(botmove=5))


def thaws(relay: Relay, connection: socket.socket) -> None:
    """End the outage with the answer to a harmless request."""
    relay.thawed.set()
    connection.sendall(STATS)


def never(_relay: Relay, connection: socket.socket) -> None:
    """Hold the connection until the client hangs up."""
    connection.recv(1)


def delivered(relay: Relay, **options: Any) -> tuple[Replied | Failed, list[str]]:
    """Send column 3 through the relay; return its outcome and what was reported."""
    told: list[str] = []
    with relay.sockets as server:
        playing = client(server.url, timeouts=QUICK, **options)
        playing.on_outage = lambda text, _left_s: told.append(text)
        playing.sleep = lambda seconds: None  # type: ignore[method-assign]  # noqa: ARG005
        return playing.send(3), told


@pytest.mark.parametrize("silent", [never, GATEWAY], ids=["frozen", "502"])
def test_in_an_outage_one_move_leaves_and_its_own_reply_is_taken_after_the_thaw(silent, monkeypatch):
    monkeypatch.setattr("bot.course.client.http._SHORTEST_PROBE_S", 0.1)
    relay = Relay(move=[held_until_thawed], stats=[silent, silent, silent, thaws], base=[silent])
    found, told = delivered(relay)
    assert isinstance(found, Replied) and found.reply.botmove == 5
    assert relay.seen.count("move") == 1
    assert len(told) >= 2, "from the second request beside it on"
    assert "The move to column 4 was sent; nothing else is sent until the server answers." in told[0]


def test_a_gateways_error_is_waited_out_and_said_to_be_one_of_an_outage():
    found, _told = delivered(Relay(move=[GATEWAY], stats=[GATEWAY, GATEWAY, STATS], base=[GATEWAY]))
    assert isinstance(found, Failed) and (found.kind, found.is_outage) == ("http 502", True)


@pytest.mark.parametrize(
    ("stats", "base"),
    [(STATS, GATEWAY), (http(b"", status="404 X"), GATEWAY), (http(b"", status="500 X"), GATEWAY), (GATEWAY, STATS)],
    ids=["statistics", "none are kept", "they fail", "only the base address"],
)
def test_a_lost_reply_is_no_outage_where_another_request_is_answered(stats, base):
    relay = Relay(move=[GATEWAY], stats=[stats], base=[base])
    found, told = delivered(relay)
    assert isinstance(found, Failed) and (found.is_outage, told, relay.seen.count("move")) == (False, [], 1)


def test_while_other_requests_are_answered_a_silent_move_is_waited_for_and_then_given_up(monkeypatch):
    monkeypatch.setattr(outage, "SILENT_S", 0.3)
    relay = Relay(move=[never], stats=[STATS], base=[STATS])
    found, _told = delivered(relay)
    assert isinstance(found, Failed) and (found.kind, found.is_outage) == ("timeout", False)
    assert relay.seen == ["move", "stats"]


def test_patience_ends_an_outage(monkeypatch):
    monkeypatch.setattr("bot.course.client.http._SHORTEST_PROBE_S", 0.05)
    relay = Relay(move=[never], stats=[never], base=[never])
    found, told = delivered(relay, patience_s=3.0)
    assert isinstance(found, Failed) and (found.kind, found.is_outage) == ("timeout", True)
    assert relay.seen.count("move") == 1 and told


def test_what_was_certainly_not_processed_is_sent_again_and_said():
    busy = http(b"", status="429 X", extra="Retry-After: 0\r\n")
    relay = Relay(move=[busy, busy, good(botmove=2)], stats=[STATS], base=[STATS])
    found, told = delivered(relay)
    assert isinstance(found, Replied) and relay.seen == ["move"] * 3
    assert "The move to column 4 has not been sent." in told[-1]
    with closed_port() as port:
        unsent = client(f"http://127.0.0.1:{port}", timeouts=QUICK, patience_s=0.3).send(3)
    assert isinstance(unsent, Failed) and unsent.delivery is Delivery.NOT_SENT


def test_retry_after_holds_every_request_back(monkeypatch):
    slept: list[float] = []
    monkeypatch.setattr("bot.course.client.http.time.sleep", slept.append)
    busy = http(b"", status="429 X", extra="Retry-After: 30\r\n")
    relay = Relay(stats=[busy, busy, STATS], move=[good()], base=[STATS])
    with relay.sockets as server:
        playing = client(server.url, timeouts=Timeouts(statistics_s=1.0))
        assert playing.statistics(None).kind == "http 429", "the pause is longer than the patience of the reading"
        assert isinstance(playing.send(3), Replied)
        assert 29 < max(slept) <= 30
        impatient = client(server.url, timeouts=Timeouts(statistics_s=1.0), patience_s=7.0)
        impatient.statistics(None)
        impatient.statistics(None)
    assert 6 < slept[-1] <= 7, "not longer than the patience"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("7", 7),
        ("Fri, 31 Dec 1999 23:59:59 GMT", 59),
        ("-5", 0),
        ("soon", 0),
        ("9" * 5000, 0),
    ],
)
def test_retry_after_has_many_forms(text, seconds, monkeypatch):
    monkeypatch.setattr("time.time", lambda: 946_684_740.0)  # Fri, 31 Dec 1999 23:59:00 GMT
    assert retry_after_s({"retry-after": text}) == seconds
