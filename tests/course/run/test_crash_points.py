"""Death and Ctrl-C at the moments that matter most.

`tests/course/session/test_exhaustive.py` lets the client die at all others, too.
"""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import chain, repeat
from typing import Any
from unittest.mock import Mock

import pytest

from bot.agents.catalogue import make_agent
from bot.course.events import Chosen, Failed
from bot.course.failures import Delivery
from bot.course.journal.journal import parse_outline
from bot.course.journal.records import JournalWriter
from bot.course.run.standings import disagreements
from bot.engine.agent import Decision
from bot.engine.simple import Scripted
from bot.errors import NetworkError
from tests.course.foreign_course import scripted_bot
from tests.course.run.course import LEFTMOST, WHO, Course, Watcher, journal_standings, journals, level, opened


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    level(monkeypatch)
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)  # a death is no power cut: what is written stays


def test_a_games_end_is_on_the_disk_before_it_is_shown_and_ctrl_c_in_between_keeps_its_journal(tmp_path, monkeypatch):
    course, watcher = Course(scripted_bot("1212121"), starter="bot"), Watcher()
    with monkeypatch.context() as patch:
        patch.setattr(JournalWriter, "sync", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            course.play(tmp_path, watcher, agent=make_agent("scripted:4444"))
    assert "game_ended" not in {call[0] for call in watcher.shown}
    assert disagreements(journal_standings(tmp_path, "s", WHO), course.counted) == []


def test_where_no_request_could_be_sent_no_journal_is_left_and_nothing_is_known_of_the_player(tmp_path, monkeypatch):
    course = Course()
    monkeypatch.setattr(course, "send", lambda *_: Failed(99.0, Delivery.NOT_SENT, "The server cannot be reached."))
    with pytest.raises(NetworkError, match=r"^The server cannot be reached"):
        course.play(tmp_path / "logs")
    course.unread = "not sent"
    with pytest.raises(NetworkError, match=r"^No course server has answered at http://x\. The statistics cannot"):
        course.play(tmp_path / "logs", url="http://x")
    assert not list((tmp_path / "logs").iterdir())
    for ids in (WHO, tuple(letter * 50 for letter in "abcdef")):  # too long for the name of a file
        with opened(tmp_path / "logs", stil_ids=ids) as run:
            assert run.is_new_here
    assert not list((tmp_path / "logs").iterdir()), "nor is one left of a run that was not begun"


def test_a_late_move_is_marked_and_sent_all_the_same_and_those_of_a_substitute_are_counted_over_a_crash(tmp_path):
    course, times = Course(LEFTMOST), chain((1.0, 6.0), repeat(1.0))

    class Slow(Scripted):
        def choose(self, *arguments: Any) -> Decision:
            course.sleep(next(times))
            return replace(super().choose(*arguments), note="Another agent had to choose.")

    course.play_and_die(6, tmp_path, agent=Slow("4444"))
    course.play(tmp_path, agent=Slow("4444"))
    (journal,) = journals(tmp_path)
    late = [record for record in journal.records if isinstance(record, Chosen) and record.late]
    assert len(late) == 2 and late[0].move_s > 5, "its clock runs on after the crash"
    assert course.reasons == ["played"]
    outline = parse_outline(journal.path.read_bytes(), journal.path)
    assert journal.run_end is not None and journal.substituted_moves > 2
    assert "Another agent had to choose." in journal.games[0].steps[-1].notes
    assert journal.run_end.substituted_moves == outline.substituted_moves == journal.substituted_moves
