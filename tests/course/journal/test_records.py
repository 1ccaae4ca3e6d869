"""Records as lines, files beyond their specification, and runs as they are read back."""

from __future__ import annotations

import json
import os
import stat
from codecs import BOM_UTF8
from dataclasses import fields
from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.course.events import Abandoned, Chosen, GameEnded, Open, Replied
from bot.course.journal.journal import parse_journal
from bot.course.journal.records import JournalWriter, as_line, parse_line
from bot.course.protocol import MoveReply
from bot.errors import JournalError
from tests.course.journal.build import WIN, recorded
from tests.course.session.build import Walk

# Lines

SCRIPT = (
    'counted 3 1 1; new: .; d: +a; d: lost reset; settled 3 1 1; d: no "Busy."; abandoned; unread timeout; new: chosen'
)


@pytest.mark.parametrize("line", (recorded(WIN) + recorded(SCRIPT, games=9)).splitlines(keepends=True))
def test_a_line_has_every_field_of_its_record_and_is_read_as_it_was_written(line):
    record = parse_line(line)
    assert as_line(record, record.time) == line
    assert parse_line(BOM_UTF8 + line) == record, "an editor may have put it before the first line"
    parts = [record, *(getattr(record, part) for part in ("options", "learnt") if hasattr(record, part))]
    names = {field.name for part in parts for field in fields(part)} - {"options", "learnt"}
    assert json.loads(line).keys() == names, "one flat object, as in all editions"


@pytest.mark.parametrize("wrong", Path(__file__).with_name("wrong_lines.txt").read_text().splitlines())
def test_a_line_that_is_no_record_says_why(wrong):
    reason, line = wrong.split(" | ")
    with pytest.raises(ValueError, match=reason.strip()):
        parse_line(line.encode())


def test_a_line_holds_no_character_that_controls_a_terminal():
    record = Replied(1.0, MoveReply(True, "\x1b[2J \x9b31m \x7f \u202e \u2028 \u00e5", result=0.0))
    line = as_line(record, "")
    assert line.decode("ascii").rstrip("\n").isprintable() and parse_line(line) == record


def test_a_value_that_could_not_be_read_again_is_not_written():
    with pytest.raises(ValueError, match="its field move is wrong"):
        as_line(Chosen(1.0, 7), "")


def test_numbers_of_numpy_become_plain_ones():
    numpy = pytest.importorskip("numpy")
    assert parse_line(as_line(Chosen(1.0, numpy.int64(3), nodes=numpy.uint64(9)), "")) == Chosen(1.0, 3, nodes=9)


# Files


def test_a_new_file_is_its_owners_only_and_its_name_is_on_the_disk(tmp_path, monkeypatch):
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_ino))
    before = os.umask(0)
    try:
        writer = JournalWriter.create(tmp_path / "deep" / "logs", "x")
    finally:
        os.umask(before)
    assert writer.path.name.startswith("000001-") and synced == [writer.path.parent.stat().st_ino]
    assert stat.S_IMODE(writer.path.stat().st_mode) == 0o600
    writer.close()
    writer.close()


def test_files_sort_in_the_order_of_creation_whatever_the_clock_and_other_files_say(tmp_path, monkeypatch):
    for name in ("notes.jsonl", "٣-x.jsonl"):
        (tmp_path / name).touch()

    def created(year: int) -> JournalWriter:
        monkeypatch.setattr("bot.course.journal.records.utc_now", lambda: f"{year}-01-02T03:04:05.678+00:00")
        return JournalWriter.create(tmp_path, "x")

    writers = [created(2030), created(2020)]
    gap = tmp_path / "000009-x.jsonl"
    gap.touch()
    writers.append(created(2020))
    gap.unlink()
    assert [writer.path.name for writer in writers] == [
        "000001-20300102T030405Z-x.jsonl",
        "000002-20200102T030405Z-x.jsonl",
        "000010-20200102T030405Z-x.jsonl",
    ]
    for writer in writers:
        writer.close()


