"""Death at every moment of two games, and damage to every line of a journal.

The next run goes on, no game is forfeited, every game verifies, and journal and server agree in the end.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from bot.course.journal.reader import journals
from bot.course.journal.verify import game_problems
from bot.course.journal.writer import JournalWriter
from bot.course.protocol import Dialect
from bot.course.run.standings import disagreements, journal_standings
from bot.course.server.referee import Starter
from bot.course.session.events import GameEnded, Record, Replied
from bot.errors import NetworkError
from tests.course.run.course import ME, WHO, Course, Killed, Watcher, level, records

GAMES = 2
MOST_RUNS = 6


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    level(monkeypatch)
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)  # a death is no power cut: what is written stays


def live(logs: Path, moment: int, course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play two games with a crash at a moment, which may be before, inside or after a record; then go on.

    A run whose first reply is lost, at a server without statistics, ends as it should: nothing has answered it.
    """
    write = JournalWriter.write

    def mortal(writer: JournalWriter, record: Record) -> None:
        course.moment()
        before = writer.path.stat().st_size
        write(writer, record)
        try:
            course.moment()
        except Killed:
            os.truncate(writer.path, (before + writer.path.stat().st_size) // 2)
            raise
        course.moment()

    course.at[moment] = course.die
    with monkeypatch.context() as patch:
        patch.setattr(JournalWriter, "write", mortal)
        for _ in range(MOST_RUNS):
            left = GAMES - journal_standings(logs, "s", WHO).played
            if left > 0:
                with suppress(Killed, NetworkError):
                    course.play(logs, games=left)


@pytest.mark.parametrize(("loss", "step"), [(0.0, 3), (0.2, 13)])  # a record has three moments
@pytest.mark.parametrize(("dialect", "starter"), [("current", "student"), ("current", "bot"), ("jan21", "student")])
def test_no_moment_is_a_bad_one_to_die(
    tmp_path: Path, dialect: Dialect, starter: Starter, loss: float, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for moment in range(1, 100, step):
        course, logs = Course(5 + moment, starter, dialect, loss=loss), tmp_path / str(moment)
        live(logs, moment, course, monkeypatch)
        assert course.deaths == 1 and len(course.reasons) >= GAMES
        assert set(course.reasons) == {"played"}, moment
        runs = list(journals(logs, ME))
        problems = [text for run in runs for game in run.games for text in game_problems(game)]
        assert problems + [text for run in runs for text in run.problems] == [], moment
        if not loss or dialect == "current":  # else statistics are needed after a lost last reply
            assert disagreements(journal_standings(logs, "s", WHO), course.stats) == [], moment


def test_after_ctrl_c_the_reply_that_still_came_is_in_the_journal(tmp_path: Path) -> None:
    course = Course()
    course.at[6] = lambda: setattr(course, "is_interrupted", True)
    with pytest.raises(KeyboardInterrupt):
        course.play(tmp_path)
    *_, reply, _end = records(tmp_path)
    assert isinstance(reply, Replied)


def test_a_games_end_is_in_the_journal_before_it_is_shown(tmp_path: Path) -> None:
    recorded = []

    class Reader(Watcher):
        def game_ended(self, *_: object) -> None:
            recorded.append(sum(isinstance(record, GameEnded) for record in records(tmp_path)))

    Course().play(tmp_path, Reader(), games=GAMES)
    assert recorded == [1, 2]


def test_after_damage_the_servers_first_board_decides_and_no_move_is_blind(tmp_path: Path) -> None:
    """Each line after the header in turn."""
    line, count = 1, 14
    while line < count:
        logs, course, watcher = tmp_path / str(line), Course(4, "bot", bot="depth2"), Watcher()
        course.at[12] = course.die
        with pytest.raises(Killed):
            course.play(logs)
        (path,) = logs.glob("*.jsonl")
        lines = path.read_bytes().splitlines(keepends=True)
        count = len(lines)
        lines[line] = lines[line][:30] + b"\n"
        path.write_bytes(b"".join(lines))
        course.play(logs, watcher)
        assert course.reasons == ["played"], line
        assert not [text for text in watcher.notices if "ame 0" in text], line
        _, _, seen = " ".join(call[0] for call in watcher.shown).partition("replied")
        assert "replied replied" not in seen and "notice" not in seen, f"{line}: a blind move, or a conflict"
        line += 1
