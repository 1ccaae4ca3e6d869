"""Games over a network that loses requests and replies, and a player that dies: neither may cost a game.

The server's own referee sits behind a world that fails on purpose; the failures are those that a real client cannot
tell apart. The server's statistics at the end are the judge.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from bot.agents.catalogue import make_agent
from bot.course.journal.reader import journals
from bot.course.run.standings import disagreements, journal_standings
from bot.course.server.referee import Dialect
from bot.course.session.events import Chosen, Failed, Note, Record
from bot.engine.agent import Agent
from bot.errors import BotError
from tests.course.run.course import WHO, Course, Killed, play


def play_games(
    logs: Path, games: int, seed: int, agent: Agent, *, fault: float, kill: float, dialect: Dialect = "current"
) -> tuple[Course, int]:
    """Play until ``games`` are finished, starting anew after every death; returns the server and the deaths."""
    chance = random.Random(seed)

    def die() -> None:
        if chance.random() < kill:
            raise Killed

    course = Course(seed, "random", dialect, bot="depth1", loss=fault, before=die, after=die)
    deaths = 0
    while (left := games - journal_standings(logs, "s", WHO).played) > 0:
        try:
            play(course, logs, games=left, agent=agent, patience_s=100.0)
        except Killed:
            deaths += 1
    return course, deaths


def records(logs: Path) -> list[Record]:
    return [record for journal in journals(logs) for _line, record in journal.records]


@pytest.fixture(scope="module")
def agent() -> Agent:
    return make_agent("depth3", seed=1)


@pytest.mark.parametrize(
    ("fault", "kill"), [(0.0, 0.0), (0.3, 0.0), (0.0, 0.05), (0.2, 0.02)], ids=["calm", "lossy", "deadly", "both"]
)
def test_faults_and_deaths_forfeit_no_game_and_journals_and_server_agree(
    tmp_path: Path, agent: Agent, fault: float, kill: float
) -> None:
    course, deaths = play_games(tmp_path, 8, 7, agent, fault=fault, kill=kill)
    reasons = Counter(course.reasons)
    assert reasons["forfeit"] == 0, "no game was forfeited"
    unsafe = sum(isinstance(record, Chosen) and not record.safe for record in records(tmp_path))
    assert reasons["illegal"] <= unsafe, "a full column is risked only where no column was safe"
    assert (course.faults > 0, deaths > 0) == (fault > 0, kill > 0), "the test must have tested something"
    assert disagreements(journal_standings(tmp_path, "s", WHO), course.stats) == []


def test_without_statistics_the_next_board_shows_what_happened(tmp_path: Path, agent: Agent) -> None:
    course, _ = play_games(tmp_path, 10, 3, agent, fault=0.2, kill=0.0, dialect="jan21")
    assert course.faults > 0
    assert [reason for reason in course.reasons if reason != "played"] == []


def test_a_lost_opening_is_never_sent_again_as_an_opening(tmp_path: Path, agent: Agent) -> None:
    course, _ = play_games(tmp_path, 8, 11, agent, fault=0.4, kill=0.0)
    assert "forfeit" not in course.reasons
    assert sum(isinstance(record, Failed) for record in records(tmp_path)) > 5
    assert any(isinstance(record, Note) and record.kind == "reconciled" for record in records(tmp_path))


def test_a_server_that_never_recovers_ends_the_run_with_the_game_kept(tmp_path: Path, agent: Agent) -> None:
    with pytest.raises(BotError) as raised:
        play(Course(loss=2.0), tmp_path, agent=agent, patience_s=0.3)
    assert raised.value.exit_code == 3
    assert next(journals(tmp_path)).unfinished is not None
