"""Reading /stats: what is repeated and for how long, and what ends at once with its kind."""

from __future__ import annotations

import json

import pytest

from bot.course.client.http import Timeouts
from bot.course.protocol import Stats
from bot.errors import NetworkError, ProtocolError
from tests.course.client.raw import KEY, PATIENT, client
from tests.servers import closed_port, http, raw_server, resets

RECORDED = {"msg": None, "status": None, "stil_id": "x", "played": 96, "won": 81, "lost": 15, "streak": 40,
            "streak_max": 40, "total_reward": 12.0}  # fmt: skip
GOOD = http(json.dumps(RECORDED).encode())
QUICK = Timeouts(statistics_s=0.3)


@pytest.mark.parametrize("patience_s", [None, 60.0])
def test_they_are_requested_with_ids_and_key_again_after_any_failure_that_this_can_mend(patience_s):
    with raw_server(resets, b"", http(b"", status="503 X"), http(b"{}"), GOOD) as (url, seen):
        counted = client(url).statistics(patience_s)
        assert seen == [f"stil_id=aa&stil_id=bb&api_key={KEY}".encode()] * 5
        assert client(url).read_statistics() == counted.stats == Stats(96, 81, 15, 40, 40, 12.0)
    assert (counted.kind, counted.message, counted.hint) == ("", "", "") and counted.at > 0


@pytest.mark.parametrize("patience_s", [None, 0.3])
def test_after_the_patience_the_last_failure_is_the_answer(patience_s):
    with raw_server(http(b"", status="500 X")) as (url, seen):
        playing = client(url, timeouts=PATIENT if patience_s else QUICK)
        counted = playing.statistics(patience_s)
        assert len(seen) > 1
        assert (counted.stats, counted.kind) == (None, "http 500") and counted.message and counted.hint
        if patience_s is None:
            with pytest.raises(NetworkError):
                playing.read_statistics()


def test_not_sent_means_that_no_request_was_sent():
    with closed_port() as port, raw_server(b"") as (url, _seen):
        gone = f"http://127.0.0.1:{port}"
        assert client(gone, timeouts=QUICK).statistics(None).kind == "not sent"
        playing = client(url, trace=lambda _exchange: setattr(playing, "server", gone))
        assert playing.statistics(1.0).kind == "closed", "the first request was sent, those after it were not"


@pytest.mark.parametrize(
    ("answer", "kind", "hint"),
    [
        (http(b"", status="307 X", extra="Location: http://elsewhere.test/stats\r\n"), "redirect", "login page"),
        (http(b"<html>"), "html", "login page"),
        (http(b'{"status": false, "msg": "Incorrect API key."}'), "refused", "BOT_API_KEY"),
        (http(b'{"status": false, "msg": "Closed."}'), "refused", "later"),
        *((http(b"", status=f"{code} X"), f"http {code}", "Check") for code in (401, 403, 405, 422)),
    ],
)
def test_what_repeating_cannot_mend_ends_at_once(answer, kind, hint):
    with raw_server(answer) as (url, seen):
        counted = client(url).statistics(None)
        assert len(seen) == 1
        with pytest.raises(ProtocolError) as raised:
            client(url).read_statistics()
    assert (counted.stats, counted.kind) == (None, kind)
    assert raised.value.message == counted.message and hint in raised.value.hint


def test_what_can_never_be_sent_ends_at_once():
    assert client("ftp://course.test").statistics(None).kind == "address"


def test_a_server_of_2021_keeps_no_statistics():
    with raw_server(http(b'{"detail": "Not Found"}', status="404 X")) as (url, seen):
        assert client(url).statistics(None).kind == "http 404"
        assert client(url).read_statistics() is None
        assert len(seen) == 2
