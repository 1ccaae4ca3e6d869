"""What is sent again and what is not: an outage is one event, and reading /stats is repeated where that can help.

At most one move is on its way, and nothing follows it before the server answers again.
"""

from __future__ import annotations

import socket
import threading
from typing import Any

import pytest

from bot.course.client.http import LIVE_S, Timeouts, retry_after_s
from bot.course.events import Failed, Replied
from bot.course.failures import Delivery
from bot.course.protocol import Stats
from tests.course.client.raw import KEY, PATIENT, client, failed, good
from tests.servers import (
    Answer,
    SocketServer,
    http,
    in_turn,
    raw_server,
    read_message,
    reserved_port,
    resets,
    then_hangs,
)

QUICK = Timeouts(read_s=0.1, total_s=5.0, statistics_s=0.1)
"""A server that is asked after this time whether it lives."""
STATS = http(b'{"status": null, "played": 3, "won": 3, "lost": 0, "streak": 3}')
GATEWAY = http(b"<html>Bad gateway</html>", status="502 Bad Gateway", kind="text/html")
SILENT = then_hangs(b"")


class Server(SocketServer):
    """A server that answers each path in its own way, all but a move with STATS.

    It keeps the paths in their order, and the pauses of the client.
    """

    def __init__(self, **answers: Answer) -> None:
        self.seen: list[str] = []
        self.slept: list[float] = []
        self._answers = {"stats": in_turn(STATS), "base": in_turn(STATS), **answers}
        super().__init__(self._answer)

    def _answer(self, connection: socket.socket, over: threading.Event) -> None:
        head, _body = read_message(connection)
        self.seen.append(head.split()[1].decode().strip("/") or "base")
        self._answers[self.seen[-1]](connection, over)


def delivered(server: Server, **options: Any) -> tuple[Replied | Failed, list[str]]:
    """Send column 3; return its outcome and what was reported."""
    told: list[str] = []
    with server:
        playing = client(server.url, timeouts=QUICK, **options)
        playing.on_outage = lambda text, _left_s: told.append(text)
        playing.sleep = server.slept.append  # type: ignore[assignment, method-assign]
        found = playing.send(3)
    assert server.seen.count("move") == 1 or "not been sent" in told[-1]
    return found, told


@pytest.mark.parametrize("silent", [SILENT, GATEWAY], ids=["frozen", "502"])
def test_in_an_outage_one_move_leaves_and_its_own_reply_is_taken_after_the_thaw(silent, monkeypatch):
    monkeypatch.setattr("bot.course.client.http._SHORTEST_PROBE_S", 0.1)
    monkeypatch.setattr("bot.course.client.http.SILENT_S", 0.0)
    thawed = threading.Event()

    def held(connection, _over):
        thawed.wait(60)
        connection.sendall(good(botmove=5))

    def thaws(connection, _over):
        thawed.set()
        connection.sendall(STATS)

    stats = in_turn(silent, silent, thaws)
    found, told = delivered(Server(move=held, stats=stats, base=in_turn(silent)))
    assert isinstance(found, Replied) and found.reply.botmove == 5
    (text,) = told  # from the second request beside it on
    assert "The move to column 4 was sent; nothing else is sent until the server answers." in text


