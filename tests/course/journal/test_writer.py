"""The writer's guarantees: no half-written record, and nothing is sent that is not on the disk, whatever call fails."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.course.journal.reader import parse_journal, parse_records, read_journal
from bot.course.journal.sink import FileSink, MemorySink, Sink
from bot.course.journal.writer import ROOM_BYTES, JournalWriter
from bot.errors import JournalError

HEADER: dict[str, Any] = {"server": "http://x", "stil_ids": ["a"]}


class Spy:
    """A sink that records the calls and fails at the chosen one."""

    def __init__(self, inner: Sink, failing: str = "", keeps: float = 0.0) -> None:
        self.inner = inner
        self.failing = failing
        self.keeps = keeps
        self.calls: list[str] = []

    def write(self, data: bytes) -> None:
        if self.failing == "write":
            self.inner.write(data[: int(len(data) * self.keeps)])
        self._call("write")
        self.inner.write(data)

    def sync(self) -> None:
        self._call("sync")
        self.inner.sync()

    def size(self) -> int:
        return self.inner.size()

    def truncate(self, length: int) -> None:
        self._call("truncate")
        self.inner.truncate(length)

    def room(self) -> int | None:
        self._call("room")
        return self.inner.room()

    def close(self) -> None:
        self.inner.close()

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if name == self.failing:
            raise OSError(28, "No space left on device")


@pytest.fixture(params=["file", "memory"])
def sink(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Sink]:
    sink: Sink = MemorySink() if request.param == "memory" else FileSink(tmp_path / "a.jsonl", create=True)
    yield sink
    sink.close()


@pytest.fixture
def content(sink: Sink, tmp_path: Path) -> Callable[[], bytes]:
    """The sink's content."""
    return lambda: sink.content if isinstance(sink, MemorySink) else (tmp_path / "a.jsonl").read_bytes()


# The sinks.


def test_a_sink_keeps_what_is_appended(sink: Sink, content: Callable[[], bytes]) -> None:
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


# Intents.


def test_an_intent_is_synced_when_it_returns() -> None:
    sink = MemorySink()
    writer = JournalWriter(sink)
    writer.start(**HEADER)
    writer.reply(1, status=True)
    assert sink.synced < sink.size(), "a reply waits for the next sync"
    writer.intent(1, 3, 0)
    assert sink.synced == sink.size()
    writer.event(1, "sent", "on its way")
    writer.run_end("finished")
    assert sink.synced == sink.size()


@pytest.mark.parametrize("failing", ["write", "sync"])
@pytest.mark.parametrize("keeps", [0.0, 0.5, 1.0])
def test_an_intent_that_is_refused_is_taken_back(
    sink: Sink, content: Callable[[], bytes], failing: str, keeps: float
) -> None:
    spy = Spy(sink, keeps=keeps)
    writer = JournalWriter(spy, Path("the-journal"))
    writer.start(**HEADER)
    before = content()
    spy.failing = failing
    with pytest.raises(JournalError, match="the-journal cannot be written: No space left") as raised:
        writer.intent(1, 3, 0)
    assert "Make room" in raised.value.hint
    assert content() == before
    spy.failing = ""
    writer.intent(1, 4, 0)
    assert [record["move"] for record in parse_journal(content()).games[0].records] == [4]


def test_an_intent_that_is_interrupted_while_it_is_synced_is_taken_back(
    sink: Sink, content: Callable[[], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = JournalWriter(sink)
    writer.start(**HEADER)
    before = content()

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sink, "sync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        writer.intent(1, 3, 0)
    assert content() == before


@pytest.mark.parametrize("keeps", [0.0, 0.3, 0.99])
def test_any_other_record_is_whole_or_absent(sink: Sink, content: Callable[[], bytes], keeps: float) -> None:
    spy = Spy(sink, keeps=keeps)
    writer = JournalWriter(spy)
    writer.start(**HEADER)
    before = content()
    spy.failing = "write"
    with pytest.raises(JournalError):
        writer.reply(1, status=True, msg="x" * 1000)
    assert content() == before


def test_a_short_write_to_the_disk_is_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = JournalWriter.create(tmp_path, "x", **HEADER)
    before = writer.path.read_bytes()
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:10]))
    with pytest.raises(JournalError, match="space"):
        writer.intent(1, 3, 0)
    monkeypatch.undo()
    assert writer.path.read_bytes() == before
    writer.close()


# Room for a game.


def test_a_game_is_opened_only_where_there_is_room_to_record_it() -> None:
    sink = MemorySink(capacity=ROOM_BYTES + 1000)
    writer = JournalWriter(sink)
    writer.start(**HEADER)
    writer.intent(1, -1, 0)
    sink.write(b"\n" * 2000)
    before = sink.content
    with pytest.raises(JournalError, match="free"):
        writer.check_room()
    with pytest.raises(JournalError, match="free"):
        writer.intent(2, -1, 0)
    assert sink.content == before
    writer.intent(1, 3, 0)  # a game that runs already goes on as long as it can


