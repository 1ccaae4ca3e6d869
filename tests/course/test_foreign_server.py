"""The foreign course server keeps to the protocol, and each of its faults does what it says."""

from __future__ import annotations

import http.client
import json
import math
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

import pytest

from tests.course.foreign_course import Finished, Quirks
from tests.course.foreign_rules import EMPTY, Grid, lowest_column_bot, scripted_bot
from tests.course.foreign_server import RANDOM_FAULTS, ForeignServer, random_faults
from tests.course.session.strangers import fault_at

KEY = "ab1234cd-s"
FIELDS = {"stil_id": KEY, "api_key": "nyckel"}
NULLS = {"result": None, "botmove": None, "state": None}


def raw(server: ForeignServer, endpoint: str, **fields: Any) -> tuple[int, str, bytes]:
    """Return status, content type and body of the reply to a POST."""
    form = urllib.parse.urlencode({**FIELDS, **fields}, doseq=True).encode()
    try:
        with urllib.request.urlopen(f"{server.url}/{endpoint}", form, timeout=60) as reply:
            return reply.status, reply.headers["Content-Type"], reply.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["Content-Type"], error.read()


def move(server: ForeignServer, column: int, **fields: Any) -> dict[str, Any]:
    """Return the reply to a move."""
    body: dict[str, Any] = json.loads(raw(server, "move", move=column, **fields)[2])
    return body


def stats(server: ForeignServer) -> dict[str, Any]:
    """Return the reply to /stats."""
    body: dict[str, Any] = json.loads(raw(server, "stats")[2])
    return body


def faulty(kind: str, **options: Any) -> Quirks:
    """Return quirks that spoil the first move of each game."""
    return Quirks(fault=fault_at(kind, ply=0), **options)


def test_a_won_game() -> None:
    with ForeignServer(scripted_bot("222")) as server:
        opening = move(server, -1)
        assert opening == {**opening, "status": True, "botmove": -1, "result": 0.0, "state": [[0] * 7] * 6}
        first = move(server, 0)
        assert first == {**first, "msg": None, "botmove": 1, "result": 0.0}
        assert first["state"][5] == [1, -1, 0, 0, 0, 0, 0]
        last = [move(server, 0), move(server, 0), move(server, 0)][-1]
        assert last == {**last, "msg": "The game has ended.", "status": True, "botmove": -1, "result": 1.0}
        assert [row[0] for row in last["state"]] == [0, 0, 1, 1, 1, 1]
        wanted = Finished(1, KEY, 1.0, moves=(0, 1, 0, 1, 0, 1, 0), student_started=True, ended="played")
        assert server.finished == [wanted]
        assert server.running is None
        assert stats(server) == {
            **{"msg": None, "status": None, "stil_id": KEY, "played": 1, "won": 1, "lost": 0},
            **{"streak": 1, "streak_max": 1, "total_reward": 1.0},
        }
        assert [(r.endpoint, r.move, r.game, r.ply) for r in server.requests[:3]] == [
            *(("/move", -1, 1, 0), ("/move", 0, 1, 0), ("/move", 0, 1, 2))
        ]


def test_a_lost_game_that_the_bot_started() -> None:
    with ForeignServer(scripted_bot("4444"), Quirks(starter="bot", int_results=True)) as server:
        assert move(server, -1)["botmove"] == 3
        last = [move(server, column) for column in (0, 1, 0)][-1]
        assert (last["botmove"], last["result"], type(last["result"])) == (3, -1, int)
        assert server.finished[0].result == -1
        assert stats(server)["streak"] == 0


def test_minus_one_in_a_running_game_is_a_loss() -> None:
    with ForeignServer(lowest_column_bot) as server:
        for column in (-1, 3, -1):
            move(server, column)
        assert [(game.ended, game.result) for game in server.finished] == [("forfeit", -1.0)]
        assert server.forfeits == 1
        assert stats(server)["lost"] == 1
        assert server.running is not None


