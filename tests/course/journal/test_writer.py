"""The writer's guarantees: no half-written record, and nothing is sent that is not on the disk, whatever call fails."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.course.journal.reader import parse_records, read_journal
from bot.course.journal.writer import ROOM_BYTES, FileSink, JournalWriter
from bot.course.protocol import MoveReply
from bot.course.session.events import Chosen, GameEnded, Note, Record, Replied, RunEnded, Sent
from bot.errors import JournalError
from tests.course.journal.build import TIME, started
from tests.course.journal.memory import MemorySink
from tests.processes import running

MOVE = Chosen(1.0, 3, 1)
OPENING = Chosen(1.0, -1, 1)
REPLY = Replied(1.0, MoveReply(True, "x" * 1000), 1)


class Spy(FileSink):
    """A sink that fails at the chosen call, or raises what it is given there."""

    def __init__(self, inner: FileSink, keeps: float = 0.0) -> None:
        self.inner = inner
        self.failing = ""
        self.keeps = keeps
        self.error: BaseException = OSError(28, "No space left on device")

    def write(self, data: bytes) -> None:
        if self.failing == "write":
            self.inner.write(data[: int(len(data) * self.keeps)])
            raise self.error
        self.inner.write(data)

    def sync(self) -> None:
        if self.failing == "sync":
            raise self.error
        self.inner.sync()

    def size(self) -> int:
        return self.inner.size()

    def truncate(self, length: int) -> None:
        self.inner.truncate(length)

    def room(self) -> int | None:
        if self.failing == "room":
            raise self.error
        return self.inner.room()

    def close(self) -> None:
        self.inner.close()


@pytest.fixture(params=["file", "memory"])
def sink(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FileSink]:
    sink: FileSink = MemorySink() if request.param == "memory" else FileSink(tmp_path / "a.jsonl", create=True)
    yield sink
    sink.close()


@pytest.fixture
def content(sink: FileSink, tmp_path: Path) -> Callable[[], bytes]:
    """The sink's content."""
    return lambda: sink.content if isinstance(sink, MemorySink) else (tmp_path / "a.jsonl").read_bytes()


def records(content: bytes) -> list[Record | None]:
    return [line.record for line in parse_records(content)]


# The sinks.


def test_a_sink_keeps_what_is_appended(sink: FileSink, content: Callable[[], bytes]) -> None:
    sink.write(b"one\n")
    sink.write(b"two\n")
    sink.sync()
    assert (sink.size(), content()) == (8, b"one\ntwo\n")
    sink.truncate(4)
    sink.write(b"three\n")
    assert content() == b"one\nthree\n"
    sink.close()
    sink.close()


def test_a_file_is_its_owners_only_and_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    before = os.umask(0)
    try:
        FileSink(path, create=True).close()
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        FileSink(path, create=True)
    with pytest.raises(FileNotFoundError):
        FileSink(tmp_path / "b.jsonl")


def test_a_file_knows_the_room_on_its_disk(tmp_path: Path) -> None:
    sink = FileSink(tmp_path / "a.jsonl", create=True)
    room = sink.room()
    assert room is not None and 0 < room <= shutil.disk_usage(tmp_path).total
    sink.close()


def test_memory_can_be_full_and_knows_what_a_power_cut_leaves() -> None:
    sink = MemorySink(b"old\n", capacity=10)
    sink.write(b"new\n")
    assert (sink.room(), sink.synced) == (2, 4)
    sink.sync()
    with pytest.raises(OSError, match="space"):
        sink.write(b"more\n")
    assert (sink.content, sink.synced, sink.room()) == (b"old\nnew\nmo", 8, 0)
    sink.truncate(2)
    assert (sink.content, sink.synced) == (b"ol", 2)


# Records.


def test_choices_and_beginnings_and_ends_are_on_the_disk_when_they_are_written() -> None:
    sink = MemorySink()
    writer = JournalWriter(sink)
    for record in (started(), OPENING, MOVE, GameEnded(1, 1.0, "reply"), RunEnded("finished")):
        writer.write(record)
        assert sink.synced == sink.size(), record
    for other in (REPLY, Sent(1.0), Note("refused", "Busy.")):
        synced = sink.synced
        writer.write(other)
        assert sink.synced == synced < sink.size(), "the next sync covers it"


