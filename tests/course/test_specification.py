"""The course room: it plays games at the course's server and loses none to a bad network, a crash or a mistake.

A run of `bot play` opens games, sends one move at a time, and records everything before anything depends on it. A move
is not idempotent: when its reply is lost, the run finds out what happened and never guesses that nothing did. A request
for a new game forfeits a running one, so it is sent only when none can be running. Here runs play against a server that
was written from its protocol alone, in virtual time; tests/recorded has runs over HTTP.
"""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import pytest
from pydantic import SecretStr

from bot.agents.catalogue import make_agent
from bot.course.client.http import CourseClient
from bot.course.events import Chosen, Failed, Replied, Started
from bot.course.journal.games import game_problems
from bot.course.journal.journal import journal_files
from bot.course.run.standings import disagreements
from bot.errors import JournalError, NetworkError
from bot.game import format_moves
from tests.course.foreign_course import AlphaBetaBot
from tests.course.foreign_server import ForeignServer
from tests.course.run.course import (
    LEFTMOST,
    WHO,
    Course,
    Watcher,
    journal_standings,
    journals,
    level,
    opened,
    records,
)
from tests.simulation.bots import at_random
from tests.simulation.world import Killed


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    level(monkeypatch)


def test_a_series_is_played_counted_and_recorded(tmp_path):
    course = Course(starter="random")
    standings = course.play(tmp_path, games=4)
    assert (standings.played, course.reasons) == (4, ["played"] * 4)
    (journal,) = journals(tmp_path)
    assert journal.run_end is not None and journal.run_end.reason == "finished"
    assert [game_problems(game) for game in journal.games] == [[]] * 4, "all moves lead to the boards shown"
    assert {game.we_started for game in journal.games} == {True, False}
    assert disagreements(journal_standings(tmp_path, "s", WHO), course.counted) == []


def test_every_move_is_recorded_before_it_leaves(tmp_path):
    course = Course()
    on_disk: list[object] = []
    course.moment = lambda: on_disk.append(type(records(tmp_path)[-1]))
    course.play(tmp_path)
    kinds = [type(record) for record in records(tmp_path) if isinstance(record, (Chosen, Replied))]
    assert kinds == [Chosen, Replied] * course.faults.requests
    assert on_disk.count(Chosen) == 2 * course.faults.requests


def test_an_observer_sees_each_game_move_by_move(tmp_path):
    watcher = Watcher()
    Course(LEFTMOST).play(tmp_path, watcher, agent=make_agent("scripted:4444"))
    calls = ["game_started", "replied", *["decided", "replied"] * 4, "game_ended", "run_ended"]
    assert [call[0] for call in watcher.shown] == calls
    (_, end), (_,) = watcher.shown[-2:]
    assert (end.result, end.we_started, format_moves(end.moves)) == (1.0, True, "4141414")


@pytest.mark.parametrize(("faults", "is_january"), [("reset=0.3", False), ("kill=0.1", False), ("reset=0.2", True)])
def test_lost_replies_and_crashes_forfeit_no_game(tmp_path, faults, is_january):
    course, deaths = Course(AlphaBetaBot(1), 5, "random", is_january=is_january, faults=faults), 0
    while (left := 3 - journal_standings(tmp_path, "s", WHO).played) > 0:
        try:
            course.play(tmp_path, games=left, patience_s=100.0)
        except Killed:
            deaths += 1
    failures = sum(isinstance(record, Failed) for record in records(tmp_path))
    assert (failures > 0, deaths > 0) == ("reset" in faults, "kill" in faults), "the test must have tested something"
    assert set(course.reasons) == {"played"}
    if not is_january:
        assert disagreements(journal_standings(tmp_path, "s", WHO), course.counted) == []


@pytest.mark.parametrize(("moment", "said"), [(3, "was requested and may be"), (5, "is still")])
def test_a_run_that_is_interrupted_says_so_and_keeps_the_game(tmp_path, moment, said):
    course, watcher = Course(), Watcher()
    course.at[moment] = Mock(side_effect=KeyboardInterrupt)  # the request has been processed
    with pytest.raises(KeyboardInterrupt):
        course.play(tmp_path, watcher)
    (journal,) = journals(tmp_path)
    assert (journal.run_end and journal.run_end.reason, journal.unfinished) == ("interrupted", 1)
    assert watcher.notices[-1].startswith(f"Interrupted: game 1 {said} running on the server.")
    course.play(tmp_path)
    assert course.reasons == ["played"]
    assert [record.game for record in records(tmp_path) if isinstance(record, Started)] == [0, 1]


@pytest.mark.parametrize("is_gone", [False, True], ids=["journal", "no journal"])
def test_a_game_is_given_up_only_on_demand_and_then_lost(tmp_path, is_gone):
    course, watcher = Course(LEFTMOST), Watcher()
    course.play(tmp_path, games=2)
    course.play_and_die(6, tmp_path)
    if is_gone:
        journal_files(tmp_path)[-1].unlink()
        with pytest.raises(JournalError, match="may be unfinished, but"):
            course.play(tmp_path)
    assert course.play(tmp_path, watcher, fresh=True).current == 1, "the streak of two is over"
    assert (watcher.notices, course.reasons) == ([], ["played", "played", "forfeit", "played"])
    assert is_gone or disagreements(journal_standings(tmp_path, "s", WHO), course.counted) == []


def test_a_server_that_does_not_answer_ends_the_run_and_the_game_is_kept(tmp_path):
    course = Course(faults="reset=1")
    with pytest.raises(NetworkError) as raised:
        course.play(tmp_path, patience_s=0.3)
    assert "A game may be running. Run the same command again" in raised.value.hint
    (journal,) = journals(tmp_path)
    assert (journal.unfinished, journal.run_end and journal.run_end.error) == (1, raised.value.message)
    course.faults.plan = {}
    watcher = Watcher()
    assert course.play(tmp_path, watcher).played == 1
    assert watcher.notices[0] == "Resuming game 1, which the last run asked for without getting an answer."


class EverySecond(ForeignServer):
    """A server that answers every second request, and has not received the others."""

    requests = 0

    def _reply(self, path: str, form: dict[str, list[str]]) -> Any:
        self.requests += 1
        if self.requests % 2:
            raise ConnectionError
        return super()._reply(path, form)


def test_a_server_that_answers_every_second_request_only_is_played_to_the_end(tmp_path):
    server = EverySecond(at_random, seed=1)
    with server, opened(tmp_path, patience_s=60.0) as run:
        played = run.play(CourseClient(server.url, WHO, SecretStr("nyckel"), patience_s=60.0), Watcher())
    assert played.played == 1 and [game.ended for game in server._course.finished] == ["played"]
