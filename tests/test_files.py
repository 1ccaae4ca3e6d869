"""Files that survive a crash: torn lines, atomic replacement, and places that cannot be written."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path

import pytest

from bot.cli.app import run
from bot.course.journal.records import JournalWriter
from bot.errors import ExitCode, UsageError
from bot.files import LineFile, replace_file


@pytest.mark.parametrize("torn", [b"", b"t", b'{"half": ', b"\xff"])
def test_lines_are_read_again_and_a_torn_last_line_is_neither_read_nor_continued(tmp_path, torn):
    path = tmp_path / "lines"
    assert LineFile(path).lines() == []
    path.write_bytes(b"one\n" + torn)
    assert LineFile(path).lines() == [b"one"]
    with LineFile(path) as file:
        file.append("två")
        assert path.read_bytes() == "one\ntvå\n".encode(), "the operating system has it at once"


def test_files_are_opened_so_that_windows_keeps_their_line_ends(tmp_path, monkeypatch):
    binary, opened, system = 1 << 30, {}, os.open

    def recorded(path, flags, *mode):
        opened[Path(path).name] = bool(flags & binary)
        return system(path, flags & ~binary, *mode)

    monkeypatch.setattr(os, "O_BINARY", binary, raising=False)
    monkeypatch.setattr(os, "open", recorded)
    replace_file(tmp_path / "book", b"\n")
    writer = JournalWriter.create(tmp_path, "new")
    writer.close()
    created = opened.pop(writer.path.name)
    JournalWriter.resume(writer.path).close()
    assert opened[f".book.{os.getpid()}.new"] and created and opened[writer.path.name]


@pytest.mark.parametrize("content", ["# My notes\n", "no line end", '{"other": 1}\n', "\n", "", '{"agent": "ra'])
def test_a_file_of_another_kind_is_neither_read_nor_appended_to(tmp_path, content):
    path = tmp_path / "notes"
    path.write_text(content)
    is_torn = '{"agent": "random"'.startswith(content)
    refused = nullcontext() if is_torn else pytest.raises(UsageError, match="written by another command")
    with refused, LineFile(path, beginning='{"agent": ') as file:
        file.append("line")
    assert path.read_text() == ("line\n" if is_torn else content)


def test_on_a_full_disk_the_old_content_stays_and_nothing_beside_it(tmp_path, monkeypatch):
    path = tmp_path / "book"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "write", lambda _descriptor, content: len(content) - 1)
    with pytest.raises(OSError, match="space"):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old" and [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize(("torn", "kept"), [(b"torn", b""), (b"one\n", b"one\n"), (b"one\ntorn", b"one\ntorn\n")])
def test_a_torn_line_of_a_file_with_several_writers_is_ended_unless_it_is_the_first(tmp_path, torn, kept):
    path = tmp_path / "lines"
    path.write_bytes(torn)
    with LineFile(path, shared=True) as file:
        file.append("line")
    assert path.read_bytes() == kept + b"line\n"


@pytest.mark.parametrize("command", ["export page 4453", "export kaggle", "book build --plies 8"])
def test_a_place_that_cannot_be_written_is_named_before_the_work(command, tmp_path, capsys):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    for place in ("missing/file", "folder", "file/file"):
        assert run([*command.split(), "--out", str(tmp_path / place)]) == ExitCode.USAGE
        shown = capsys.readouterr().err
        assert f"{tmp_path / place} cannot be written: " in shown and shown.count("\n") == 1