def test_the_room_is_that_of_the_journals_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = JournalWriter.create(tmp_path, "x", **HEADER)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=ROOM_BYTES - 1))
    with pytest.raises(JournalError, match="free"):
        writer.intent(1, -1, 0)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=ROOM_BYTES))
    writer.intent(1, -1, 0)
    writer.close()


def test_a_disk_of_unknown_size_is_trusted() -> None:
    writer = JournalWriter(MemorySink())
    writer.start(**HEADER)
    writer.intent(1, -1, 0)


# Files.


def test_a_new_journal_is_on_the_disk_with_its_name_before_anything_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    fsync = os.fsync

    def spied(descriptor: int) -> None:
        status = os.fstat(descriptor)
        same = next(path for path in [tmp_path, *tmp_path.iterdir()] if path.stat().st_ino == status.st_ino)
        synced.append(f"{same.name}: {status.st_size if same.is_file() else [path.name for path in same.iterdir()]}")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", spied)
    writer = JournalWriter.create(tmp_path, "x", **HEADER)
    name = writer.path.name
    assert synced == [f"{name}: {writer.path.stat().st_size}", f"{tmp_path.name}: ['{name}']"]
    assert stat.S_IMODE(writer.path.stat().st_mode) == 0o600
    writer.close()


def test_a_header_that_cannot_be_written_leaves_no_open_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[int] = []
    close = os.close

    def counted(descriptor: int) -> None:
        closed.append(descriptor)
        close(descriptor)

    monkeypatch.setattr(os, "close", counted)
    monkeypatch.setattr(os, "fsync", lambda _descriptor: (_ for _ in ()).throw(OSError(5, "Input/output error")))
    with pytest.raises(JournalError, match="Input/output error"):
        JournalWriter.create(tmp_path, "x", **HEADER)
    assert len(closed) == 1


def test_a_name_that_is_taken_meanwhile_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = "2026-01-02T03:04:05.000+00:00"
    first = JournalWriter.create(tmp_path, "x", now=lambda: now, **HEADER)
    monkeypatch.setattr(Path, "glob", lambda *_: iter(()))  # another run began between the look and the creation
    second = JournalWriter.create(tmp_path, "x", now=lambda: now, **HEADER)
    assert [first.path.name[:6], second.path.name[:6]] == ["000001", "000002"]
    first.close()
    second.close()


def test_resuming_cuts_off_a_torn_line_and_nothing_else(tmp_path: Path) -> None:
    writer = JournalWriter.create(tmp_path, "x", **HEADER)
    writer.intent(1, -1, 0)
    writer.close()
    whole = writer.path.read_bytes()
    for torn in (b"", b"{", b'{"type":"reply","game":1}'):
        writer.path.write_bytes(whole + torn)
        JournalWriter.resume(writer.path).close()
        assert writer.path.read_bytes() == whole


def test_a_journal_that_cannot_be_resumed_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="No such file"):
        JournalWriter.resume(tmp_path / "gone.jsonl")


# Content.


def test_every_line_is_json_that_any_program_reads() -> None:
    sink = MemorySink()
    writer = JournalWriter(sink, now=lambda: "now")
    writer.start(**HEADER)
    score, nodes = np.float64(1.5), np.int64(7)
    writer.intent(1, 3, 0, score=score, nodes=nodes, pv=np.arange(3), seconds=float("inf"), late=np.bool_(True))
    writer.game_end(1, -10.0, moves="4")
    lines = sink.content.splitlines()
    report = [json.loads(line, parse_constant=lambda text: pytest.fail(f"{text} is not JSON")) for line in lines]
    assert report[1] == {
        "type": "intent", "time": "now", "game": 1, "move": 3, "ply": 0,
        "score": 1.5, "nodes": 7, "pv": [0, 1, 2], "seconds": None, "late": True,
    }  # fmt: skip
    assert report[2]["outcome"] == "illegal"
    assert [line.problem for line in parse_records(sink.content)] == [""] * 3


def test_the_header_names_schema_and_run(tmp_path: Path) -> None:
    writer = JournalWriter.create(tmp_path, "x", **HEADER)
    writer.close()
    header = read_journal(writer.path).header
    assert (header["schema"], header["run"], header["server"]) == (2, writer.path.stem, "http://x")


def test_missing_parent_folders_are_made_and_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    journal = JournalWriter.create(tmp_path / "deep" / "logs", "a", **HEADER)
    assert journal.path.parent == tmp_path / "deep" / "logs"
    (tmp_path / "logs").write_text("")
    with pytest.raises(JournalError, match="is not a folder"):
        JournalWriter.create(tmp_path / "logs", "a", **HEADER)
