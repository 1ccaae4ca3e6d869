"""The writer beyond its specification: other records, names of files, and folders that cannot be used."""

from __future__ import annotations

import os
import stat
from unittest.mock import Mock

import pytest

from bot.course.events import Chosen
from bot.course.journal.records import JournalWriter
from bot.errors import JournalError

MOVE = Chosen(1.0, 3, 1)


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
