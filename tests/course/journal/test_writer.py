"""The writer beyond its specification: other records, names of files, and folders that cannot be used."""

from __future__ import annotations

import os
import shutil
import stat
import threading
from functools import partial
from pathlib import Path

import pytest

from bot.course.journal.reader import parse_records, read_journal
from bot.course.journal.writer import FileSink, JournalWriter
from bot.course.protocol import MoveReply
from bot.course.session.events import Chosen, Replied, Sent
from bot.errors import JournalError
from tests.course.journal.build import TIME, MemorySink, started

OPENING, MOVE = Chosen(1.0, -1, 1), Chosen(1.0, 3, 1)
REPLY = Replied(1.0, MoveReply(True, "x" * 1000), 1)


def fails(*_arguments: object) -> None:
    raise OSError(5, "Input/output error")


@pytest.mark.parametrize("size", [0, 300, 990])
@pytest.mark.parametrize("record", [REPLY, MOVE], ids=["reply", "choice"])
def test_a_record_is_whole_or_absent_on_a_disk_that_is_full(record, size, tmp_path, monkeypatch):
    writer = JournalWriter.create(tmp_path, "x")
    writer.write(started())
    before, write = writer.path.read_bytes(), os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[: min(size, len(data) - 1)]))
    with pytest.raises(JournalError, match="space"):
        writer.write(record)
    assert writer.path.read_bytes() == before
    writer.close()


def test_only_a_choice_is_cut_off_when_it_is_interrupted(monkeypatch):
    sink = MemorySink()
    write = sink.write

    def interrupted(data):
        write(data)
        raise KeyboardInterrupt

    monkeypatch.setattr(sink, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        JournalWriter(sink).write(REPLY)
    assert [line.record and line.record.type for line in parse_records(sink.content)] == ["reply"]


def test_a_record_of_another_thread_is_not_cut_off_with_a_choice(tmp_path, monkeypatch):
    writer = JournalWriter.create(tmp_path, "x")
    other = threading.Thread(target=writer.write, args=(Sent(1.0, 1),))

    def full(_descriptor):
        other.start()
        other.join(0.2)  # it waits for the lock; without one, it ends
        fails()

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(JournalError):
        writer.write(MOVE)
    other.join()
    assert [record.type for _, record in read_journal(writer.path).records] == ["sent"]
    writer.close()


def test_a_disk_whose_room_cannot_be_read_is_an_error_and_one_of_unknown_size_is_trusted(tmp_path, monkeypatch):
    JournalWriter(MemorySink()).write(OPENING)
    writer = JournalWriter.create(tmp_path, "x")
    monkeypatch.setattr(shutil, "disk_usage", fails)
    with pytest.raises(JournalError):
        writer.write(OPENING)
    writer.close()


def test_a_new_file_is_its_owners_only_and_its_name_is_on_the_disk(tmp_path, monkeypatch):
    synced: list[list[Path]] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(list(Path(f"/dev/fd/{descriptor}").iterdir())))
    before = os.umask(0)
    try:
        writer = JournalWriter.create(tmp_path / "deep" / "logs", "x")
    finally:
        os.umask(before)
    assert [[path.name for path in folder] for folder in synced] == [[writer.path.name]]
    assert stat.S_IMODE(writer.path.stat().st_mode) == 0o600
    writer.close()
    writer.close()
    with pytest.raises(FileExistsError):
        FileSink(writer.path, create=True)


def test_files_sort_in_the_order_of_creation_whatever_the_clock_and_other_files_say(tmp_path, monkeypatch):
    (tmp_path / "notes.jsonl").touch()
    (tmp_path / "٣-x.jsonl").touch()
    names = []
    for year in (2030, 2020):
        writer = JournalWriter.create(tmp_path, "x", now=partial(str, f"{year}-01-02T03:04:05.678+00:00"))
        writer.write(started())
        names.append(writer.path.name)
        writer.close()
    assert names == ["000001-20300102T030405Z-x.jsonl", "000002-20200102T030405Z-x.jsonl"]
    assert read_journal(tmp_path / names[0]).header.time == "2030-01-02T03:04:05.678+00:00"
    (tmp_path / f"000003-{TIME[:19].replace('-', '').replace(':', '')}Z-x.jsonl").touch()
    monkeypatch.setattr(Path, "glob", lambda *_: iter([tmp_path / names[1]]))  # another run has begun in between
    writer = JournalWriter.create(tmp_path, "x", now=lambda: TIME)
    assert writer.path.name.startswith("000004-")
    writer.close()


def test_a_folder_that_cannot_be_used_is_named(tmp_path):
    (tmp_path / "logs").touch()
    for folder, problem in ((tmp_path / "logs", "File exists"), (tmp_path / "logs" / "below", "Not a directory")):
        with pytest.raises(JournalError, match=f"{folder} cannot be written: {problem}") as raised:
            JournalWriter.create(folder, "a")
        assert "--logs" in raised.value.hint


def test_a_journal_that_cannot_be_resumed_is_an_error_and_leaves_no_open_file(tmp_path, monkeypatch):
    path = tmp_path / "a.jsonl"
    with pytest.raises(JournalError, match="No such file"):
        JournalWriter.resume(path)
    path.write_bytes(b"torn")
    closed: list[int] = []
    close = os.close
    monkeypatch.setattr(os, "close", lambda descriptor: (closed.append(descriptor), close(descriptor)))
    monkeypatch.setattr(os, "ftruncate", fails)
    with pytest.raises(JournalError, match="Input/output error"):
        JournalWriter.resume(path)
    assert len(closed) == 1
