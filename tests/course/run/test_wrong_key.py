"""A new game that the server refuses, for its key or its form: nothing is unfinished, and nothing can be given up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.agents.catalogue import make_agent
from bot.cli.checks.journals import check_journals
from bot.course.address import Identity
from bot.course.client.http import CourseClient
from bot.course.journal.reader import journals
from bot.course.journal.state import hold
from bot.course.protocol import MoveReply
from bot.course.run.history import read_history
from bot.course.run.standings import RunStandings, Standings, disagreements, journal_standings
from bot.course.server.embedded import embedded_server
from bot.course.session.events import Delivery, Event, Failed, Replied
from bot.errors import BotError, ExitCode, ProtocolError
from tests.course.run.course import PATIENT, WHO, Course, play

KEY = "sekrit"
REFUSED = MoveReply(False, "Incorrect API key.")


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with embedded_server(make_agent("random", seed=2), api_key=KEY, db=tmp_path / "db.sqlite3", seed=2) as url:
        yield url


def play_at(url: str, logs: Path, *, key: str = KEY, who: tuple[str, ...] = WHO, fresh: bool = False) -> RunStandings:
    client = CourseClient(url, who, SecretStr(key), timeouts=PATIENT)
    return play(client, logs, server=url, url=url, who=who, limit_s=60.0, patience_s=60.0, fresh=fresh)


def refused(url: str, logs: Path, who: tuple[str, ...] = WHO) -> None:
    with pytest.raises(ProtocolError):
        play_at(url, logs, key="wrong" if who == WHO else KEY, who=who)


@pytest.mark.parametrize("fresh", [False, True], ids=["again", "fresh"])
def test_after_a_wrong_key_the_next_run_starts_as_if_nothing_had_happened(
    url: str, tmp_path: Path, fresh: bool
) -> None:
    logs = tmp_path / "logs"
    refused(url, logs)
    assert journal_standings(logs, url, WHO) == Standings()
    assert not [result for result in check_journals(logs) if result.name == "unfinished"]
    played = play_at(url, logs, fresh=fresh)
    assert (played.played, played.lost) == (1, 0)
    assert [game.number for journal in journals(logs) for game in journal.games] == [1], "nothing is resumed"
    theirs = CourseClient(url, WHO, SecretStr(KEY), timeouts=PATIENT).read_statistics()
    assert theirs is not None and disagreements(journal_standings(logs, url, WHO), theirs) == []


def test_a_form_that_the_server_rejects_opens_no_game(url: str, tmp_path: Path) -> None:
    refused(url, tmp_path / "logs", ("", ""))
    assert not journal_standings(tmp_path / "logs", url, ("", "")).running


def test_after_a_wrong_key_no_pointer_to_the_game_is_left(url: str, tmp_path: Path) -> None:
    refused(url, tmp_path / "logs")
    with hold(Identity.of(url, WHO), tmp_path / "logs") as place:
        assert place.unfinished is None
    found = read_history(tmp_path / "logs", Identity.of(url, WHO)).last
    assert found is None or found.unfinished is None


class Refusing(Course):
    """A course whose outcomes to the first requests to /move are given."""

    def __init__(self, *outcomes: Event) -> None:
        super().__init__()
        self._outcomes = list(outcomes)

    def send(self, move: int, on_sent: Any) -> Replied | Failed:
        if not self._outcomes:
            return super().send(move, on_sent)
        on_sent()
        self.now_s += 1.0
        outcome = self._outcomes.pop(0)
        assert isinstance(outcome, (Replied, Failed))
        return replace(outcome, at=self.now_s)


LOST = Failed(0.0, Delivery.UNKNOWN, "The reply was lost.", kind="reset")
NOT_SENT = Failed(0.0, Delivery.NOT_SENT, "The server cannot be reached.")


@pytest.mark.parametrize("second", [Replied(0.0, REFUSED), NOT_SENT], ids=["refused", "not sent"])
def test_a_game_whose_opening_was_lost_is_kept_whatever_the_next_request_meets(second: Event, tmp_path: Path) -> None:
    with pytest.raises(BotError) as raised:
        play(Refusing(LOST, second, *[NOT_SENT] * 100), tmp_path, patience_s=3.0)
    assert raised.value.exit_code in (ExitCode.NETWORK, ExitCode.PROTOCOL)
    (journal,) = journals(tmp_path)
    assert journal.unfinished == 1, "the first request may have opened it"


def test_a_refused_game_ends_no_streak(tmp_path: Path) -> None:
    """A key that was wrong once between two runs: the games before it go on counting."""
    course = Course(bot="scripted:1111111")
    assert play(course, tmp_path).won == 1
    with pytest.raises(ProtocolError):
        play(Refusing(Replied(0.0, REFUSED)), tmp_path, careful=True)  # a careful run keeps its journal
    assert play(course, tmp_path).won == 1
    assert len(list(journals(tmp_path))) == 3
    assert read_history(tmp_path, Identity.of("s", WHO)).streak == 2