@pytest.mark.parametrize("failing", ["write", "sync"])
@pytest.mark.parametrize("keeps", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "Ctrl-C"])
def test_a_choice_that_is_not_on_the_disk_is_cut_off(
    sink: FileSink, content: Callable[[], bytes], failing: str, keeps: float, error: BaseException
) -> None:
    spy = Spy(sink, keeps)
    writer = JournalWriter(spy, Path("the-journal"))
    writer.write(started())
    before = content()
    spy.failing, spy.error = failing, error
    with pytest.raises((JournalError, KeyboardInterrupt)) as raised:
        writer.write(MOVE)
    if isinstance(raised.value, JournalError):
        assert raised.value.message == "The journal the-journal cannot be written: No space left on device."
        assert "Make room" in raised.value.hint
    assert content() == before
    spy.failing = ""
    writer.write(MOVE)
    assert isinstance(records(content())[-1], Chosen) and len(records(content())) == 2


@pytest.mark.parametrize("keeps", [0.0, 0.3, 0.99])
def test_any_other_record_is_whole_or_absent(sink: FileSink, content: Callable[[], bytes], keeps: float) -> None:
    spy = Spy(sink, keeps)
    writer = JournalWriter(spy)
    writer.write(started())
    before = content()
    spy.failing = "write"
    with pytest.raises(JournalError):
        writer.write(REPLY)
    assert content() == before


def test_a_reply_that_is_written_stays_when_it_is_interrupted(sink: FileSink, content: Callable[[], bytes]) -> None:
    spy = Spy(sink, keeps=1.0)
    spy.failing, spy.error = "write", KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        JournalWriter(spy).write(REPLY)
    assert len(records(content())) == 1


def test_a_short_write_to_the_disk_is_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = JournalWriter.create(tmp_path, "x")
    writer.write(started())
    before = writer.path.read_bytes()
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:10]))
    with pytest.raises(JournalError, match="space"):
        writer.write(MOVE)
    monkeypatch.undo()
    assert writer.path.read_bytes() == before
    writer.close()


def test_a_record_of_another_thread_is_not_cut_off_with_a_choice(sink: FileSink, content: Callable[[], bytes]) -> None:
    spy = Spy(sink)
    writer = JournalWriter(spy)
    other = threading.Thread(target=writer.write, args=(Sent(1.0, 1),))

    def full() -> None:
        other.start()
        other.join(0.2)
        raise spy.error

    spy.sync = full  # type: ignore[method-assign]
    with pytest.raises(JournalError):
        writer.write(MOVE)
    other.join()
    assert [type(record) for record in records(content())] == [Sent]


def test_every_line_is_json_that_any_program_reads() -> None:
    sink = MemorySink()
    writer = JournalWriter(sink, now=lambda: "now")
    numbers: dict[str, Any] = {"score": np.float64(1.5), "nodes": np.int64(7), "proven": np.bool_(True)}
    writer.write(Chosen(1.0, 3, 1, pv=(0, 1), depth=None, **numbers))
    writer.write(Chosen(1.0, 3, 1, score=float("inf")))
    lines = [json.loads(line, parse_constant=pytest.fail) for line in sink.content.splitlines()]
    assert {name: lines[0][name] for name in ("type", "time", "move", "score", "nodes", "proven", "pv", "depth")} == {
        "type": "intent", "time": "now", "move": 3, "score": 1.5, "nodes": 7, "proven": True, "pv": [0, 1],
        "depth": None,
    }  # fmt: skip
    assert lines[1]["score"] is None
    assert [line.problem for line in parse_records(sink.content)] == ["", ""]


# Room for a game.


def test_a_game_is_opened_only_where_there_is_room_to_record_it() -> None:
    sink = MemorySink(capacity=ROOM_BYTES + 1000)
    writer = JournalWriter(sink)
    writer.write(OPENING)
    sink.write(b"\n" * 2000)
    before = sink.content
    with pytest.raises(JournalError, match=r"only 1\.0 MB are free"):
        writer.write(OPENING)
    assert sink.content == before
    writer.write(MOVE)  # a game that runs already goes on as long as it can


def test_the_room_is_that_of_the_journals_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = JournalWriter.create(tmp_path, "x")
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=ROOM_BYTES - 1))
    with pytest.raises(JournalError, match="free"):
        writer.write(OPENING)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=ROOM_BYTES))
    writer.write(OPENING)
    writer.close()


def test_a_disk_whose_room_cannot_be_read_is_an_error_and_one_of_unknown_size_is_trusted() -> None:
    spy = Spy(MemorySink())
    JournalWriter(spy).write(OPENING)
    spy.failing = "room"
    with pytest.raises(JournalError):
        JournalWriter(spy).write(OPENING)


# Files.


