"""Whole runs at a server of January 2021, which counts a loss for every -1: none is sent where that is known."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.agents.catalogue import make_agent
from bot.course.journal.state import state_folder
from bot.course.journal.verify import game_problems
from bot.course.protocol import NEW_GAME, Stats
from bot.course.session.events import Counted
from bot.errors import ProtocolError
from tests.course.journal.build import write_run
from tests.course.run.course import WHO, Course, Killed, Watcher, journals, level


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    level(monkeypatch)


class Counting(Course):
    """A server of January 2021 that shows its statistics."""

    def statistics(self, patience_s: float | None) -> Counted:
        counted = Course.statistics(self, patience_s)
        return Counted(counted.at, self.stats)


class Unreadable(Course):
    """A server of January 2021 whose statistics fail in a way that says nothing."""

    def statistics(self, patience_s: float | None) -> Counted:
        counted = Course.statistics(self, patience_s)
        return Counted(counted.at, None, "http 503", "The server answered with an error (HTTP 503).")


class Lagging(Counting):
    """A server of January 2021 whose statistics show what was ten readings ago."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._counts: list[Stats] = []

    def statistics(self, patience_s: float | None) -> Counted:
        counted = Counting.statistics(self, patience_s)
        self._counts.append(self.stats)
        return replace(counted, stats=self._counts[-10:][0])


class Refusing(Course):
    """A server that opens a game by -1 alone, with or without the mark of January 2021 in its reply."""

    said = "No game is running."
    has_mark = False

    def process(self, move: int) -> dict[str, Any]:
        is_running = self.referee.store.read(*WHO).running
        if move == NEW_GAME or is_running:
            reply = Course.process(self, move)
            return {**reply, "state": None} if self.has_mark and move == NEW_GAME else reply
        self.requested.append(move)
        return {"status": False, "msg": self.said}


class Boardless(Course):
    """A server of today that leaves the board out of its reply to -1."""

    def process(self, move: int) -> dict[str, object]:
        reply = Course.process(self, move)
        return {**reply, "state": None} if move == NEW_GAME else reply


def play_and_die(course: Course, moments: int, logs: Path, **options: Any) -> None:
    """Play a run whose client dies at the moment of this number."""
    course.at[course.moments + moments] = course.die
    with pytest.raises(Killed):
        course.play(logs, **options)


def record(course: Course) -> tuple[int, int]:
    """Return how many games the server counts, and how many of them as lost."""
    counts: Stats = course.stats
    return counts.played, counts.lost


def test_where_there_are_no_statistics_no_game_is_requested_from_any_folder_and_none_is_counted_as_lost(
    tmp_path: Path,
) -> None:
    course = Course(dialect="jan21", bot="scripted:1111111")
    course.play(tmp_path / "one", games=3)
    course.play(tmp_path / "two", games=2)
    play_and_die(course, 5, tmp_path / "two", games=2)
    course.play(tmp_path / "three", games=2)
    assert record(course) == (7, 0) and NEW_GAME not in course.requested
    found = [journal for folder in ("one", "two") for journal in journals(tmp_path / folder)]
    assert [journal.header.column_opens for journal in found] == [False, True, True]
    assert [game_problems(game) for journal in found for game in journal.games] == [[]] * 7
    assert all(game.we_started for journal in found for game in journal.games)


@pytest.mark.parametrize("kind", [Counting, Unreadable])
def test_the_first_request_alone_is_counted_as_lost_where_its_reply_is_the_first_sign(
    tmp_path: Path, kind: type[Course]
) -> None:
    course = kind(dialect="jan21", bot="scripted:1111111")
    for folder in ("one", "two", "two"):
        course.play(tmp_path / folder, games=1)
    course.play(tmp_path / "three", games=2)
    assert record(course) == (6, 1) and course.requested.count(NEW_GAME) == 1


def test_a_server_that_merely_leaves_out_the_board_gets_todays_requests(tmp_path: Path) -> None:
    course = Boardless(bot="scripted:1111111")
    course.play(tmp_path, games=2)
    course.play(tmp_path, games=1)
    assert course.requested.count(NEW_GAME) == 3 and record(course) == (3, 0)
    assert not list(state_folder().glob("server-*"))


