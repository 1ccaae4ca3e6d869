"""Death at every moment of two games, and damage to every line of a journal.

The next run goes on, no game is forfeited, every game verifies, and journal and server agree in the end.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from bot.agents.catalogue import make_agent
from bot.course.journal.reader import journal_files
from bot.course.journal.records import Record
from bot.course.journal.verify import game_problems
from bot.course.journal.writer import JournalWriter
from bot.course.protocol import Dialect
from bot.course.run.standings import disagreements, journal_standings
from bot.course.server.referee import Starter
from bot.course.session.events import Replied
from bot.errors import JournalError, NetworkError
from tests.course.run.course import WHO, Course, Killed, Watcher, journals, level, records

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
        runs = journals(logs)
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


@pytest.mark.parametrize("fresh", [False, True])
def test_a_run_that_dies_when_a_reply_has_shown_the_end_of_its_game_leaves_nothing_to_resume_or_give_up(
    tmp_path: Path, fresh: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The won game is no loss, and the streak goes on with the next run's game."""
    course, watcher = Course(starter="bot", bot="scripted:1212121"), Watcher()

    with monkeypatch.context() as patch:
        patch.setattr(JournalWriter, "sync", lambda _writer: course.die())  # nothing has followed from the last reply
        with pytest.raises(Killed):
            course.play(tmp_path, agent=make_agent("scripted:4444"))
    assert isinstance(records(tmp_path)[-1], Replied) and course.reasons == ["played"]
    standings = course.play(tmp_path, watcher, fresh=fresh)
    assert course.reasons == ["played"] * 2 and watcher.notices == []
    assert (standings.played, standings.current) == (1, 2)
    died, lived = journals(tmp_path)
    assert [(end.result, end.we_started) for end in died.ends] == [(1.0, False)] and died.unfinished is None
    assert (died.run_end, lived.header.game, len(lived.ends)) == (None, 0, 1)
    assert disagreements(journal_standings(tmp_path, "s", WHO), course.stats) == []


def test_a_game_whose_journal_is_gone_is_given_up_on_demand_and_ends_the_streak(tmp_path: Path) -> None:
    course = Course(starter="bot", bot="scripted:1212121")
    agent = make_agent("scripted:4444")
    course.play(tmp_path / "one", agent=agent)
    course.at[course.moments + 6] = course.die
    with pytest.raises(Killed):
        course.play(tmp_path / "one", agent=agent)
    journal_files(tmp_path / "one")[-1].unlink()
    with pytest.raises(JournalError, match="is unfinished, but"):
        course.play(tmp_path / "one", agent=agent)
    standings = course.play(tmp_path / "one", agent=agent, fresh=True)
    assert course.reasons == ["played", "forfeit", "played"]
    assert (standings.current, course.stats.streak) == (1, 1)
    assert journals(tmp_path / "one")[-1].header.is_giving_up


def test_ctrl_c_before_a_games_end_is_told_keeps_its_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_writer: JournalWriter) -> None:
        raise KeyboardInterrupt

    course = Course(starter="bot", bot="scripted:1212121")
    with monkeypatch.context() as patch:
        patch.setattr(JournalWriter, "sync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            course.play(tmp_path, agent=make_agent("scripted:4444"))
    assert disagreements(journal_standings(tmp_path, "s", WHO), course.stats) == []


def test_ctrl_c_while_a_game_is_requested_says_that_it_may_be_running(tmp_path: Path) -> None:
    course, watcher = Course(), Watcher()

    def interrupt() -> None:
        raise KeyboardInterrupt

    course.at[3] = interrupt  # the request has been processed
    with pytest.raises(KeyboardInterrupt):
        course.play(tmp_path, watcher)
    (text,) = watcher.notices
    assert text.startswith("Interrupted: game 1 was requested and may be running on the server. The game is kept")


def test_a_games_end_is_on_the_disk_before_it_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_disk: list[int] = []
    seen: list[int] = []

    class Reader(Watcher):
        def game_ended(self, *_: object) -> None:
            seen.append(on_disk[-1])

    def noting(_writer: JournalWriter) -> None:
        on_disk.append(sum(len(journal.ends) for journal in journals(tmp_path)))

    monkeypatch.setattr(JournalWriter, "sync", noting)
    Course().play(tmp_path, Reader(), games=GAMES)
    assert seen == [1, 2]


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
