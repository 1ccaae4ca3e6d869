"""Death at every single moment of two games: before, inside and after each record and each request.

Whatever the moment, the journal reads, the next run resumes the game, nothing is forfeited, every game verifies, and
journal and server agree in the end.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from bot.course.address import Identity
from bot.course.journal.reader import journals
from bot.course.journal.verify import game_problems
from bot.course.journal.writer import FileSink, JournalWriter
from bot.course.run.standings import disagreements, journal_standings
from bot.course.server.referee import Dialect, Starter
from bot.course.session.events import Record
from bot.errors import NetworkError
from tests.course.run.course import WHO, Course, Killed, level, play

GAMES = 2
MOST_RUNS = 6


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
    write, write_bytes = JournalWriter.write, os.write

    def mortal(self: JournalWriter, record: Record) -> None:
        if crash.dead:
            return
        crash.meet()
        if crash.pass_by():
            monkeypatch.setattr(os, "write", lambda file, data: write_bytes(file, data[: len(data) // 2]) * 2)
            with suppress(BaseException):
                write(self, record)
            monkeypatch.setattr(os, "write", write_bytes)
            raise Killed
        write(self, record)
        crash.meet()

    def truncate(self: FileSink, length: int) -> None:
        if not crash.dead:  # the dead do not cut off what they have written
            os.ftruncate(self._descriptor, length)

    monkeypatch.setattr(JournalWriter, "write", mortal)
    monkeypatch.setattr(FileSink, "truncate", truncate)
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)  # a death is no power cut: what is written stays
    level(monkeypatch)
    return crash


def live(
    logs: Path, crash: CrashPoint, moment: int, seed: int, fault: float, starter: Starter, dialect: Dialect
) -> Course:
    """Play two games with a crash at the given moment (0: none), and restarts until they are over.

    A run whose first reply is lost, at a server without statistics, ends as it should: nothing has answered it.
    """
    course = Course(seed, starter, dialect, loss=fault, after=crash.meet)
    crash.left, crash.dead = moment, False
    for _ in range(MOST_RUNS):
        left = GAMES - journal_standings(logs, "s", WHO).played
        if left <= 0:
            break
        with suppress(Killed, NetworkError):
            play(course, logs, games=left)
        crash.dead = False
    return course


SIDES = [("current", "student"), ("current", "bot"), ("jan21", "student")]
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
        course = live(logs, crash, moment, 5 + moment if fault else 5, fault, starter, dialect)
        check(logs, course, moment, agrees=not fault or dialect != "jan21")


def check(logs: Path, course: Course, moment: int, agrees: bool) -> None:
    """``agrees``: whether journal and server must agree, which needs statistics after a lost last reply."""
    assert len(course.reasons) >= GAMES, moment
    assert [reason for reason in course.reasons if reason != "played"] == [], moment
    runs = list(journals(logs, Identity.of("s", WHO)))
    problems = [text for run in runs for game in run.games for text in game_problems(game)]
    problems += [text for run in runs for text in run.problems]
    assert problems == [], moment
    assert not agrees or disagreements(journal_standings(logs, "s", WHO), course.stats) == [], moment