@pytest.mark.parametrize(
    ("stats", "base", "is_outage"),
    [
        ([STATS], GATEWAY, False),
        ([http(b"", status="404 X")], GATEWAY, False),
        ([http(b"", status="500 X")], GATEWAY, False),
        ([GATEWAY], STATS, False),
        ([GATEWAY, STATS], GATEWAY, False),
        ([SILENT, STATS], SILENT, False),
        ([GATEWAY, GATEWAY, STATS], GATEWAY, True),
    ],
    ids=[
        "statistics",
        "none are kept",
        "they fail",
        "only the base address",
        "not at once",
        "after a silence",
        "nothing, and then the statistics",
    ],
)
def test_a_lost_reply_is_an_outage_if_no_other_request_is_answered(stats, base, is_outage, monkeypatch):
    if SILENT in stats:
        monkeypatch.setattr("bot.course.client.http._SHORTEST_PROBE_S", 0.1)
    server = Server(move=in_turn(GATEWAY), stats=in_turn(*stats), base=in_turn(base))
    found, told = delivered(server)
    assert (LIVE_S in server.slept) == (SILENT in stats), "what a silent server held back may come first"
    assert server.slept[: len(stats) - 1] == [0.2, 0.4][: len(stats) - 1], "each pause is longer than the one before"
    assert (failed(found).kind, failed(found).is_outage, bool(told)) == ("http 502", is_outage, is_outage)


def test_a_slow_server_has_more_time_for_each_request_beside_a_move(monkeypatch):
    monkeypatch.setattr("bot.course.client.http._SHORTEST_PROBE_S", 0.05)

    def slow(connection, over):
        over.wait(0.15)
        connection.sendall(STATS)

    server = Server(move=in_turn(GATEWAY), stats=slow, base=SILENT)
    with server:
        playing = client(server.url, patience_s=10.0)
        monkeypatch.setattr(playing, "sleep", server.slept.append)
        playing.send(3)
    assert server.seen.count("stats") < 8


@pytest.mark.parametrize("is_outage", [False, True], ids=["other requests are answered", "patience ends"])
def test_a_silent_move_is_waited_for_and_then_given_up(is_outage, monkeypatch):
    monkeypatch.setattr("bot.course.client.http.SILENT_S", 0.3)
    monkeypatch.setattr("bot.course.client.http._SHORTEST_PROBE_S", 0.05 if is_outage else 60.0)
    server = Server(move=SILENT, **{path: SILENT for path in ("stats", "base") if is_outage})
    found, told = delivered(server, patience_s=3.0)
    assert (failed(found).kind, failed(found).is_outage) == ("timeout", is_outage)
    assert told if is_outage else server.seen == ["move", "stats"]


def test_a_move_that_leaves_late_and_is_not_answered_is_asked_after_all_the_same(monkeypatch):
    look_up = socket.getaddrinfo

    def find_late(*args, **options):
        threading.Event().wait(0.3)  # longer than it may be silent
        return look_up(*args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", find_late)
    monkeypatch.setattr("bot.course.client.http._SHORTEST_PROBE_S", 0.05)
    server = Server(move=SILENT, stats=SILENT, base=SILENT)
    found, told = delivered(server, patience_s=3.0)
    assert (failed(found).kind, failed(found).is_outage) == ("timeout", True) and told


def test_what_was_certainly_not_processed_is_sent_again_and_said():
    busy = http(b"", status="429 X", extra="Retry-After: 0\r\n")
    server = Server(move=in_turn(busy, busy, good(botmove=2)))
    found, told = delivered(server)
    assert isinstance(found, Replied) and server.seen == ["move"] * 3
    assert "The move to column 4 has not been sent." in told[-1]
    with reserved_port() as port:
        unsent = client(f"http://127.0.0.1:{port}", timeouts=QUICK, patience_s=0.3).send(3)
    assert failed(unsent).delivery is Delivery.NOT_SENT


@pytest.mark.parametrize("first", [http(b"", status="429 X", extra="Retry-After: 9\r\n"), good(botmove=2)])
def test_the_reply_to_a_move_that_leaves_at_the_end_of_the_patience_is_waited_for(first):
    with Server(move=in_turn(first, good(botmove=2))) as server:
        playing = client(server.url, timeouts=PATIENT, patience_s=0.3 if b"429" in first else 0.0)
        found = playing.send(3)
    assert isinstance(found, Replied) and found.reply.botmove == 2


def test_retry_after_holds_every_request_back(monkeypatch):
    slept: list[float] = []
    monkeypatch.setattr("bot.course.client.http.time.sleep", slept.append)
    busy = http(b"", status="429 X", extra="Retry-After: 30\r\n")
    may_answer = threading.Event()

    def held(connection, _over):
        may_answer.wait(60)
        connection.sendall(good())

    with Server(stats=in_turn(busy, busy, STATS), move=in_turn(held, good())) as server:
        playing = client(server.url, timeouts=Timeouts(statistics_s=1.0))
        earlier = playing.attempt(3)
        assert playing.statistics(None).kind == "http 429", "the pause is longer than the patience of the reading"
        may_answer.set()
        assert isinstance(earlier.outcome(60.0), Replied), "an answer to an earlier request ends no pause"
        assert isinstance(playing.send(3), Replied)
        assert 29 < max(slept) <= 30
        impatient = client(server.url, timeouts=Timeouts(statistics_s=1.0), patience_s=7.0)
        impatient.statistics(None)
        impatient.statistics(None)
    assert 6 < slept[-1] <= 7, "not longer than the patience"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("7", 7), ("Fri, 31 Dec 1999 23:59:59 GMT", 59), ("-5", 0), ("soon", 0), ("9" * 5000, 0)],
)
def test_retry_after_has_many_forms(text, seconds, monkeypatch):
    monkeypatch.setattr("time.time", lambda: 946_684_740.0)  # Fri, 31 Dec 1999 23:59:00 GMT
    assert retry_after_s({"retry-after": text}) == seconds


