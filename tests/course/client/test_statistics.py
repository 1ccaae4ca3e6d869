"""Reading /stats: what is repeated and for how long, and what ends at once with its kind."""

from __future__ import annotations

import json
import socket
import threading

import pytest

from bot.course.client.http import Timeouts, TracedExchange
from bot.course.protocol import Stats
from bot.errors import BotError, ExitCode, NetworkError, ProtocolError
from tests.course.client.raw import KEY, PATIENT, client
from tests.servers import HOST, Answer, SocketServer, closed_port, http, raw_server, resets

RECORDED = {
    "msg": None, "status": None, "stil_id": "x", "played": 96, "won": 81, "lost": 15, "streak": 40, "streak_max": 40,
    "total_reward": 12.0,
}  # fmt: skip
GOOD = http(json.dumps(RECORDED).encode())
QUICK = Timeouts(statistics_s=0.3)


def test_statistics_are_read_as_recorded_in_2022_and_requested_with_ids_and_key_only() -> None:
    with raw_server(GOOD) as (url, seen):
        counted = client(url).statistics(None)
        assert client(url).read_statistics() == counted.stats == Stats(96, 81, 15, 40, 40, 12.0)
        assert seen[0] == f"stil_id=aa&stil_id=bb&api_key={KEY}".encode()
    assert (counted.kind, counted.message, counted.hint) == ("", "", "") and counted.at > 0


@pytest.mark.parametrize("patience_s", [None, 60.0])
def test_they_are_requested_again_after_any_failure_that_this_can_mend(patience_s: float | None) -> None:
    answers: list[Answer | bytes] = [resets, b"", http(b"", status="503 X"), http(b"{}"), GOOD]
    with raw_server(*answers) as (url, seen):
        counted = client(url).statistics(patience_s)
        assert len(seen) == 5
    assert counted.stats is not None


@pytest.mark.parametrize("patience_s", [None, 0.3])
def test_after_the_patience_the_last_failure_is_the_answer(patience_s: float | None) -> None:
    with raw_server(http(b"", status="500 X")) as (url, seen):
        counted = client(url, timeouts=PATIENT if patience_s else QUICK).statistics(patience_s)
        assert len(seen) > 1
    assert (counted.stats, counted.kind) == (None, "http 500")
    assert counted.message and counted.hint


def test_not_sent_means_that_no_request_was_sent() -> None:
    with closed_port() as port:
        assert client(f"http://127.0.0.1:{port}", timeouts=QUICK).statistics(None).kind == "not sent"


def test_a_request_that_was_sent_stays_the_reason_when_the_following_are_not() -> None:
    with closed_port() as port, raw_server(b"") as (url, _seen):

        def leave(_exchange: TracedExchange) -> None:
            playing.server = f"http://127.0.0.1:{port}"  # from now on, connections are refused

        playing = client(url, trace=leave)
        assert playing.statistics(1.0).kind == "closed"


FINAL: dict[str, tuple[bytes, str, type[BotError]]] = {
    "redirect": (
        http(b"", status="307 X", extra="Location: http://elsewhere.test/stats\r\n"),
        "redirect",
        ProtocolError,
    ),
    "HTML": (http(b"<html>"), "html", ProtocolError),
    "wrong key": (http(b'{"status": false, "msg": "Incorrect API key."}'), "refused", ProtocolError),
    **{f"{code}": (http(b"", status=f"{code} X"), f"http {code}", ProtocolError) for code in (401, 403, 405, 422)},
}


@pytest.mark.parametrize(("answer", "kind", "error"), FINAL.values(), ids=FINAL.keys())
def test_what_repeating_cannot_mend_ends_at_once(answer: bytes, kind: str, error: type[BotError]) -> None:
    with raw_server(answer) as (url, seen):
        counted = client(url).statistics(None)
        assert len(seen) == 1
        with pytest.raises(error) as raised:
            client(url).read_statistics()
    assert (counted.stats, counted.kind) == (None, kind)
    assert (raised.value.message, raised.value.exit_code) == (counted.message, ExitCode.PROTOCOL)
    assert "key" in raised.value.hint or kind not in ("refused", "http 401", "http 403")


def test_a_server_of_2021_keeps_no_statistics() -> None:
    with raw_server(http(b'{"detail": "Not Found"}', status="404 X")) as (url, seen):
        assert client(url).statistics(None).kind == "http 404"
        assert client(url).read_statistics() is None
        assert len(seen) == 2


@pytest.mark.parametrize("answer", [resets, b"", http(b"", status="502 X"), http(b'{"status": nu')])
def test_reading_them_over_a_network_that_fails_is_an_error_of_the_network(answer: Answer | bytes) -> None:
    with raw_server(answer) as (url, _seen), pytest.raises(NetworkError):
        client(url, timeouts=QUICK).read_statistics()


@pytest.mark.parametrize("ending", ["a plain port", "an address that cannot be used"])
def test_what_can_never_be_sent_ends_at_once_with_its_kind(ending: str) -> None:
    def serve(connection: socket.socket, _over: threading.Event) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    with SocketServer(serve) as server:
        is_plain = ending == "a plain port"
        url = f"https://{HOST}:{server.port}" if is_plain else "ftp://course.test"
        assert client(url).statistics(None).kind == ("no tls" if is_plain else "address")
        assert server.accepted == is_plain
