"""What is sent again and what is not: an outage is one event, and reading /stats is repeated where that can help.

At most one move is on its way, and nothing follows it before the server answers again.
"""

from __future__ import annotations

import itertools
import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from bot.course.client.exchange import Exchange
from bot.course.client.http import LIVE_S, SILENT_S, THAWED_S, CourseClient, Timeouts, retry_after_s
from bot.course.client.trace import Trace
from bot.course.events import Failed, Replied
from bot.course.failures import Delivery
from bot.course.protocol import Stats
from tests.course.client.raw import KEY, PATIENT, client, failed, good
from tests.servers import SocketServer, http, raw_server, read_message, reserved_port, resets

STATS = http(b'{"status": null, "played": 3, "won": 3, "lost": 0, "streak": 3}')
GATEWAY = http(b"<html>Bad gateway</html>", status="502 Bad Gateway", kind="text/html")
PAGE = http(b"<html>Be patient</html>", kind="text/html")
SILENT = b""
TIMES = replace(PATIENT, statistics_s=1.0)
PROBE_S = 60.0
"""Time for the first harmless request, seconds."""
WAIT = Exchange.outcome


class Server(SocketServer):
    """A server that gives each path its answers in turn, the last one again and again; without any, all but a move get
    STATS, and a move is held back.

    It keeps the paths in their order, the pauses of the client, and how long it would wait for each path.
    """

    def __init__(self, **answers: list[Any]) -> None:
        self.seen: list[str] = []
        self.slept: list[float] = []
        self.limits: dict[str, list[float]] = defaultdict(list)
        self.hanging: set[str] = set()
        """Paths whose requests are not answered."""
        self._answers: dict[str, list[Any]] = {"stats": [STATS], "base": [STATS], "move": [self._held], **answers}
        self._thawed = threading.Event()
        super().__init__(self._answer)

    def _held(self, connection: Any) -> None:
        """Hold the reply to a move back until the answer to another request lets it go."""
        self.hanging.add("move")
        self._thawed.wait(60)
        connection.sendall(good(botmove=5))

    def thaws(self, connection: Any, answer: bytes) -> None:
        """Give the answer to another request with which the server reacts again."""
        self.hanging.discard("move")
        self._thawed.set()
        connection.sendall(answer)

    def _answer(self, connection: Any, over: threading.Event) -> None:
        head, _body = read_message(connection)
        method, path = head.decode().split()[:2]
        path = path.strip("/") or ("base" if method == "GET" else "form")
        self.seen.append(path)
        left = self._answers.get(path, [STATS])
        answer = left.pop(0) if left[1:] else left[0]
        if answer == SILENT:
            self.hanging.add(path)
            over.wait()
        elif callable(answer):
            answer(connection)
        else:
            connection.sendall(answer)


Delivered = Callable[..., tuple[Any, list[str]]]


@pytest.fixture
def delivered(monkeypatch: pytest.MonkeyPatch) -> Delivered:
    """Return a function that sends column 3 to a server, and returns its outcome and what was reported.

    No time limit is met: what hangs is silent at once, all else is waited for, and patience ends with the first report.
    """
    monkeypatch.setattr("bot.course.client.http._SHORTEST_PROBE_S", PROBE_S)

    def deliver(server: Server, *, is_patient: bool = True) -> tuple[Replied | Failed, list[str]]:
        told: list[str] = []

        def outcome(exchange: Exchange[Any], within_s: float) -> Any:
            path = exchange.url.removeprefix(server.url).strip("/") or "base"
            if within_s > 0:
                server.limits[path].append(within_s)
            found = WAIT(exchange, 0.0)
            while found is None and within_s > 0 and path not in server.hanging:
                found = WAIT(exchange, 0.01)
            server.hanging -= {path} - {"move"}
            return found

        monkeypatch.setattr(Exchange, "outcome", outcome)
        with server:
            playing = client(server.url, timeouts=Timeouts(60.0, 1e6, 60.0))
            monkeypatch.setattr(playing, "on_outage", lambda text, _left_s: told.append(text))
            monkeypatch.setattr(playing, "sleep", server.slept.append)
            if not is_patient:
                monkeypatch.setattr(playing, "now", lambda: 1e6 * len(told))
            found = playing.send(3)
        assert server.seen.count("move") == 1 or "not been sent" in told[-1]
        return found, told

    return deliver


