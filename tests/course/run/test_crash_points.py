"""Death at every single moment of two games: before, inside and after each record and each request.

Whatever the moment, the journal reads, the next run resumes the game, nothing is forfeited, every game verifies, and
journal and server agree in the end.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from typing import Any

import pytest
from bot.course.run.observer import Silent

from bot.agents.catalogue import make_agent
from bot.course.client.wire import Stats
from bot.course.journal.reader import journals
from bot.course.journal.verify import count_problems, replay_game
from bot.course.journal.writer import JournalWriter
from bot.course.run.prospects import EngineProspects
from bot.course.run.run import Plan, Run
from bot.course.run.standings import disagreements, journal_standings
from bot.course.server.referee import Dialect, Referee, Starter
from bot.course.server.store import Store
from bot.game import Board
from tests.course.run.course import WHO, Killed, LossyCourse

GAMES = 2


class CrashPoint:
    """Counts the moments at which a process can die, and kills at the chosen one."""

    def __init__(self, moment: int) -> None:
        self.left = moment
        self.dead = False

    def pass_by(self) -> bool:
        """Return whether the process dies now."""
        self.left -= 1
        self.dead = self.dead or self.left == 0
        return self.dead

    def meet(self) -> None:
        if self.pass_by():
            raise Killed


@pytest.fixture
def crash(monkeypatch: pytest.MonkeyPatch) -> CrashPoint:
    """One crash, which can also happen in the journal's writer: before a record, in its middle, or after it."""
    crash = CrashPoint(0)
    append, write = JournalWriter.append, os.write

    def mortal(self: JournalWriter, record_type: str, /, **fields: Any) -> None:
        if crash.dead:
            return
        crash.meet()
        if crash.pass_by():
            monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[: len(data) // 2]) * 2)
            monkeypatch.setattr(JournalWriter, "_cut", lambda *_: None)
            try:
                append(self, record_type, **fields)
            except BaseException:
                pass
            finally:
                monkeypatch.setattr(os, "write", write)
            raise Killed
        append(self, record_type, **fields)
        crash.meet()

    monkeypatch.setattr(JournalWriter, "append", mortal)
    monkeypatch.setattr(JournalWriter, "_cut", lambda *_: None)
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)  # a death is no power cut: what is written stays
    monkeypatch.setattr(EngineProspects, "prospects", lambda _self, board: _level(board))
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)
    return crash


def _level(board: Board) -> list[float]:
    """Return equal values for all columns: the test is about the known position, not about good moves."""
    return [float(board.can_play(column)) for column in range(7)]


def live(
    logs: Path, crash: CrashPoint, moment: int, seed: int, fault: float, starter: Starter, dialect: Dialect
) -> Store:
    """Play two games with a crash at the given moment (0: none) and a restart."""
    chance = random.Random(seed)
    store = Store()
    store.open()
    referee = Referee(store, make_agent("random", seed=seed), dialect=dialect, starter=starter, seed=seed)
    crash.left, crash.dead = moment, False
    for _ in range(2):
        left = GAMES - journal_standings(logs, "s", WHO).played
        if left <= 0:
            break
        agent = make_agent("depth2", seed=seed)
        client = LossyCourse(referee, chance, fault, has_statistics=dialect is not Dialect.JAN21, after=crash.meet)
        run: Run | None = None
        try:
            run = Run(Plan("s", "s", WHO, left, 20, 5.0, 0.02, 30.0, logs), agent)
            run.play(client, Silent())  # type: ignore[arg-type]
        except Killed:
            pass
        finally:
            if run is not None:
                run.journal.close()
            crash.dead = False
    return store


SIDES = [(Dialect.CURRENT, Starter.STUDENT), (Dialect.CURRENT, Starter.BOT), (Dialect.JAN21, Starter.STUDENT)]
NAMES = ["we start", "the bot starts", "no statistics"]


@pytest.mark.parametrize(
    ("fault", "step"),
    [
        pytest.param(0.0, 5, id="calm"),
        pytest.param(0.3, 7, id="lossy"),
        pytest.param(0.0, 1, id="calm, every moment", marks=pytest.mark.slow),
        pytest.param(0.3, 1, id="lossy, every moment", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize(("dialect", "starter"), SIDES, ids=NAMES)
def test_no_moment_is_a_bad_one_to_die(
    tmp_path: Path, crash: CrashPoint, dialect: Dialect, starter: Starter, fault: float, step: int
) -> None:
    """The default steps have no factor in common with the four moments of a record and its request."""
    (tmp_path / "0").mkdir()
    live(tmp_path / "0", crash, 0, 5, fault, starter, dialect)
    moments = -crash.left
    assert moments > 60, "the games must be long enough to die in"
    for moment in range(1, moments + 1, step):
        logs = tmp_path / str(moment)
        store = live(logs, crash, moment, 5 + moment if fault else 5, fault, starter, dialect)
        check(logs, store, moment, agrees=not fault or dialect is not Dialect.JAN21)


def check(logs: Path, store: Store, moment: int, agrees: bool) -> None:
    """``agrees``: whether journal and server must agree, which needs statistics after a lost last reply."""
    games = store.games("a")
    assert [game.reason for game in games if game.reason != "played"] == [], moment
    runs = list(journals(logs, "s", WHO))
    problems = [text for run in runs for game in run.games for text in replay_game(game).problems]
    assert problems + [text for run in runs for text in count_problems(run.path)] == [], moment
    record = store.read("a")
    statistics = Stats(record.played, record.won, record.lost, record.streak)
    assert not agrees or disagreements(journal_standings(logs, "s", WHO), statistics) == [], moment
