"""What a journal promises: nothing is sent that is not on the disk, and what was written is read in spite of damage."""

from __future__ import annotations

import os
import shutil
import socket
from dataclasses import replace

import pytest

from bot.course.events import Abandoned, Chosen, Replied
from bot.course.journal.games import game_problems
from bot.course.journal.journal import journals, parse_journal, read_journal
from bot.course.journal.records import ROOM_BYTES, JournalWriter, RunEnded
from bot.course.journal.state import hold, playing, unfinished_game
from bot.course.protocol import Identity, MoveReply
from bot.errors import JournalError, UsageError
from tests.course.journal.build import IDS, SERVER, WIN, recorded, started, write_run

ME = Identity.of(SERVER, IDS)
OPENING, MOVE, REPLY = Chosen(1.0, -1, 1), Chosen(1.0, 3, 1), Replied(1.0, MoveReply(True, "x" * 300), 1)


@pytest.fixture
def writer(tmp_path):
    writer = JournalWriter.create(tmp_path / "logs", "a+b")
    yield writer
    writer.close()


def test_choices_beginnings_and_ends_are_on_the_disk_when_they_are_written(writer, monkeypatch):
    synced, fsync = 0, os.fsync

    def noted(descriptor):
        nonlocal synced
        fsync(descriptor)
        synced = os.fstat(descriptor).st_size

    monkeypatch.setattr(os, "fsync", noted)
    for record in (started(), OPENING, MOVE, Abandoned(1.0, 1), RunEnded("finished")):
        writer.write(record)
        assert synced == writer.path.stat().st_size, record
        writer.write(REPLY)
        assert synced < writer.path.stat().st_size, "the next sync covers it"
    writer.sync()
    assert synced == writer.path.stat().st_size, "so is the end of a game, which a reply has shown"


FULL = OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("record", "failing", "error"),
    [
        (MOVE, "write", FULL),
        (MOVE, "fsync", FULL),
        (MOVE, "write", KeyboardInterrupt()),
        (MOVE, "fsync", KeyboardInterrupt()),
        (REPLY, "write", FULL),
        (REPLY, "write", None),
    ],
)
def test_a_record_that_is_not_on_the_disk_is_cut_off_and_a_choice_must_not_be_sent(
    writer, record, failing, error, monkeypatch
):
    writer.write(started())
    before, write = writer.path.read_bytes(), os.write

    def fails(descriptor, data=b""):
        written = write(descriptor, data[:20])
        if error is not None:
            raise error
        return written

    with monkeypatch.context() as broken:
        broken.setattr(os, failing, fails)
        with pytest.raises((JournalError, KeyboardInterrupt), match=r"cannot be written: No space left on device|^$"):
            writer.write(record)
    assert writer.path.read_bytes() == before
    writer.write(record)
    assert len(read_journal(writer.path).records) == 2


def test_a_game_is_opened_only_where_there_is_room_to_record_it(writer, monkeypatch):
    free = shutil.disk_usage(writer.path)._replace(free=ROOM_BYTES - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: free)
    with pytest.raises(JournalError, match=r"only 1\.0 MB are free"):
        writer.write(OPENING)
    writer.write(replace(MOVE, ply=2))  # a running game goes on as long as it can
    with pytest.raises(JournalError, match="free"):
        writer.write(MOVE)  # a first column, which may open a game
    free = free._replace(free=ROOM_BYTES)
    writer.write(OPENING)
    assert [step.move for game in read_journal(writer.path).games for step in game.steps] == [3, -1]


def test_a_game_is_read_as_it_was_played():
    journal = parse_journal(recorded(WIN))
    (game,) = journal.games
    assert (journal.player, journal.damaged, journal.unfinished, game_problems(game)) == (ME, [], None, [])
    assert (game.result, game.we_started, game.our_moves, game.moves) == (1.0, True, 4, (3, 0, 3, 0, 3, 0, 3))
    assert [(step.move, step.number) for step in game.steps] == [(-1, 1), (3, 1), (3, 2), (3, 3), (3, 4)]
    assert [step.after and step.after.board.ply for step in game.steps] == [0, 2, 4, 6, 7]
    journal.take(started())
    assert journal.run_end is None, "a run that is resumed has not ended"


def test_a_line_that_a_crash_has_torn_is_skipped_and_cut_off_when_the_run_is_resumed(writer):
    writer.write(started())
    whole = writer.path.read_bytes()
    for torn in (b"", b"{", b'{"type":"replied","game":1}'):
        writer.path.write_bytes(whole + torn)
        assert read_journal(writer.path).torn == bool(torn)
        JournalWriter.resume(writer.path).close()
        assert writer.path.read_bytes() == whole


@pytest.mark.parametrize("rubbish", [b"no json", b"", b"\0" * 300, b"[" * 100_000, b'{"type":"weather"}'])
def test_a_damaged_line_is_skipped_and_named(rubbish):
    lines = recorded(WIN).splitlines(keepends=True)
    journal = parse_journal(b"".join([*lines[:8], rubbish + b"\n", *lines[8:]]))
    assert [str(line)[:33] for line in journal.damaged] == ["Line 9 is damaged and was skipped"]
    assert journal.games == parse_journal(b"".join(lines)).games
    assert parse_journal(b"".join([*lines, rubbish, b"\n"])).unfinished is None, "its run has ended before"


def test_foreign_files_are_ignored_with_a_note_each_and_left_as_they_are(tmp_path):
    path = write_run(tmp_path, [1.0])
    contents = {
        "notes.jsonl": b"# a Markdown file\n",
        "table.jsonl": b'{"id": 1, "name": "x"}\n',
        "newer.jsonl": b'{"type":"started","schema":99,"server":"s","stil_ids":[]}\n',
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / f"{path.stem} (copy).jsonl").write_bytes(path.read_bytes())
    (tmp_path / "empty.jsonl").touch()  # a run that never began
    (tmp_path / "000000-folder.jsonl").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")
    notes: list[str] = []
    assert [journal.path for journal in journals(tmp_path, ME, notes.append)] == [path]
    assert all("ignored" in note for note in notes) and {"has schema 99" in note for note in notes} == {True, False}
    assert "(copy).jsonl is ignored: it is a copy" in " ".join(notes)
    assert len(notes) == 4 and {name: (tmp_path / name).read_bytes() for name in contents} == contents


def test_one_run_at_a_time_plays_as_a_player_and_its_unfinished_game_is_found_from_any_folder(tmp_path):
    with hold(Identity.of("http://LOCALHOST:8000/move", ["B", "a"]), tmp_path / "one") as place:
        path = write_run(tmp_path / "one", [None])
        place.store(journal=str(path), game=1)
        with pytest.raises(UsageError, match=str(os.getpid())), hold(ME, tmp_path):
            pass
        assert str(playing(ME, tmp_path)).startswith(f"process {os.getpid()} on {socket.gethostname()}, since 2")
        with hold(Identity.of(SERVER, ["a"]), tmp_path), hold(Identity.of("http://y", IDS), tmp_path):
            pass  # another player, another server: not in the way
    assert playing(ME, tmp_path) is None
    with hold(ME, tmp_path / "two") as place:
        found = unfinished_game(place, tmp_path / "two", None)
    assert found is not None and (found.path, found.unfinished) == (path, 1)