@pytest.mark.parametrize("silent", [SILENT, GATEWAY], ids=["frozen", "502"])
def test_in_an_outage_one_move_leaves_and_its_own_reply_is_taken_after_the_thaw(silent, delivered):
    server: Server = Server(stats=[silent, silent, lambda connection: server.thaws(connection, STATS)], base=[silent])
    found, told = delivered(server)
    assert isinstance(found, Replied) and found.reply.botmove == 5 and found.is_outage
    assert server.limits["move"][-1] == THAWED_S
    (text,) = told  # from the second request beside it on
    assert "The move to column 4 was sent; nothing else is sent until the server answers." in text


def test_a_reply_that_comes_between_two_other_requests_is_taken_at_once(delivered):
    server: Server = Server(
        stats=[SILENT, lambda connection: server.thaws(connection, GATEWAY)], base=[SILENT, GATEWAY]
    )
    found, _told = delivered(server)
    assert isinstance(found, Replied) and found.is_outage and LIVE_S not in server.slept


@pytest.mark.parametrize(
    ("stats", "base", "is_outage"),
    [
        ([STATS], [GATEWAY], False),
        ([http(b"", status="500 X")], [GATEWAY], False),  # the statistics fail
        ([GATEWAY], [STATS], False),  # only the base address is answered
        ([GATEWAY, STATS], [GATEWAY], False),  # not at once
        ([SILENT, STATS], [SILENT], False),
        ([SILENT, GATEWAY, STATS], [SILENT, GATEWAY], True),
        ([PAGE, PAGE, STATS], [PAGE], True),  # a gateway's pages
    ],
)
def test_a_lost_reply_is_an_outage_if_no_other_request_is_answered(stats, base, is_outage, delivered):
    asked, was_silent = len(stats), SILENT in stats
    server = Server(move=[GATEWAY], stats=stats, base=base)
    found, told = delivered(server)
    assert (LIVE_S in server.slept) == was_silent, "what a silent server held back may come first"
    assert server.slept[: asked - 1] == [0.2, 0.4][: asked - 1], "each pause is longer than the one before"
    assert server.limits["stats"] == [PROBE_S, 2 * PROBE_S, 4 * PROBE_S][:asked], "a slow server has more time"
    assert (failed(found).kind, failed(found).is_outage, bool(told)) == ("http 502", is_outage, is_outage)


def test_where_readings_are_slow_a_harmless_request_has_twice_their_time(monkeypatch):
    waited, traces = list[float](), list[Trace]()

    def noted(exchange: Exchange[Any], within_s: float) -> Any:
        waited.append(within_s)
        return WAIT(exchange, 60.0)

    monkeypatch.setattr(Exchange, "outcome", noted)
    with raw_server(STATS, STATS, GATEWAY) as (url, _seen):
        playing = client(url, timeouts=replace(PATIENT, read_s=1e6), trace=traces.append)
        for step_s in (100.0, 1.0):  # the second reading is quicker
            ticks = itertools.count(0.0, step_s)
            monkeypatch.setattr("bot.course.client.exchange.time.perf_counter", lambda ticks=ticks: next(ticks))
            assert playing.statistics(None).stats
        playing.failure_beside(0)
    assert waited[2] == 2 * traces[0]["end_at_s"] >= 200


@pytest.mark.parametrize("is_outage", [False, True], ids=["other requests are answered", "patience ends"])
def test_a_silent_move_is_waited_for_and_then_given_up(is_outage, delivered):
    server = Server(move=[SILENT], **{path: [SILENT] for path in ("stats", "base") if is_outage})
    found, told = delivered(server, is_patient=False)
    assert (failed(found).kind, failed(found).is_outage) == ("timeout", is_outage)
    assert told if is_outage else (server.seen, server.limits["move"][-1]) == (["move", "stats"], SILENT_S)


def test_what_was_certainly_not_processed_is_sent_again_and_said(delivered, monkeypatch):
    busy = http(b"", status="429 X", extra="Retry-After: 0\r\n")
    server = Server(move=[busy, busy, good(botmove=2)])
    found, told = delivered(server)
    assert isinstance(found, Replied) and server.seen == ["move"] * 3
    assert "The move to column 4 has not been sent." in told[-1]
    with reserved_port() as port:
        playing = client(f"http://127.0.0.1:{port}", patience_s=0.3)
        monkeypatch.setattr(playing, "failure_beside", beside := Mock())
        monkeypatch.setattr(playing, "on_outage", said := Mock())
        monkeypatch.setattr(playing, "now", lambda: 100.0 + said.call_count / 10)
        assert failed(playing.send(3)).delivery is Delivery.NOT_SENT
    assert not beside.called, "nothing is on its way"
    assert [call.args[1] for call in said.call_args_list] == pytest.approx([0.3, 0.2, 0.1])


