"""The foreign course server keeps to the protocol, and each of its faults does what it says."""

from __future__ import annotations

import math
import threading
from typing import Any

import pytest
import requests

from tests.course.foreign_course import Course, Quirks
from tests.course.foreign_rules import EMPTY, lowest_column_bot, scripted_bot
from tests.course.foreign_server import ForeignServer

REJECTED = {"status": False, "result": None, "botmove": None, "state": None}


def test_games_are_won_given_up_and_lost_by_an_illegal_move() -> None:
    course = Course(scripted_bot("22214111"), Quirks(starter="alternate"))
    for column in (-1, 0, 0, 0, 0, -1, 3, -1, 0, 0, 0, 0):
        reply = course.move(column)
        course.reply_begins(whole=True)
    assert reply == {"msg": "Impossible move.", **REJECTED}
    assert [(game.ended, game.result, game.moves, game.avoidable) for game in course.finished] == [
        ("played", 1.0, (0, 1, 0, 1, 0, 1, 0), False),
        ("forfeit", -1.0, (0, 3, 3), False),  # the bot starts every other game
        ("illegal", -10.0, (0,) * 6, True),
    ]
    assert list(course.stats().values())[3:] == [3, 1, 2, 0, 1, -10.0]


@pytest.mark.parametrize(("at_s", "ended"), [(7.9, 0), (8.1, 1)])
def test_the_move_clock_runs_from_the_first_byte_of_the_reply_and_statistics_lag(at_s: float, ended: int) -> None:
    now = [0.0]
    course = Course(lowest_column_bot, Quirks(clock_s=5.0, stats_lag_s=2.0), clock=lambda: now[0])
    course.move(-1)
    now[0] = 3.0
    course.reply_begins(whole=True)
    now[0] = at_s
    assert course.move(3)["result"] == -ended
    assert course.stats()["played"] == 0
    now[0] += 2.0
    assert course.stats()["played"] == ended


FAULTS: list[tuple[str, Any, list[int]]] = [
    ("reset_before", requests.ConnectionError, []),
    ("reset_after", requests.ConnectionError, [3, 0]),
    ("silent_after", requests.Timeout, [3, 0]),
    ("truncated", requests.exceptions.ChunkedEncodingError, [3, 0]),
    ("nested", RecursionError, [3, 0]),
    ("html_before", 200, []),
    ("http_after:302", 302, [3, 0]),
    ("drip:0.1", {"botmove": 0}, [3, 0]),
    ("refused:Not your turn.", {"msg": "Not your turn.", **REJECTED}, []),
    ("duplicated", {"botmove": 1}, [3, 0, 3, 1]),
    ("forget", {"botmove": 0}, [3, 0]),
    ("late", {"result": -1.0, "state": None}, []),
    ("not_a_number", {"botmove": math.inf}, [3, 0]),
]
"""What a client sees of each fault, and the columns that the server has played."""


@pytest.mark.parametrize(("kind", "seen", "played"), FAULTS, ids=[row[0] for row in FAULTS])
def test_a_fault_does_what_it_says(kind: str, seen: Any, played: list[int]) -> None:
    quirks = Quirks(fault=lambda request, *_: kind if request == 2 else "ok", content_type=None)
    with ForeignServer(scripted_bot("12"), quirks) as server:

        def move(column: int, timeout_s: float = 60.0) -> requests.Response:
            form = {"stil_id": "a", "api_key": "nyckel", "move": column}
            return requests.post(f"{server.url}/move", form, timeout=timeout_s, allow_redirects=False)

        move(-1)
        reached = threading.Event()
        server.before_reply = reached.set
        if isinstance(seen, type):
            with pytest.raises(seen):
                move(3, 0.3 if "silent" in kind else 60.0).json()
        elif isinstance(seen, int):
            assert move(3).status_code == seen
        else:
            answer = move(3)
            assert "Content-Type" not in answer.headers and seen.items() <= answer.json().items()
        assert kind.startswith("refused") or reached.wait(60)
        assert server.requests == [(-1, 1, 0, "ok"), (3, 1, 0, kind)]
        game = server.running
        assert (game.moves if game else []) == played
        assert isinstance(seen, dict) or (game is not None and game.shown == EMPTY)


def test_a_failing_bot_fails_the_test() -> None:
    with pytest.raises(IndexError), ForeignServer(scripted_bot("")) as server, pytest.raises(requests.ConnectionError):
        requests.post(f"{server.url}/move", {"stil_id": "a", "api_key": "nyckel", "move": 3}, timeout=60)