# Reading /stats

COUNTED = http(
    b'{"msg": null, "status": null, "stil_id": "x", "played": 96, "won": 81, "lost": 15, "streak": 40, '
    b'"streak_max": 40, "total_reward": 12.0}'
)


@pytest.mark.parametrize("patience_s", [None, 60.0])
def test_they_are_requested_with_ids_and_key_again_after_any_failure_that_this_can_mend(patience_s):
    with raw_server(resets, b"", http(b"", status="503 X"), http(b"{}"), COUNTED) as (url, seen):
        counted = client(url).statistics(patience_s)
        assert seen == [f"stil_id=aa&stil_id=bb&api_key={KEY}".encode()] * 5
        assert counted.stats == Stats(96, 81, 15, 40, 40, 12.0)
    assert (counted.kind, counted.message, counted.hint) == ("", "", "") and counted.at > 0


def test_after_the_patience_the_last_failure_is_the_answer():
    with raw_server(http(b"", status="500 X")) as (url, seen):
        playing = client(url, timeouts=Timeouts(statistics_s=0.3))
        for counted in (playing.statistics(0.3), playing.statistics(None)):
            assert (counted.stats, counted.kind, len(seen) > 1) == (None, "http 500", True)


def test_a_server_that_lives_without_statistics_is_not_waited_for():
    server = Server(stats=in_turn(GATEWAY))
    with server:
        counted = client(server.url).statistics(100.0)
    assert (counted.kind, server.seen) == ("no statistics", ["stats", "stats", "base"])


def test_no_exchange_outlasts_the_patience():
    def slow(connection, over):
        connection.sendall(COUNTED[:-9])
        over.wait(30)
        connection.sendall(COUNTED[-9:])

    for answer in (then_hangs(b""), slow):
        with raw_server(resets, answer) as (url, _seen):
            assert client(url).statistics(0.4).kind in ("timeout", "reset", "stalled")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (http(b"<html>"), "html"),
        (http(b'{"status": false, "msg": "Incorrect API key."}'), "refused"),
        *((http(b"", status=f"{code} X"), f"http {code}") for code in (401, 404, 405, 422)),
    ],
)
def test_what_repeating_cannot_mend_ends_at_once(answer, kind):
    with raw_server(answer) as (url, seen):
        counted = client(url).statistics(None)
        assert (counted.stats, counted.kind, len(seen)) == (None, kind, 1)
    assert "BOT_API_KEY" in counted.hint or kind not in ("refused", "http 401")