def test_a_new_file_and_its_first_record_are_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    fsync = os.fsync

    def spied(descriptor: int) -> None:
        status = os.fstat(descriptor)
        same = next(path for path in [tmp_path, *tmp_path.iterdir()] if path.stat().st_ino == status.st_ino)
        synced.append(f"{same.name}: {status.st_size if same.is_file() else [path.name for path in same.iterdir()]}")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", spied)
    writer = JournalWriter.create(tmp_path, "x")
    writer.write(started())
    name = writer.path.name
    assert synced == [f"{tmp_path.name}: ['{name}']", f"{name}: {writer.path.stat().st_size}"]
    writer.close()


def test_files_sort_in_the_order_of_creation_even_when_the_clock_is_set_back(tmp_path: Path) -> None:
    names = []
    for year in (2030, 2020, 2025):
        now = f"{year}-01-02T03:04:05.678+00:00"
        writer = JournalWriter.create(tmp_path, "x", now=partial(str, now))
        writer.write(started())
        writer.close()
        assert read_journal(writer.path).header.time == now
        names.append(writer.path.name)
    assert names == ["000001-20300102T030405Z-x.jsonl", "000002-20200102T030405Z-x.jsonl", *names[2:]] == sorted(names)


def test_a_name_that_is_taken_meanwhile_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = JournalWriter.create(tmp_path, "x", now=lambda: TIME)
    monkeypatch.setattr(Path, "glob", lambda *_: iter(()))  # another run began between the look and the creation
    second = JournalWriter.create(tmp_path, "x", now=lambda: TIME)
    assert [first.path.name[:6], second.path.name[:6]] == ["000001", "000002"]
    first.close()
    second.close()


def test_other_files_in_the_folder_do_not_disturb_the_numbers(tmp_path: Path) -> None:
    (tmp_path / "notes.jsonl").touch()
    (tmp_path / "٣-x.jsonl").touch()
    for number in (1, 8):
        writer = JournalWriter.create(tmp_path, "x")
        assert writer.path.name.startswith(f"00000{number}-")
        writer.close()
        (tmp_path / "000007-x.jsonl").touch()


def test_missing_parent_folders_are_made_and_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    journal = JournalWriter.create(tmp_path / "deep" / "logs", "a")
    assert journal.path.parent == tmp_path / "deep" / "logs"
    journal.close()
    (tmp_path / "logs").write_text("")
    with pytest.raises(JournalError, match="cannot be written: File exists"):
        JournalWriter.create(tmp_path / "logs", "a")
    with pytest.raises(JournalError, match="cannot be written: Not a directory") as raised:
        JournalWriter.create(tmp_path / "logs" / "below", "a")
    assert "--logs" in raised.value.hint


def test_resuming_cuts_off_a_torn_line_and_nothing_else(tmp_path: Path) -> None:
    writer = JournalWriter.create(tmp_path, "x")
    writer.write(started())
    writer.write(OPENING)
    writer.close()
    whole = writer.path.read_bytes()
    for torn in (b"", b"{", b'{"type":"reply","game":1}'):
        writer.path.write_bytes(whole + torn)
        resumed = JournalWriter.resume(writer.path)
        assert writer.path.read_bytes() == whole
        resumed.write(MOVE)
        resumed.close()
        assert [line.problem for line in parse_records(writer.path.read_bytes())] == ["", "", ""]


def test_a_journal_that_cannot_be_resumed_is_an_error_and_leaves_no_open_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(JournalError, match="No such file"):
        JournalWriter.resume(tmp_path / "gone.jsonl")
    closed: list[int] = []
    close = os.close
    (tmp_path / "a.jsonl").write_bytes(b"torn")

    def counted(descriptor: int) -> None:
        closed.append(descriptor)
        close(descriptor)

    monkeypatch.setattr(os, "close", counted)
    monkeypatch.setattr(os, "ftruncate", lambda *_: (_ for _ in ()).throw(OSError(5, "Input/output error")))
    with pytest.raises(JournalError, match="Input/output error"):
        JournalWriter.resume(tmp_path / "a.jsonl")
    assert len(closed) == 1


def test_a_writer_killed_at_any_moment_leaves_a_journal_that_reads(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from bot.course.journal.writer import JournalWriter\n"
        "from bot.course.session.events import Chosen, Started\n"
        "w = JournalWriter.create(Path(sys.argv[1]), 'x'); w.write(Started(0.0))\n"
        "for n in range(10**9): w.write(Chosen(0.0, n % 7, 1, pv=tuple(range(7)) * 50))\n"
    )
    with running([sys.executable, "-c", code, str(tmp_path)]) as process:
        while not any(path.stat().st_size > 20_000 for path in tmp_path.glob("*.jsonl")):
            assert process.poll() is None, "the writer ended before its journal was long"
            time.sleep(0.01)
        process.kill()
    journal = read_journal(next(tmp_path.glob("*.jsonl")))
    assert len(journal.records) > 10 and journal.damaged == []
