"""Whole runs at a server that does what is odd: once, which costs no game, and for ever, which ends the run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.course.journal.games import game_problems
from bot.course.run.standings import disagreements, journal_standings
from bot.errors import ProtocolError
from tests.course.foreign_course import Reply, rejected, replay, reply
from tests.course.run.course import LEFTMOST, WHO, Course, Watcher, journals, level


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    level(monkeypatch)


FIRST = 3
"""The number of the request that meets what is odd, from 0: one in the first game."""


def has_forgotten(course: Course) -> Reply:
    course.course.forget()
    return rejected("No game is running.")


def processed(course: Course) -> Reply:
    return course.course.move(course.requested[-1])


LATE, FORGOTTEN = "our move came too late", "no game is known"
ANOTHER = reply(None, 0.0, 5, replay((0, 5), student_started=True))
ODD: dict[str, Callable[[Course], Reply]] = {
    LATE: lambda course: course.course.declare_late(),
    "a refusal without a reason": lambda _course: rejected("Busy."),
    "a board of another game": lambda _course: ANOTHER,
    "no board": lambda course: {**processed(course), "state": None},
    "processed twice": lambda course: [processed(course) for _ in range(2)][1],
    FORGOTTEN: has_forgotten,
}


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_once_costs_no_game(tmp_path: Path, name: str) -> None:
    course, watcher = Course(LEFTMOST), Watcher()
    course.odd = lambda _move: ODD[name](course) if len(course.requested) == FIRST + 1 else None
    assert course.play(tmp_path, watcher, games=3).played == 3
    assert course.reasons == ["timeout"] * (name == LATE) + ["played"] * (3 - (name == LATE))
    assert any("late" in text for text in watcher.notices) == (name == LATE)
    assert not [text for journal in journals(tmp_path) for game in journal.games for text in game_problems(game)]
    assert name == FORGOTTEN or disagreements(journal_standings(tmp_path, "s", WHO), course.stats) == []


@pytest.mark.parametrize("msg", ["No game is running.", "It is not your turn in this game.", ""])
def test_a_server_that_refuses_for_ever_ends_the_run_and_costs_at_most_one_game(tmp_path: Path, msg: str) -> None:
    course = Course(LEFTMOST)
    course.odd = lambda move: rejected(msg) if move >= 0 and len(course.requested) > FIRST else None
    with pytest.raises(ProtocolError, match="server"):
        course.play(tmp_path, games=8)
    assert course.course.started <= 2 and course.reasons in ([], ["forfeit"])
    assert course.reasons == [] or msg.startswith("No game"), "as the server says it three times"
