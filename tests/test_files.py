"""Files that survive a crash: torn lines, atomic replacement, files that cannot be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.files import LineFile, replace_file, whole_lines


def test_lines_that_were_appended_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    assert whole_lines(path) == whole_lines(None) == []
    with LineFile(path) as file:
        file.append("one")
        assert whole_lines(path) == [b"one"], "the operating system has it at once"
        file.append("två")
    assert whole_lines(path) == [b"one", "två".encode()]


@pytest.mark.parametrize("torn", ["", "t", '{"half": ', "\xff"])
def test_a_torn_last_line_is_neither_read_nor_continued(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"one\n" + torn.encode("latin-1"))
    assert whole_lines(path) == [b"one"]
    with LineFile(path) as file:
        file.append("two")
    assert path.read_bytes() == b"one\ntwo\n"


def test_new_content_replaces_the_old_before_lines_are_appended(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_text("old\n")
    with LineFile(path, ["header", "kept"]) as file:
        file.append("new")
    assert whole_lines(path) == [b"header", b"kept", b"new"]
    assert list(tmp_path.iterdir()) == [path]


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
