"""Reading /stats: what is repeated and for how long, and what ends at once with its kind."""

from __future__ import annotations

import re

import pytest

from bot.course.client.http import Timeouts
from bot.course.protocol import Stats
from bot.errors import NetworkError, ProtocolError
from tests.course.client.raw import KEY, client
from tests.servers import http, raw_server, resets, then_hangs

GOOD = http(
    b'{"msg": null, "status": null, "stil_id": "x", "played": 96, "won": 81, "lost": 15, "streak": 40, '
    b'"streak_max": 40, "total_reward": 12.0}'
)


@pytest.mark.parametrize("patience_s", [None, 60.0])
def test_they_are_requested_with_ids_and_key_again_after_any_failure_that_this_can_mend(patience_s):
    with raw_server(resets, b"", http(b"", status="503 X"), http(b"{}"), GOOD) as (url, seen):
        counted = client(url).statistics(patience_s)
        assert seen == [f"stil_id=aa&stil_id=bb&api_key={KEY}".encode()] * 5
        assert client(url).read_statistics() == counted.stats == Stats(96, 81, 15, 40, 40, 12.0)
    assert (counted.kind, counted.message, counted.hint) == ("", "", "") and counted.at > 0


def test_after_the_patience_the_last_failure_is_the_answer():
    with raw_server(http(b"", status="500 X")) as (url, seen):
        playing = client(url, timeouts=Timeouts(statistics_s=0.3))
        for counted in (playing.statistics(0.3), playing.statistics(None)):
            assert (counted.stats, counted.kind, len(seen) > 1) == (None, "http 500", True)
        with pytest.raises(NetworkError):
            playing.read_statistics()


def test_no_exchange_outlasts_the_patience():
    def slow(connection, over):
        connection.sendall(GOOD[:-9])
        over.wait(30)
        connection.sendall(GOOD[-9:])

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
        if kind == "http 404":
            assert client(url).read_statistics() is None, "a server of 2021 keeps none"
            return
        with pytest.raises(ProtocolError, match=re.escape(counted.message)):
            client(url).read_statistics()
    assert "BOT_API_KEY" in counted.hint or kind not in ("refused", "http 401")