def test_a_journal_that_cannot_be_created_or_resumed_is_an_error(tmp_path, monkeypatch):
    path = tmp_path / "a.jsonl"
    path.touch()
    with pytest.raises(JournalError, match="cannot be written: File exists"):
        JournalWriter.create(path, "a")
    path.unlink()
    with pytest.raises(JournalError, match="No such file"):
        JournalWriter.resume(path)
    path.write_bytes(b"torn")
    monkeypatch.setattr(os, "truncate", Mock(side_effect=OSError(5, "Input/output error")))
    with pytest.raises(JournalError, match="Input/output error"):
        JournalWriter.resume(path)


# Games and their steps, unfinished and abandoned ones


@pytest.mark.parametrize(
    ("third", "met"),
    [
        ("d: lost reset; settled 0 0 0; d: dadada", [None, 0, 2, 4, 6]),
        ("d: lost reset; settled 0 0 0; d: dada; d: +a", [None, 0, 2, 2, 4, 6]),
        ("d: not sent; d: +a; d: +a", [None, 0, None, 2, 4, 6]),
    ],
    ids=["processed", "not processed", "not sent"],
)
def test_after_a_lost_reply_the_next_board_shows_where_a_move_was_made(third, met):
    (game,) = parse_journal(recorded(f"counted 0 0 0; new: .; d: +a; {third}; d: +; counted 1 1 0")).games
    assert [None if step.met is None else step.met.ply for step in game.steps] == met
    lost, following = game.steps[2:4]
    assert lost.may_be_sent == (following.before is None) == ("lost" in third), "several boards were possible"
    assert lost.notes[0].startswith("It failed.")
    assert (lost.after, game.steps[-1].number, game.our_moves) == (None, 4, 4)


def test_what_is_noted_between_two_games_belongs_to_the_first():
    (game,) = parse_journal(recorded(WIN.replace("counted 1 1 0", "counted 2 1 1"), games=9)).games
    assert game.steps[-1].notes == ["The server counts 1 game more than were finished here, 1 of them lost."]


def test_where_the_order_of_play_is_unknown_the_last_board_counts_our_moves():
    (game,) = parse_journal(recorded("counted 0 0 0; new: ddce; d: chosen")).games
    assert (game.moves, game.our_moves) == ((), 2)


def test_a_refusal_does_not_show_which_board_a_move_met():
    (game,) = parse_journal(recorded('counted 0 0 0; new: .; d: no "Busy."; settled 0 0 0; d: chosen')).games
    assert [step.met for step in game.steps] == [None] * 3


@pytest.mark.parametrize(
    ("script", "is_answered", "we_started", "moves", "result"),
    [
        ("new: .; d: +a; d: chosen", True, True, (3, 0), -1.0),
        ("new: ^d; d: chosen", True, False, (3,), -1.0),
        ("new: chosen", False, None, (), 0.0),
        ("run dialect=jan21; unread http 404; d: chosen", False, None, (), 0.0),
        ('new: no "Busy."; counted 0 0 0; d: chosen', False, None, (), 0.0),
    ],
)
def test_a_running_game_shows_its_moves_and_is_lost_when_it_is_given_up_if_the_server_has_it(
    script, is_answered, we_started, moves, result
):
    journal = parse_journal(recorded(f"counted 0 0 0; {script}"))
    (game,) = journal.games
    assert (game.result, game.we_started, game.moves, game.our_moves) == (None, we_started, moves, len(moves) // 2)
    assert (journal.unfinished, journal.unfinished_was_answered, journal.run_end) == (1, is_answered, None)
    assert game.is_counted == is_answered, "a request for a game that was not answered is no game"
    assert journal.may_be_forfeited == is_answered
    assert game.steps[-1].outcome is None and game.steps[-1].may_be_sent
    journal.take(Abandoned(500.0, 1))
    assert journal.ends == [GameEnded(1, result, "abandoned")]
    assert (journal.unfinished, journal.problems, game.problems) == (None, [], [])
    assert Walk(journal.session)("run; unread http 404").command == Open()
