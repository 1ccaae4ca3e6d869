"""Files that survive a crash: torn lines, atomic replacement, files that cannot be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.cli.app import run
from bot.errors import ExitCode, UsageError
from bot.files import LineFile, replace_file


def test_lines_that_were_appended_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    assert LineFile(path).lines() == LineFile(None).lines() == []
    with LineFile(path) as file:
        file.append("one")
        assert LineFile(path).lines() == [b"one"], "the operating system has it at once"
        file.append("två")
    assert LineFile(path).lines() == [b"one", "två".encode()]


@pytest.mark.parametrize("torn", ["", "t", '{"half": ', "\xff"])
def test_a_torn_last_line_is_neither_read_nor_continued(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"one\n" + torn.encode("latin-1"))
    assert LineFile(path).lines() == [b"one"]
    with LineFile(path) as file:
        file.append("two")
    assert path.read_bytes() == b"one\ntwo\n"


def test_without_a_path_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with LineFile(None) as file:
        file.append("one")
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_not_open_takes_no_line(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="with statement"):
        LineFile(tmp_path / "lines").append("one")


def test_a_replacement_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    path.mkdir()
    with pytest.raises(OSError):
        replace_file(path, b"content")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", ["# My notes\nsecond line\n", "no line end", '{"other": 1}\n', "\n"])
def test_a_file_of_another_kind_is_neither_read_nor_appended_to(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes"
    path.write_text(content)
    with pytest.raises(UsageError, match="written by another command"):
        LineFile(path, beginnings=('{"agent": ',)).lines()
    with pytest.raises(UsageError, match="written by another command"), LineFile(path, beginnings=('{"agent": ',)):
        pass
    assert path.read_text() == content


@pytest.mark.parametrize("torn", ["", "{", '{"agent": "ra'])
def test_a_file_whose_first_line_is_torn_is_still_its_own(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "answers"
    path.write_text(torn)
    assert LineFile(path, beginnings=('{"agent": ',)).lines() == []
    with LineFile(path, beginnings=('{"agent": ',)) as file:
        file.append('{"agent": "random"}')
    assert path.read_text() == '{"agent": "random"}\n'


@pytest.mark.parametrize(
    "command",
    [
        "judge random --count 5 --saved FILE",
        "match random random --games 2 --record FILE",
        "tournament random depth1 --record FILE",
    ],
)
def test_no_command_appends_to_a_file_of_another_kind(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my notes, without a line end")
    places = {"FILE": str(path), "OUT": str(tmp_path / "out")}
    assert run([places.get(word, word) for word in command.split()]) == 2
    assert path.read_text() == "my notes, without a line end" and str(path) in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        ["export", "page", "4453", "--out"],
        ["export", "kaggle", "--out"],
        ["puzzles", "--out"],
        ["book", "build", "--plies", "8", "--out"],
        ["proof", "build", "--out"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
@pytest.mark.parametrize("place", ["missing/file", "folder", "file/file"])
def test_a_place_that_cannot_be_written_is_named_before_the_work(
    command: list[str], place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    assert run([*command, str(tmp_path / place)]) == ExitCode.USAGE
    shown = capsys.readouterr().err
    assert f"{tmp_path / place} cannot be written: " in shown and shown.count("\n") == 1


@pytest.mark.parametrize(("command", "option"), [("simulate", "--journals"), ("soak", "--keep")])
def test_a_folder_that_cannot_be_used_is_named(
    command: str, option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path, tmp_path / "file", tmp_path / "file" / "below"):
        assert run([command, "--games", "1", option, str(folder)]) == ExitCode.USAGE
        assert f"The folder {folder} " in (shown := capsys.readouterr().err) and option in shown
