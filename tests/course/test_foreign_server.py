"""Each fault of the foreign course server does what it says; its rules are compared in `test_games.py`."""

from __future__ import annotations

import math
import threading
from typing import Any

import pytest
import requests

from tests.course.foreign_course import EMPTY, Course, Quirks, scripted_bot
from tests.course.foreign_server import ForeignServer

REJECTED = {"status": False, "result": None, "botmove": None, "state": None}


def test_a_lost_game_counts_as_avoidable_where_the_client_saw_that_its_column_was_full() -> None:
    course = Course(scripted_bot("111"), Quirks())
    for column in (0, 0, 0, 0):
        reply = course.move(column)
        course.show()
    assert reply == {"msg": "Impossible move.", **REJECTED}
    assert [(game.ended, game.result, game.avoidable) for game in course.finished] == [("illegal", -10.0, True)]


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
