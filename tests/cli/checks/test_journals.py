"""The doctor on journals: unfinished games, damage, locks, folders that cannot be written."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest

from bot.cli.checks import journals
from bot.course.address import Identity
from bot.course.journal.state import hold
from tests.cli.checks.findings import HEADER, OPENED, WRONG, answer, only, write


def examined(logs: Path) -> dict[str, str]:
    return answer(journals.check_journals(logs))


def test_no_journals_are_no_problem(tmp_path: Path) -> None:
    assert examined(tmp_path / "logs")["journals"].startswith("ok: none yet")


def test_an_unfinished_game_is_told_with_what_to_do(tmp_path: Path) -> None:
    write(tmp_path / "logs" / "000001-a.jsonl", HEADER, *OPENED, end='{"type": "int')
    results = {result.name: result for result in journals.check_journals(tmp_path / "logs")}
    assert results["journals"].text == "1 journal with 0 finished games, all read and verified"
    assert results["unfinished"].state == "warning"
    assert "game 1 of local-player at embedded" in results["unfinished"].text
    assert "--fresh" in results["unfinished"].next_step
    write(tmp_path / "logs" / "000002-a.jsonl", HEADER)
    assert "unfinished" not in examined(tmp_path / "logs"), "a later run has replaced it"


def test_damage_is_named_by_file_and_line_and_does_not_hide_other_files(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    for number in range(1, 5):
        write(logs / f"00000{number}-a.jsonl", HEADER, end="no json\nno json\n")
    write(logs / "000005-a.jsonl", end="# a Markdown file\n")
    write(logs / "000006-a.jsonl", HEADER, *OPENED, WRONG)
    [result] = [result for result in journals.check_journals(logs) if result.name == "journals"]
    assert result.state == "warning"
    assert "6 journals with problems" in result.text
    assert "000003-a.jsonl: Line 2 is damaged and was skipped: it is not JSON. ..." in result.text
    assert "000004-a.jsonl" not in result.text
    assert "bot replay FILE --verify" in result.next_step


def test_a_game_that_cannot_have_happened_is_reported(tmp_path: Path) -> None:
    path = write(tmp_path / "logs" / "000001-a.jsonl", HEADER, *OPENED, WRONG)
    assert examined(tmp_path / "logs")["journals"].startswith(f"warning: 1 journal with problems: {path}: ")


def test_binary_rubbish_and_a_folder_for_a_file_are_survived(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "000001-a.jsonl").write_bytes(bytes(range(256)) * 4)
    (logs / "000002-a.jsonl").mkdir()
    assert examined(logs)["journals"].startswith("warning: 1 journal with problems")


def test_who_holds_a_lock_is_said(tmp_path: Path) -> None:
    assert "lock" not in examined(tmp_path)
    for address in ("embedded", "http://x"):
        with hold(Identity.of(address, ["local-player"]), tmp_path):
            assert f"process {os.getpid()}, as local-player at {address}" in examined(tmp_path)["lock"]
    assert "lock" not in examined(tmp_path)


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "can be created" in only(journals.check_folder(tmp_path / "a" / "b")).text
    (tmp_path / "file").touch()
    assert only(journals.check_folder(tmp_path / "file")).state == "error"

    def denied(**_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    usage = namedtuple("usage", "free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage(5_000_000))
    assert only(journals.check_folder(tmp_path)).state == "warning"
    monkeypatch.setattr(tempfile, "TemporaryFile", denied)
    assert "Permission denied" in only(journals.check_folder(tmp_path)).text


def test_a_link_that_leads_nowhere_is_no_folder(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.symlink_to(tmp_path / "missing")
    assert "is not a folder" in answer(journals.check_folder(logs))["folder"]
