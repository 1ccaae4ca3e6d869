"""The foreign course server keeps to the protocol, and each of its faults does what it says."""

from __future__ import annotations

import math
import threading
from typing import Any

import pytest
import requests

from tests.course.foreign_course import Course, Quirks
from tests.course.foreign_rules import (
    EMPTY,
    AlphaBetaBot,
    Answer,
    Grid,
    lowest_column_bot,
    random_bot,
    replay,
    scripted_bot,
)
from tests.course.foreign_server import RANDOM_FAULTS, ForeignServer, random_faults

FORM = {"stil_id": "ab1234cd-s", "api_key": "nyckel"}
REJECTED = {"status": False, "result": None, "botmove": None, "state": None}
DRAWN = "555753451726256216311116243424462433737776"
"""A game without a four until its 42nd disc, which makes one."""


def post(server: ForeignServer, endpoint: str, **fields: Any) -> requests.Response:
    return requests.post(f"{server.url}/{endpoint}", {**FORM, **fields}, timeout=60)


def move(server: ForeignServer, column: int, **fields: Any) -> dict[str, Any]:
    body: dict[str, Any] = post(server, "move", move=column, **fields).json()
    return body


@pytest.mark.parametrize("bot", [AlphaBetaBot(2), AlphaBetaBot(3), lowest_column_bot])
def test_bots_win_at_once_else_block(bot: Answer) -> None:
    for moves, wanted in (([0, 6, 0, 6, 0, 6, 1], 6), ([5, 0, 5, 1, 5], 5), ([6, 3, 6, 3, 6, 3, 0], 3)):
        assert bot(replay(moves, student_started=True), moves[-1]) == wanted


def test_starters_take_turns_or_are_drawn_by_the_seed() -> None:
    def starts(quirks: Quirks) -> list[bool]:
        course = Course(lowest_column_bot, quirks)
        return [course.move(-1)["botmove"] == -1 for _ in range(12)]

    assert starts(Quirks(starter="alternate")) == [True, False] * 6
    drawn = starts(Quirks(starter="random", seed=1))
    assert drawn == starts(Quirks(starter="random", seed=1)) and len(set(drawn)) == 2


@pytest.mark.parametrize(("as_draw", "result"), [(True, 0.5), (False, 1.0)])
def test_a_four_by_the_last_disc_is_a_draw_or_a_win(as_draw: bool, result: float) -> None:
    course = Course(scripted_bot(DRAWN[0::2]), Quirks(starter="bot", last_disc_draw=as_draw))
    course.move(-1)
    assert [course.move(int(column) - 1)["result"] for column in DRAWN[1::2]] == [0.0] * 20 + [result]


def test_statistics_lag_behind() -> None:
    now = [100.0]
    course = Course(lowest_column_bot, Quirks(stats_lag_s=2.0), clock=lambda: now[0])
    for _ in range(2):
        course.move(-1)
    assert course.stats()["played"] == 0
    now[0] = 102.1
    assert course.stats()["played"] == 1


@pytest.mark.parametrize(("late_by_s", "ended"), [(-0.1, []), (0.1, ["timeout"])])
def test_the_move_clock_runs_from_the_first_byte_of_the_reply(late_by_s: float, ended: list[str]) -> None:
    now = [0.0]
    course = Course(lowest_column_bot, Quirks(clock_s=5.0), clock=lambda: now[0])
    course.move(-1)
    now[0] = 3.0
    course.reply_begins(whole=True)
    now[0] = 8.0 + late_by_s
    assert course.move(3)["result"] == (-1.0 if ended else 0.0)
    assert [game.ended for game in course.finished] == ended


def test_games_are_won_given_up_and_lost_by_an_illegal_move() -> None:
    with ForeignServer(scripted_bot("22241111")) as server:
        replies = [move(server, column) for column in (-1, 0, 0, 0, 0, -1, 3, -1, 0, 0, 0, 0)]
        first, last = replies[1], replies[4]
        assert (first["msg"], first["botmove"], first["state"][5][:3]) == (None, 1, [1, -1, 0])
        assert (last["msg"], last["botmove"], last["result"]) == ("The game has ended.", -1, 1.0)
        assert replies[-1] == {"msg": "Impossible move.", **REJECTED}
        ends = [(game.ended, game.result, game.moves) for game in server.finished]
        won, given_up = (0, 1, 0, 1, 0, 1, 0), (3, 3)
        assert ends == [("played", 1.0, won), ("forfeit", -1.0, given_up), ("illegal", -10.0, (0,) * 6)]
        assert server.finished[2].avoidable and server.forfeits == 1
        counts = {"played": 3, "won": 1, "lost": 2, "streak": 0, "streak_max": 1, "total_reward": -10.0}
        assert post(server, "stats").json() == {"msg": None, "status": None, "stil_id": FORM["stil_id"], **counts}
        assert [(one.move, one.game, one.ply) for one in server.requests[:3]] == [(-1, 1, 0), (0, 1, 0), (0, 1, 2)]


