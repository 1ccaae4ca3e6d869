"""The doctor: every result can be good and bad, nothing secret is printed, and no move is ever sent."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.agents.catalogue import make_agent
from bot.cli.app import run
from bot.cli.checks import engine
from bot.cli.checks.check_result import CheckResult, guarded
from bot.course.server.embedded import embedded_server
from bot.errors import JournalError
from tests.cli.checks.findings import KEY, only


@pytest.fixture
def doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run `bot doctor` in the test's folder, on a machine whose timers and disk are quick whatever else runs on it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(engine, "_overrun_s", lambda: 0.001)
    monkeypatch.setattr(engine, "_slowest_record_s", lambda _folder: 0.001)

    def run_doctor(*arguments: str, key: str | None = None) -> Done:
        if key is not None:
            monkeypatch.setenv("BOT_API_KEY", key)
        code = run(["doctor", *arguments])
        return Done(int(code), *capsys.readouterr())

    return run_doctor


class Done(NamedTuple):
    """Exit code and output of a command."""

    returncode: int
    stdout: str
    stderr: str


def test_on_this_machine_nothing_is_wrong_and_every_finding_is_complete(
    tmp_path: Path, doctor: Callable[..., Done]
) -> None:
    done = doctor("--json")
    found = json.loads(done.stdout)
    assert done.returncode == 0, done.stdout
    names = [result["name"] for result in found]
    for name in ("python", "cache", "engine", "time", "book", "folder", "journals", "settings"):
        assert name in names
    for result in found:
        assert set(result) == {"name", "state", "text", "next"}
        assert result["state"] in ("ok", "warning")
        assert result["text"]
        assert bool(result["next"]) == (result["state"] != "ok"), result
    assert not list(tmp_path.iterdir()), "a doctor leaves nothing behind"


def test_a_server_is_asked_but_never_played_and_the_key_stays_secret(
    tmp_path: Path, doctor: Callable[..., Done]
) -> None:
    with embedded_server(make_agent("random", seed=1), api_key=KEY, db=tmp_path / "db.sqlite3") as url:
        done = doctor("--server", url, "--stil-id", "ab1234cd-s", key=KEY)
        wrong = doctor("--server", url, "--stil-id", "ab1234cd-s", key=KEY + "x")
    assert done.returncode == 0, done.stdout
    assert "0 played, 0 won, 0 lost" in done.stdout
    assert wrong.returncode == 4
    assert "error    server" in wrong.stdout
    assert "Check BOT_API_KEY or --api-key-file." in wrong.stdout
    assert KEY not in done.stdout + done.stderr + wrong.stdout + wrong.stderr
    with sqlite3.connect(tmp_path / "db.sqlite3") as books:
        assert books.execute("SELECT count(*) FROM players WHERE running OR played").fetchone() == (0,)


def test_the_first_error_decides_the_exit_code_and_the_rest_is_still_examined(
    tmp_path: Path, doctor: Callable[..., Done]
) -> None:
    (tmp_path / "logs").touch()
    done = doctor("--server", "http://127.0.0.1:9", "--stil-id", "aa")
    assert done.returncode == 2
    assert "error    folder" in done.stdout
    assert "error    server" in done.stdout
    assert "2 errors" in done.stdout


def test_a_check_that_fails_itself_is_a_finding() -> None:
    def breaks() -> Iterator[CheckResult]:
        raise RuntimeError("out of luck")
        yield

    def refuses() -> Iterator[CheckResult]:
        raise JournalError("The folder is gone.", "Look for it.")
        yield

    result = only(guarded("solver", breaks))
    assert (result.state, result.exit_code) == ("error", 1)
    assert "RuntimeError: out of luck" in result.text
    result = only(guarded("journals", refuses))
    assert (result.text, result.next_step, result.exit_code) == ("The folder is gone.", "Look for it.", 2)


def test_a_folder_that_cannot_be_written_is_reported_once_with_the_right_next_step(
    doctor: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(**_: object) -> None:
        raise PermissionError(13, "Permission denied", "somewhere")

    monkeypatch.setattr(tempfile, "TemporaryFile", denied)
    done = doctor("--json")
    wrong = [result for result in json.loads(done.stdout) if result["state"] == "error"]
    assert [(result["name"], result["next"]) for result in wrong] == [("folder", "Choose another --logs folder.")]
    assert done.returncode == 2


def test_what_the_system_refuses_is_not_a_failure_of_the_installation() -> None:
    def refused() -> Iterator[CheckResult]:
        raise PermissionError(13, "Permission denied", "somewhere")
        yield

    result = only(guarded("journals", refused))
    assert result.text == "somewhere cannot be used: Permission denied. Check the path and its permissions."
    assert "Install" not in result.next_step