@pytest.mark.parametrize("as_result", [False, True])
def test_an_illegal_move_costs_the_game(as_result: bool) -> None:
    with ForeignServer(scripted_bot("111"), Quirks(illegal_result=as_result)) as server:
        replies = [move(server, 0) for _ in range(4)]
        wanted = {"status": True, "result": -10.0, "botmove": -1, "state": None} if as_result else NULLS
        assert replies[-1] == {"msg": "Impossible move.", "status": False, **wanted}
        (game,) = server.finished
        assert (game.ended, game.result, game.illegal, game.avoidable) == ("illegal", -10.0, 0, True)
        assert (stats(server)["lost"], stats(server)["total_reward"]) == (1, -10.0)


def test_a_move_with_no_game_starts_one_or_is_refused() -> None:
    with ForeignServer(lowest_column_bot) as server:
        assert move(server, 3)["state"][5] == [-1, 0, 0, 1, 0, 0, 0]
    with ForeignServer(lowest_column_bot, Quirks(silent_start=False)) as server:
        assert move(server, 3) == {"msg": "No game is running.", "status": False, **NULLS}
        assert server.running is None


def test_ids_are_sorted_and_checked() -> None:
    with ForeignServer(lowest_column_bot, Quirks(known_ids=frozenset({"a", "b"}))) as server:
        move(server, 3, stil_id=["b", "a"])
        assert list(server.course.games) == ["a+b"]
        assert move(server, 3, stil_id="c")["status"] is False
        assert move(server, 3, api_key="wrong") == {"msg": "Incorrect API key.", "status": False, **NULLS}
        for wrong in ({"stil_id": "x" * 51}, {"stil_id": "a b"}, {"move": 9}, {"move": "x"}):
            status, _, body = raw(server, "move", **{"move": 3, **wrong})
            assert (status, json.loads(body)["detail"][0]["loc"]) == (422, ["body", next(iter(wrong))])
        assert raw(server, "nothing")[0] == 404
        with urllib.request.urlopen(server.url + "/", timeout=60) as reply:
            assert "title" in json.loads(reply.read())


def test_january_2021() -> None:
    with ForeignServer(lowest_column_bot, Quirks(jan21=True, starter="bot")) as server:
        msg = "New game initiated, you start. Make your move"
        assert move(server, -1) == {"msg": msg, "status": True, **NULLS}
        assert move(server, 3)["botmove"] == 0
        assert raw(server, "stats")[0] == 404


def test_absent_and_failing_statistics() -> None:
    for mode, status in (("absent", 404), ("failing", 500)):
        with ForeignServer(lowest_column_bot, Quirks(stats=mode)) as server:  # type: ignore[arg-type]
            assert raw(server, "stats")[0] == status
    with ForeignServer(lowest_column_bot, Quirks(stats_fault=lambda request: f"http_after:{500 + request}")) as server:
        assert [raw(server, "stats")[0] for _ in range(3)] == [501, 502, 503]