def test_what_is_refused_starts_no_game() -> None:
    with ForeignServer(lowest_column_bot, Quirks(silent_start=False, echo_key=True)) as server:
        assert move(server, 3) == {"msg": "No game is running. (key nyckel)", **REJECTED}
        assert move(server, 3, api_key="wrong") == {"msg": "Incorrect API key. (key wrong)", **REJECTED}
        for wrong in ({"stil_id": "a b"}, {"stil_id": "x" * 51}, {"move": 9}, {"move": "x"}, {"api_key": ""}):
            answer = post(server, "move", **{"move": 3, **wrong})
            assert (answer.status_code, answer.json()["detail"][0]["loc"]) == (422, ["body", *wrong])
        assert post(server, "nothing").status_code == 404
        assert server.course.started == 0


FAULTS: list[tuple[str, Any, list[int]]] = [
    ("reset_before", requests.ConnectionError, []),
    ("reset_after", requests.ConnectionError, [3, 0]),
    ("silent_before", requests.Timeout, []),
    ("silent_after", requests.Timeout, [3, 0]),
    ("truncated", requests.exceptions.ChunkedEncodingError, [3, 0]),
    ("html_before", 200, []),
    ("http_after:302", 302, [3, 0]),
    ("drip:0.1", {"botmove": 0}, [3, 0]),
    ("delay:0.1", {"botmove": 0}, [3, 0]),
    ("refused:Not your turn.", {"msg": "Not your turn.", **REJECTED}, []),
    ("duplicated", {"botmove": 1}, [3, 0, 3, 1]),
    ("forget", {"botmove": 0}, [3, 0]),
    ("late", {"result": -1.0, "state": None}, []),
    ("wrong_types", {"botmove": "three"}, [3, 0]),
    ("nested", RecursionError, [3, 0]),
]
"""What a client sees of each fault, and the columns that the server has played."""


@pytest.mark.parametrize(("kind", "seen", "played"), FAULTS, ids=[row[0] for row in FAULTS])
def test_a_fault_does_what_it_says(kind: str, seen: Any, played: list[int]) -> None:
    quirks = Quirks(fault=lambda request, *_: kind if request == 2 else "ok")
    with ForeignServer(scripted_bot("12"), quirks) as server:
        move(server, -1)
        reached = threading.Event()
        server.before_reply = reached.set

        def ask() -> requests.Response:
            timeout = 0.3 if "silent" in kind else 60
            form = {**FORM, "move": 3}
            return requests.post(f"{server.url}/move", form, timeout=timeout, allow_redirects=False)

        if isinstance(seen, type):
            with pytest.raises(seen):
                ask().json()
        elif isinstance(seen, int):
            answer = ask()
            assert (answer.status_code, answer.headers["Content-Type"]) == (seen, "text/html")
        else:
            assert seen.items() <= ask().json().items()
        assert kind.startswith("refused") or reached.wait(60)
        game = server.running
        assert (game.moves if game else []) == played
        assert [request.fault for request in server.requests] == ["ok", kind]
        if "before" in kind or kind == "truncated":
            assert game is not None and game.shown == EMPTY


def test_replies_may_have_no_content_type_and_numbers_that_are_none() -> None:
    quirks = Quirks(
        content_type=None, fault=lambda *_: "not_a_number", stats_fault=lambda number: f"http_after:50{number}"
    )
    with ForeignServer(lowest_column_bot, quirks) as server:
        answer = post(server, "move", move=3)
        assert "Content-Type" not in answer.headers and math.isinf(answer.json()["botmove"])
        assert [post(server, "stats").status_code for _ in range(2)] == [501, 502]


def test_random_faults_are_repeatable_and_keep_their_share() -> None:
    first, second = ([fault(n) for n in range(2000)] for fault in (random_faults(4, 0.3), random_faults(4, 0.3)))
    assert first == second
    assert 500 < sum(kind != "ok" for kind in first) < 700
    assert set(first) == {"ok", *RANDOM_FAULTS}


def test_it_goes_down_and_comes_back_and_a_failing_bot_fails_the_test() -> None:
    def failing(grid: Grid, last_student_column: int | None) -> int:  # noqa: ARG001
        raise ZeroDivisionError

    with ForeignServer(random_bot(1)) as server:
        opened = move(server, -1)
        server.go_down()
        with pytest.raises(requests.ConnectionError):
            move(server, 3)
        server.come_back()
        assert opened["state"][5][3] == 0 and move(server, 3)["state"][5][3] == 1
    with pytest.raises(ZeroDivisionError), ForeignServer(failing) as server, pytest.raises(requests.ConnectionError):
        move(server, 3)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("test-")]
