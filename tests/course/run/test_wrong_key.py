"""A new game that the server refuses, for its key or its form: nothing is unfinished, and nothing can be given up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bot.course.run.observer import Silent
from pydantic import SecretStr

from bot.agents.catalogue import make_agent
from bot.cli.checks.journals import check_journals
from bot.course.client.failures import RejectedError
from bot.course.client.http import CourseClient
from bot.course.journal.reader import journals, parse_journal
from bot.course.journal.sink import MemorySink
from bot.course.journal.state import Identity, hold, unfinished_game
from bot.course.journal.writer import JournalWriter
from bot.course.run.run import Plan, Run
from bot.course.run.standings import RunStandings, Standings, disagreements, journal_standings, standings_of
from bot.course.server.embedded import embedded_server
from tests.course.run.course import PATIENT

KEY = "sekrit"
WHO = ("a",)


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with embedded_server(make_agent("random", seed=2), api_key=KEY, db=tmp_path / "db.sqlite3", seed=2) as url:
        yield url


def play(url: str, logs: Path, *, key: str = KEY, who: tuple[str, ...] = WHO, fresh: bool = False) -> RunStandings:
    with hold(Identity.of(url, who), logs) as place:
        run = Run(Plan(url, url, who, 1, 20, 60.0, 0.005, 60.0, logs, fresh), make_agent("depth2", seed=1), place)
        try:
            return run.play(CourseClient(url, who, SecretStr(key), PATIENT), Silent())
        finally:
            run.journal.close()


def refused(url: str, logs: Path, who: tuple[str, ...] = WHO) -> None:
    with pytest.raises(RejectedError):
        play(url, logs, key="wrong" if who == WHO else KEY, who=who)


@pytest.mark.parametrize("fresh", [False, True], ids=["again", "fresh"])
def test_after_a_wrong_key_the_next_run_starts_as_if_nothing_had_happened(
    url: str, tmp_path: Path, fresh: bool
) -> None:
    logs = tmp_path / "logs"
    refused(url, logs)
    assert journal_standings(logs, url, WHO) == Standings()
    assert not [result for result in check_journals(logs) if result.name == "unfinished"]
    played = play(url, logs, fresh=fresh)
    assert (played.played, played.lost) == (1, 0)
    assert len(list(journals(logs))) == 2, "the second run resumes nothing"
    ours, theirs = journal_standings(logs, url, WHO), CourseClient(url, WHO, SecretStr(KEY), PATIENT).stats()
    assert theirs is not None and disagreements(ours, theirs) == []


def test_a_form_that_the_server_rejects_opens_no_game(url: str, tmp_path: Path) -> None:
    refused(url, tmp_path / "logs", ("", ""))
    assert not journal_standings(tmp_path / "logs", url, ("", "")).running


def test_after_a_wrong_key_no_pointer_to_the_game_is_left(url: str, tmp_path: Path) -> None:
    refused(url, tmp_path / "logs")
    with hold(Identity.of(url, WHO), tmp_path / "logs") as place:
        assert place.unfinished is None
        assert unfinished_game(place, tmp_path / "logs") is None


@pytest.mark.parametrize("next_request", ["refused", "not sent"])
def test_a_game_whose_opening_was_lost_is_kept_whatever_the_next_request_meets(next_request: str) -> None:
    sink = MemorySink()
    writer = JournalWriter(sink)
    writer.start(server="http://x", stil_ids=list(WHO))
    writer.intent(1, -1, 0)
    writer.event(1, "reply_lost", "The reply was lost.", move=-1)
    writer.intent(1, 3, 0)
    if next_request == "refused":
        writer.reply(1, status=False, msg="Incorrect API key.")
    else:
        writer.event(1, "not_sent", "The server cannot be reached.", move=3, fate="not sent")
    assert parse_journal(sink.content).unfinished is not None, "the first request may have opened it"


def test_a_game_that_an_earlier_version_gave_up_although_it_was_refused_does_not_count() -> None:
    sink = MemorySink()
    writer = JournalWriter(sink)
    writer.start(server="http://x", stil_ids=list(WHO))
    writer.intent(1, -1, 0)
    writer.reply(1, status=False, msg="Incorrect API key.")
    writer.game_end(1, -1.0, known_by="abandoned")
    assert standings_of([parse_journal(sink.content)]) == Standings()