@pytest.mark.parametrize("how", ["reset", "silent", "truncated", "html", "http"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_lost_reply(how: str, when: str) -> None:
    kind = {"truncated": "truncated", "http": f"http_{when}:502"}.get(how, f"{how}_{when}")
    with ForeignServer(lowest_column_bot, faulty(kind)) as server:
        move(server, -1)
        if how in ("reset", "silent", "truncated"):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            headers = {"Content-Type": "application/x-www-form-urlencoded"}
            form = urllib.parse.urlencode({**FIELDS, "move": 3})
            connection.request("POST", "/edap01-4inarow/move", form, headers)
            if how == "silent":
                while server.requests[-1].fault != kind or (when == "after" and not server.running.moves):  # type: ignore[union-attr]
                    time.sleep(0.01)  # the server may be slow to read the request
                connection.sock.settimeout(0.3)
            wanted = {"reset": ConnectionResetError, "silent": TimeoutError, "truncated": http.client.IncompleteRead}
            with pytest.raises(wanted[how]):
                connection.getresponse().read()
            connection.close()
        else:
            status, content_type, body = raw(server, "move", move=3)
            assert (status, content_type) == (502 if how == "http" else 200, "text/html")
            assert body.startswith(b"<!doctype")
        assert server.running is not None
        processed = when == "after" or how == "truncated"
        assert server.running.moves == ([3, 0] if processed else [])
        stats(server)
        assert server.running.shown == EMPTY
        assert move(server, 3)["state"][5][3] == 1
        assert [request.fault for request in server.requests] == ["ok", kind, "ok", "ok"]


def test_a_move_refused_while_a_game_runs() -> None:
    with ForeignServer(lowest_column_bot, faulty("refused:No game is running.")) as server:
        move(server, -1)
        assert move(server, 3) == {"msg": "No game is running.", "status": False, **NULLS}
        assert server.grid == EMPTY
        assert move(server, 3)["status"] is True


def test_a_request_processed_twice_and_a_lost_memory() -> None:
    with ForeignServer(scripted_bot("12"), faulty("duplicated")) as server:
        move(server, -1)
        assert move(server, 3)["state"][5][:2] == [-1, -1]
        assert server.running is not None
        assert server.running.moves == [3, 0, 3, 1]
    with ForeignServer(scripted_bot("123"), Quirks(fault=fault_at("forget", ply=2, games=[1]))) as server:
        for column in (-1, 3, 3):
            move(server, column)
        assert server.running is not None
        assert (server.running.number, server.running.moves) == (2, [3, 1])
        assert server.finished == []


def test_a_game_declared_lost() -> None:
    with ForeignServer(lowest_column_bot, faulty("late")) as server:
        move(server, -1)
        reply = move(server, 3)
        assert (reply["result"], reply["state"], server.finished[0].ended) == (-1.0, None, "timeout")


def test_nonsense() -> None:
    with ForeignServer(lowest_column_bot, faulty("nested")) as server, pytest.raises(RecursionError):
        move(server, 3)
    with ForeignServer(lowest_column_bot, faulty("not_a_number")) as server:
        reply = move(server, 3)
        assert math.isnan(reply["result"])
        assert math.isinf(reply["botmove"])
    with ForeignServer(lowest_column_bot, faulty("wrong_types")) as server:
        assert move(server, 3)["botmove"] == "three"
        assert server.running is not None
        assert server.running.moves == [3, 0]


def test_the_form_of_replies() -> None:
    quirks = Quirks(content_type="text/html", botmove_null=True, echo_key=True)
    with ForeignServer(lowest_column_bot, quirks) as server:
        _, content_type, body = raw(server, "move", move=3)
        reply = json.loads(body)
        assert (content_type, reply["botmove"], reply["state"][5][0]) == ("text/html", None, -1)
        assert "nyckel" in reply["msg"]
        assert "nyckel" in stats(server)["msg"]
    with ForeignServer(lowest_column_bot, Quirks(content_type=None)) as server:
        assert raw(server, "move", move=3)[1] is None


@pytest.mark.parametrize("quirks", [Quirks(drip_s=0.2), faulty("drip:0.2"), faulty("delay:0.1")])
def test_slow_replies_are_whole(quirks: Quirks) -> None:
    with ForeignServer(lowest_column_bot, quirks) as server:
        assert move(server, 3)["botmove"] == 0


def test_random_faults_are_repeatable_and_keep_their_share() -> None:
    faults = [[fault(n, 3, 1, 0) for n in range(2000)] for fault in (random_faults(4, 0.3), random_faults(4, 0.3))]
    assert faults[0] == faults[1]
    assert 500 < sum(kind != "ok" for kind in faults[0]) < 700
    assert set(faults[0]) == {"ok", *RANDOM_FAULTS}


def test_nothing_is_left_open_and_a_failing_bot_fails_the_test() -> None:
    def failing(grid: Grid, last_student_column: int | None) -> int:  # noqa: ARG001
        raise ZeroDivisionError

    before = set(threading.enumerate())
    with ForeignServer(lowest_column_bot) as server:
        idle = socket.create_connection(("127.0.0.1", server.port))
        move(server, -1)
    assert idle.recv(1) == b""
    idle.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port))
    with (
        pytest.raises(ZeroDivisionError),
        ForeignServer(failing) as server,
        pytest.raises(OSError, match="closed connection"),
    ):
        move(server, 3)
    assert set(threading.enumerate()) <= before
