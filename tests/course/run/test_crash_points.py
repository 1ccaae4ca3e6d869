"""Death and Ctrl-C at the moments that matter most, and damage to every line of a journal.

`tests/course/session/test_exhaustive.py` lets the client die at all others, too.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.agents.catalogue import make_agent
from bot.course.events import Replied
from bot.course.journal.journal import journal_files
from bot.course.journal.writer import JournalWriter
from bot.course.run.standings import disagreements, journal_standings
from bot.errors import JournalError
from tests.course.run.course import WHO, Course, Killed, Watcher, journals, level, records

GAMES = 2


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    level(monkeypatch)
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)  # a death is no power cut: what is written stays


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
    assert [(len(journal.ends), journal.header.game) for journal in journals(tmp_path)] == [(1, 0)] * 2
    assert disagreements(journal_standings(tmp_path, "s", WHO), course.stats) == []


def test_a_game_whose_journal_is_gone_is_given_up_on_demand_and_ends_the_streak(tmp_path: Path) -> None:
    course = Course(starter="bot", bot="scripted:1212121")
    agent = make_agent("scripted:4444")
    course.play(tmp_path / "one", agent=agent)
    course.play_and_die(6, tmp_path / "one", agent=agent)
    journal_files(tmp_path / "one")[-1].unlink()
    with pytest.raises(JournalError, match="may be unfinished, but"):
        course.play(tmp_path / "one", agent=agent)
    standings = course.play(tmp_path / "one", agent=agent, fresh=True)
    assert course.reasons == ["played", "forfeit", "played"]
    assert (standings.current, course.stats.streak) == (1, 1)
    assert journals(tmp_path / "one")[-1].header.is_giving_up


def test_ctrl_c_before_a_games_end_is_told_keeps_its_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    course = Course(starter="bot", bot="scripted:1212121")
    with monkeypatch.context() as patch:
        patch.setattr(JournalWriter, "sync", lambda _writer: course.interrupt())
        with pytest.raises(KeyboardInterrupt):
            course.play(tmp_path, agent=make_agent("scripted:4444"))
    assert disagreements(journal_standings(tmp_path, "s", WHO), course.stats) == []


def test_ctrl_c_while_a_game_is_requested_says_that_it_may_be_running(tmp_path: Path) -> None:
    course, watcher = Course(), Watcher()
    course.at[3] = course.interrupt  # the request has been processed
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
    for line in range(1, 13):
        logs, course, watcher = tmp_path / str(line), Course(4, "bot", bot="depth2"), Watcher()
        course.play_and_die(12, logs)
        (path,) = logs.glob("*.jsonl")
        lines = path.read_bytes().splitlines(keepends=True)
        assert len(lines) == 13
        lines[line] = lines[line][:30] + b"\n"
        path.write_bytes(b"".join(lines))
        course.play(logs, watcher)
        assert course.reasons == ["played"], line
        assert not [text for text in watcher.notices if "ame 0" in text], line
        _, _, seen = " ".join(call[0] for call in watcher.shown).partition("replied")
        assert "replied replied" not in seen and "notice" not in seen, f"{line}: a blind move, or a conflict"
