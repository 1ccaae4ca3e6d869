"""Games over a network that loses requests and replies, and a player that dies: neither may cost a game.

The server's own referee sits behind a client that fails on purpose; the failures are those that a real client cannot
tell apart. What the server's statistics say at the end is the judge.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from bot.course.run.observer import Silent

from bot.agents.catalogue import make_agent
from bot.course.client.wire import Stats
from bot.course.journal.reader import journals
from bot.course.run.run import Plan, Run
from bot.course.run.standings import disagreements, journal_standings
from bot.course.server.referee import Dialect, Referee, Starter
from bot.course.server.store import Store
from bot.engine.agent import Agent
from bot.errors import BotError
from tests.course.run.course import WHO, Killed, LossyCourse


def play(
    logs: Path, games: int, seed: int, agent: Agent, *, fault: float, kill: float, statistics: bool = True
) -> tuple[Store, int, int]:
    """Play until ``games`` are finished, starting anew after every death; returns store, faults and deaths."""
    chance = random.Random(seed)
    store = Store()
    store.open()
    dialect = Dialect.CURRENT if statistics else Dialect.JAN21
    referee = Referee(store, make_agent("depth1", seed=seed), dialect=dialect, starter=Starter.RANDOM, seed=seed)
    faults = deaths = 0

    def die() -> None:
        if chance.random() < kill:
            raise Killed

    while (left := games - journal_standings(logs, "s", WHO).played) > 0:
        client = LossyCourse(referee, chance, fault, has_statistics=statistics, before=die, after=die)
        run = Run(Plan("s", "s", WHO, left, 20, 5.0, 0.005, 100.0, logs), agent)
        try:
            run.play(client, Silent())  # type: ignore[arg-type]
        except Killed:
            deaths += 1
        finally:
            run.journal.close()
            faults += client.faults
    return store, faults, deaths


@pytest.fixture(scope="module")
def agent() -> Agent:
    return make_agent("depth3", seed=1)


@pytest.mark.parametrize(
    ("fault", "kill"), [(0.0, 0.0), (0.3, 0.0), (0.0, 0.05), (0.2, 0.02)], ids=["calm", "lossy", "deadly", "both"]
)
def test_faults_and_deaths_forfeit_no_game_and_journals_and_server_agree(
    tmp_path: Path, agent: Agent, fault: float, kill: float
) -> None:
    store, faults, deaths = play(tmp_path, 8, 7, agent, fault=fault, kill=kill)
    games = store.games("a")
    reasons = Counter(game.reason for game in games)
    assert reasons["forfeit"] == 0, "no game was forfeited"
    unsafe = sum(
        record["type"] == "intent" and record.get("safe") is False
        for journal in journals(tmp_path)
        for game in journal.games
        for record in game.records
    )
    assert reasons["illegal"] <= unsafe, "a full column is risked only where no column was safe"
    assert (faults > 0, deaths > 0) == (fault > 0, kill > 0), "the test must have tested something"
    record = store.read("a")
    statistics = Stats(record.played, record.won, record.lost, record.streak)
    assert disagreements(journal_standings(tmp_path, "s", WHO), statistics) == []


def test_without_statistics_the_next_board_tells(tmp_path: Path, agent: Agent) -> None:
    store, faults, _ = play(tmp_path, 10, 3, agent, fault=0.2, kill=0.0, statistics=False)
    assert faults > 0
    assert [game for game in store.games("a") if game.reason != "played"] == []


def test_a_lost_opening_is_never_sent_again_as_an_opening(tmp_path: Path, agent: Agent) -> None:
    store, _, _ = play(tmp_path, 8, 11, agent, fault=0.4, kill=0.0)
    assert [game.reason for game in store.games("a") if game.reason == "forfeit"] == []
    kinds = [
        record["kind"]
        for journal in journals(tmp_path)
        for game in journal.games
        for record in game.records
        if record["type"] == "event"
    ]
    assert kinds.count("reply_lost") > 5
    assert "reconciled" in kinds


def test_a_server_that_never_recovers_ends_the_run_with_the_game_kept(tmp_path: Path, agent: Agent) -> None:
    store = Store()
    store.open()
    referee = Referee(store, make_agent("random", seed=1), starter=Starter.STUDENT)
    run = Run(Plan("s", "s", WHO, 1, 20, 5.0, 0.005, 0.3, tmp_path), agent)
    with pytest.raises(BotError) as raised:
        run.play(LossyCourse(referee, random.Random(1), 2.0), Silent())  # type: ignore[arg-type]
    run.journal.close()
    assert raised.value.exit_code == 3
    assert next(journals(tmp_path)).unfinished is not None