def test_a_game_is_given_up_by_one_request_and_the_next_ones_are_opened_by_a_column(tmp_path: Path) -> None:
    course = Course(dialect="jan21", bot="scripted:1111111")
    course.play(tmp_path)
    play_and_die(course, 5, tmp_path)
    course.play(tmp_path, fresh=True, games=2)
    assert course.requested.count(NEW_GAME) == 1 and record(course) == (4, 1)
    course.play(tmp_path, fresh=True)
    assert course.requested.count(NEW_GAME) == 1, "no game was running"


def test_what_is_known_of_a_server_lies_in_the_users_state_and_damage_there_costs_one_question(tmp_path: Path) -> None:
    course = Course(dialect="jan21", bot="scripted:1111111")
    course.play(tmp_path)
    (path,) = state_folder().glob("server-*.json")
    assert json.loads(path.read_text()) == {"dialect": None, "column_opens": True}
    for damage in (b"", b"[]", b'{"dialect": 7}', b'{"dialect": "jan22", "column_opens": 1}'):
        path.write_bytes(damage)
        course.play(tmp_path)
    assert record(course) == (5, 0)


def test_a_resumed_run_of_another_folder_says_where_its_games_are(tmp_path: Path) -> None:
    course, watcher = Course(bot="scripted:1111111"), Watcher()
    play_and_die(course, 6, tmp_path / "one")
    course.play(tmp_path / "two", watcher, games=2)
    assert [len(journal.games) for journal in journals(tmp_path / "one")] == [2]
    assert journals(tmp_path / "two") == []
    (path,) = state_folder().glob("last-*.json")
    assert json.loads(path.read_text()) == {"folder": str(tmp_path / "one")}
    assert record(course) == (2, 0)


def test_statistics_that_lag_cost_no_second_loss(tmp_path: Path) -> None:
    course = Lagging(dialect="jan21", bot="scripted:1111111")
    course.play(tmp_path, games=4)
    assert course.requested.count(NEW_GAME) == 1 and record(course) == (5, 1)


@pytest.mark.parametrize("has_mark", [False, True])
@pytest.mark.parametrize("said", ["No game is running.", "Bad request", "Illegal move.", ""])
def test_a_server_that_opens_no_game_by_a_column_gets_a_request_and_nothing_is_counted(
    tmp_path: Path, said: str, has_mark: bool
) -> None:
    course = Refusing(bot="scripted:1212121", keeps_statistics=False)
    course.said, course.has_mark = said, has_mark
    for _ in range(2):
        assert course.play(tmp_path, games=2, agent=make_agent("scripted:4444")).lost == 0
    assert set(course.reasons) == {"played"} and course.requested.count(NEW_GAME) == 4


def test_a_passing_refusal_where_columns_open_games_costs_no_loss_later(tmp_path: Path) -> None:
    course = Course(dialect="jan21", bot="scripted:1111111")
    course.play(tmp_path)
    process = course.process
    refused = {"status": False, "msg": "Maintenance, try later."}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(course, "process", lambda _move: refused)
        with pytest.raises(ProtocolError, match="Maintenance"):
            course.play(tmp_path)
    assert course.process == process
    course.play(tmp_path, games=3)
    assert record(course) == (4, 0) and NEW_GAME not in course.requested


def test_a_stale_pointer_and_a_game_that_was_never_answered_give_nothing_up(tmp_path: Path) -> None:
    course = Course(dialect="jan21", bot="scripted:1111111")
    course.play(tmp_path)
    play_and_die(course, 2, tmp_path)
    course.play(tmp_path, fresh=True)
    assert NEW_GAME not in course.requested and record(course)[1] == 0


def test_one_404_of_the_statistics_is_no_reason_to_play_otherwise_for_ever(tmp_path: Path) -> None:
    course = Course(bot="scripted:1111111", keeps_statistics=False)
    course.play(tmp_path)
    assert NEW_GAME not in course.requested
    course._keeps_statistics = True
    course.play(tmp_path, games=2)
    assert course.requested.count(NEW_GAME) == 2 and record(course) == (3, 0)


def test_where_the_journals_alone_count_all_of_them_decide(tmp_path: Path) -> None:
    write_run(tmp_path, [*[1.0] * 25, -1.0], ids=WHO, server="s")
    verdict = Course(dialect="jan21", bot="scripted:1111111").play(tmp_path).verdict
    assert (verdict.is_met, verdict.witness, verdict.streak, verdict.longest) == (True, "journals", 1, 25)
