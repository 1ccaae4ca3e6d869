"""Files that survive a crash: torn lines, atomic replacement, and places that cannot be written."""

from __future__ import annotations

import pytest

from bot.cli.app import run
from bot.errors import ExitCode, UsageError
from bot.files import LineFile


@pytest.mark.parametrize("torn", [b"", b"t", b'{"half": ', b"\xff"])
def test_lines_are_read_again_and_a_torn_last_line_is_neither_read_nor_continued(tmp_path, torn):
    path = tmp_path / "lines"
    assert LineFile(path).lines() == []
    path.write_bytes(b"one\n" + torn)
    assert LineFile(path).lines() == [b"one"]
    with LineFile(path) as file:
        file.append("två")
        assert path.read_bytes() == "one\ntvå\n".encode(), "the operating system has it at once"


OWN = ('{"agent": ',)


@pytest.mark.parametrize("content", ["# My notes\n", "no line end", '{"other": 1}\n', "\n"])
def test_a_file_of_another_kind_is_neither_read_nor_appended_to(tmp_path, content):
    path = tmp_path / "notes"
    path.write_text(content)
    with pytest.raises(UsageError, match="written by another command"), LineFile(path, beginnings=OWN):
        pass
    assert path.read_text() == content


@pytest.mark.parametrize("torn", ["", "{", '{"agent": "ra'])
def test_a_file_whose_first_line_is_torn_is_still_its_own(tmp_path, torn):
    path = tmp_path / "answers"
    path.write_text(torn)
    with LineFile(path, beginnings=OWN) as file:
        file.append('{"agent": "random"}')
    assert path.read_text() == '{"agent": "random"}\n'


@pytest.mark.parametrize("command", ["judge random --count 5 --saved", "match random random --games 2 --record"])
def test_no_command_appends_to_a_file_of_another_kind(tmp_path, command, capsys):
    path = tmp_path / "notes.txt"
    path.write_text("my notes, without a line end")
    assert run([*command.split(), str(path)]) == ExitCode.USAGE
    assert path.read_text() == "my notes, without a line end" and str(path) in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", ["export page 4453", "export kaggle", "puzzles", "book build --plies 8", "proof build"]
)
def test_a_place_that_cannot_be_written_is_named_before_the_work(command, tmp_path, capsys):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    for place in ("missing/file", "folder", "file/file"):
        assert run([*command.split(), "--out", str(tmp_path / place)]) == ExitCode.USAGE
        shown = capsys.readouterr().err
        assert f"{tmp_path / place} cannot be written: " in shown and shown.count("\n") == 1