@pytest.mark.parametrize("first", [http(b"", status="429 X", extra="Retry-After: 9\r\n"), good(botmove=2)])
def test_the_reply_to_a_move_that_leaves_at_the_end_of_the_patience_is_waited_for(first):
    with Server(move=[first, good(botmove=2)]) as server:
        playing = client(server.url, timeouts=PATIENT, patience_s=0.3 if b"429" in first else 0.0)
        found = playing.send(3)
    assert isinstance(found, Replied) and (found.reply.botmove, found.is_outage) == (2, b"429" in first)


def test_retry_after_holds_every_request_back(monkeypatch):
    slept: list[float] = []
    monkeypatch.setattr("bot.course.client.http.time.sleep", slept.append)
    monkeypatch.setattr(CourseClient, "now", lambda _client: 0.0)
    busy = http(b"", status="429 X", extra="Retry-After: 30\r\n")
    may_answer = threading.Event()

    def held(connection):
        may_answer.wait(60)
        connection.sendall(good())

    with Server(stats=[busy, busy, STATS], move=[held, good()]) as server:
        playing = client(server.url, timeouts=TIMES)
        earlier = playing.attempt(3)
        assert playing.statistics(60.0).kind == "http 429", "such a pause is not waited for, whatever the patience"
        may_answer.set()
        assert isinstance(earlier.outcome(60.0), Replied), "an answer to an earlier request ends no pause"
        assert isinstance(playing.send(3), Replied)
        assert slept == [30]
        impatient = client(server.url, timeouts=TIMES, patience_s=7.0)
        impatient.statistics(None)
        impatient.statistics(None)
    assert slept[-1] == 7, "not longer than the patience"


@pytest.mark.parametrize("text", ["-5", "soon", "9" * 5000])
def test_a_retry_after_that_makes_no_sense_asks_for_nothing(text):
    assert retry_after_s({"retry-after": text}) == 0


# Reading /stats

COUNTED = http(
    b'{"msg": null, "status": null, "stil_id": "x", "played": 96, "won": 81, "lost": 15, "streak": 40, '
    b'"streak_max": 40, "total_reward": 12.0}'
)


def test_they_are_requested_with_ids_and_key_again_after_any_failure_that_this_can_mend():
    with raw_server(resets, b"", http(b"", status="503 X"), http(b"{}"), COUNTED) as (url, seen):
        counted = client(url).statistics(None)
        assert seen == [f"stil_id=aa&stil_id=bb&api_key={KEY}".encode()] * 5
        assert counted.stats == Stats(96, 81, 15, 40, 40, 12.0)
    assert (counted.kind, counted.message, counted.hint) == ("", "", "") and counted.at > 0


def test_after_the_patience_the_last_failure_is_the_answer(monkeypatch):
    with raw_server(http(b"", status="500 X")) as (url, seen):
        playing = client(url, timeouts=TIMES)
        monkeypatch.setattr(playing, "now", lambda: 0.5 * len(seen))
        for counted in (playing.statistics(1.0), playing.statistics(None)):
            assert (counted.stats, counted.kind, len(seen) > 1) == (None, "http 500", True)


def test_a_server_that_lives_without_statistics_is_not_waited_for():
    server = Server(stats=[GATEWAY])
    with server:
        counted = client(server.url).statistics(100.0)
    assert (counted.kind, server.seen) == ("no statistics", ["stats", "stats", "base"])


def test_no_exchange_outlasts_the_patience():
    def slow(connection, over):
        connection.sendall(COUNTED[:-9])
        over.wait(30)
        connection.sendall(COUNTED[-9:])

    with raw_server(resets, slow) as (url, _seen):
        assert client(url).statistics(0.4).kind in ("timeout", "reset", "stalled")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (http(b"<html>"), "html"),
        (http(b'{"status": false, "msg": "Incorrect API key."}'), "refused"),
        *((http(b"", status=f"{code} X"), f"http {code}") for code in (401, 404)),
    ],
)
def test_what_repeating_cannot_mend_ends_at_once(answer, kind):
    with raw_server(answer) as (url, seen):
        counted = client(url).statistics(None)
        assert (counted.stats, counted.kind, len(seen)) == (None, kind, 1)
    assert "BOT_API_KEY" in counted.hint or kind not in ("refused", "http 401")
