"""The doctor: every result can be good and bad, nothing secret is printed, and no move is ever sent."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import bot
from bot.agents import make_agent
from bot.cli.app import run
from bot.config import load_settings
from bot.doctor import CheckResult, Examination, engine, examination, examine, installation, journals, server
from bot.doctor.check_result import guarded
from bot.engine.book.lookup import Book, from_scores
from bot.errors import JournalError
from bot.journal.state import Identity, hold
from bot.server.embedded import embedded_server
from tests.servers import raw_server, then_hangs

KEY = "sekrit-key-1234"


def only(results: Iterator[CheckResult]) -> CheckResult:
    found = list(results)
    assert len(found) == 1, found
    return found[0]


def answer(results: Iterator[CheckResult]) -> dict[str, str]:
    """Level and text by name."""
    return {result.name: f"{result.level.value}: {result.text}" for result in results}


# The whole.


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
    for name in ("python", "packages", "cache", "solver", "time", "book", "folder", "journals", "lock", "settings"):
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
    assert "error    stats" in wrong.stdout
    assert "Check --api-key." in wrong.stdout
    assert KEY not in done.stdout + done.stderr + wrong.stdout + wrong.stderr
    with sqlite3.connect(tmp_path / "db.sqlite3") as books:
        assert books.execute("SELECT count(*) FROM players WHERE running OR played").fetchone() == (0,)


def test_the_first_error_decides_the_exit_code_and_the_rest_is_still_examined(
    tmp_path: Path, doctor: Callable[..., Done]
) -> None:
    write(tmp_path / "logs" / "000001-x.jsonl", HEADER, OPENED[0], {**OPENED[1], "state": [[1] * 7] * 6})
    done = doctor("--server", "http://127.0.0.1:9", "--stil-id", "aa")
    assert done.returncode == 4
    assert "error    journals" in done.stdout
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
    assert (result.level.value, result.exit_code) == ("error", 1)
    assert "RuntimeError: out of luck" in result.text
    result = only(guarded("journals", refuses))
    assert (result.text, result.next_step, result.exit_code) == ("The folder is gone.", "Look for it.", 2)


# Python and packages.


def test_old_pythons_and_missing_or_old_packages_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    version = namedtuple("version", "major minor micro")
    monkeypatch.setattr(sys, "version_info", version(3, 9, 1))
    assert only(installation.check_python()).level.value == "error"
    needed = ["numba>=0.60", "numpy>=1.26", "rich", 'absent>=1; extra == "plot"', "gone>=2"]
    versions = {"numba": "0.60.0", "numpy": "1.9", "rich": "13", installation.DISTRIBUTION: bot.__version__}

    def version_of(name: str) -> str:
        if name not in versions:
            raise metadata.PackageNotFoundError(name)
        return versions[name]

    monkeypatch.setattr(metadata, "requires", lambda _name: needed)
    monkeypatch.setattr(metadata, "version", version_of)
    result = only(installation.check_packages())
    assert result.level.value == "error"
    assert result.text == "numpy 1.9 is too old (>=1.26); gone is missing (>=2)"
    versions.update(numpy="1.26", gone="10.0")
    assert "numba 0.60.0 (>=0.60), numpy 1.26 (>=1.26), rich 13 (any)" in only(installation.check_packages()).text
    versions[installation.DISTRIBUTION] = "0.0.9"
    assert next(installation.check_packages()).level.value == "warning"
    del versions[installation.DISTRIBUTION]
    assert only(installation.check_packages()).level.value == "warning"


# The engine.


def check_cache_with(**env: str) -> str:
    script = "from bot.doctor.engine import check_cache; f, = check_cache(); print(f.level.value, f.text, f.next_step)"
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, **env}, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_the_cache_is_there_or_cannot_be_written_or_is_switched_off(tmp_path: Path) -> None:
    fresh = check_cache_with(NUMBA_CACHE_DIR=str(tmp_path / "fresh"))
    assert fresh.startswith("ok")
    assert f"{tmp_path}/fresh/kernels-" in fresh
    assert "nothing compiled yet" in fresh
    (tmp_path / "file").touch()
    blocked = check_cache_with(NUMBA_CACHE_DIR=str(tmp_path / "file"))
    assert blocked.startswith("warning")
    assert f"{tmp_path}/file" in blocked
    assert "Set NUMBA_CACHE_DIR" in blocked
    assert check_cache_with(NUMBA_DISABLE_JIT="1").startswith("error NUMBA_DISABLE_JIT")


def test_wrong_scores_of_the_solver_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    assert only(engine.check_solver()).level.value in ("ok", "warning")
    monkeypatch.setattr(engine, "POSITIONS", tuple((moves, score + 1) for moves, score in engine.POSITIONS[:2]))
    result = only(engine.check_solver())
    assert (result.level.value, result.exit_code) == ("error", 1)
    assert "41751266515 has the score -3, not -4" in result.text


@pytest.mark.parametrize(
    ("late_s", "record_s", "level"),
    [(0.0, 0.001, "ok"), (0.1, 0.07, "ok"), (0.1, 0.08, "warning"), (0.3, 0.06, "error"), (0.0, 2.0, "error")],
)
def test_five_seconds_are_safe_by_the_stated_rule(
    late_s: float, record_s: float, level: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(engine, "_overrun_s", lambda: late_s)
    monkeypatch.setattr(engine, "_slowest_record_s", lambda _folder: record_s)
    result = only(engine.check_time(5.0, tmp_path))
    assert result.level.value == level
    assert "5 s" in result.text


def test_searches_really_are_cut_off(tmp_path: Path) -> None:
    result = only(engine.check_time(5.0, tmp_path))
    assert "cut off" in result.text
    assert engine._overrun_s() >= 0


@pytest.mark.parametrize("kind", ["missing", "whole", "damaged", "wrong"])
def test_the_book_is_missing_whole_damaged_or_wrong(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load = Book.load
    empty = from_scores({sum(1 << column * 7 for column in range(7)): -1 if kind == "wrong" else 1}, 0)

    def loaded() -> Book:
        if kind == "missing":
            raise FileNotFoundError
        blob = empty.to_bytes()
        return Book.from_bytes(blob[:-1] + b"\x07" if kind == "damaged" else blob)

    monkeypatch.setattr(Book, "load", loaded)
    result = only(guarded("book", engine.check_book))
    expected = {"missing": "warning", "whole": "ok", "damaged": "error", "wrong": "error"}[kind]
    assert result.level.value == expected, result
    assert load is not loaded


# Journals.

HEADER = {"type": "run", "schema": 1, "server": "embedded", "stil_ids": ["local-player"]}
OPENED = [
    {"type": "intent", "game": 1, "move": -1},
    {"type": "reply", "game": 1, "status": True, "botmove": -1, "result": 0, "state": [[0] * 7] * 6},
]


def write(path: Path, *records: Any, end: str = "") -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records) + end)
    return path


def examined(logs: Path) -> dict[str, str]:
    return answer(journals.check_journals(logs))


def test_no_journals_are_no_problem(tmp_path: Path) -> None:
    assert examined(tmp_path / "logs")["journals"].startswith("ok: none yet")


def test_an_unfinished_game_is_told_with_what_to_do(tmp_path: Path) -> None:
    write(tmp_path / "logs" / "000001-a.jsonl", HEADER, *OPENED, end='{"type": "int')
    results = {result.name: result for result in journals.check_journals(tmp_path / "logs")}
    assert (
        results["journals"].text
        == "1 journal with 0 finished games, all read and verified, 1 with an incomplete last line (harmless)"
    )
    assert results["unfinished"].level.value == "warning"
    assert "game 1 of local-player at embedded" in results["unfinished"].text
    assert "--fresh" in results["unfinished"].next_step
    write(tmp_path / "logs" / "000002-a.jsonl", HEADER)
    assert "unfinished" not in examined(tmp_path / "logs"), "a later run has replaced it"


def test_damage_is_named_by_file_and_line_and_does_not_hide_other_files(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    for number in range(1, 5):
        write(logs / f"00000{number}-a.jsonl", HEADER, end="no json\nno json\n")
    write(logs / "000005-a.jsonl", end="# a Markdown file\n")
    write(logs / "000006-a.jsonl", HEADER, OPENED[0], {**OPENED[1], "state": [[1] * 7] * 6})
    results = [result for result in journals.check_journals(logs) if result.name == "journals"]
    assert [result.level.value for result in results] == ["warning", "error"]
    assert [result.exit_code for result in results] == [0, 4]
    damaged, wrong = (result.text for result in results)
    assert "5 journals cannot be read in full" in damaged
    assert "000003-a.jsonl: Line 2 is damaged and was skipped: it is not JSON. And 1 more." in damaged
    assert "000004-a.jsonl" not in damaged
    assert "And 2 more" in damaged
    assert "000006-a.jsonl" in wrong


def test_binary_rubbish_and_a_folder_for_a_file_are_survived(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "000001-a.jsonl").write_bytes(bytes(range(256)) * 4)
    (logs / "000002-a.jsonl").mkdir()
    assert examined(logs)["journals"].startswith("warning: 1 journal cannot be read in full")


def test_who_holds_a_lock_is_said(tmp_path: Path) -> None:
    assert examined(tmp_path)["lock"] == "ok: no run is playing now"
    for address in ("embedded", "http://x"):
        with hold(Identity.of(address, ["local-player"]), tmp_path):
            assert f"process {os.getpid()}, as local-player at {address}" in examined(tmp_path)["lock"]
    assert examined(tmp_path)["lock"] == "ok: no run is playing now"


def test_the_embedded_servers_books_are_checked(tmp_path: Path) -> None:
    with embedded_server(make_agent("random", seed=1), api_key=KEY, db=tmp_path / "embedded.sqlite3"):
        pass
    assert examined(tmp_path)["embedded"].startswith("ok")
    (tmp_path / "embedded.sqlite3").write_bytes(b"rubbish" * 1000)
    assert examined(tmp_path)["embedded"].startswith("error")


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "can be created" in only(journals.check_folder(tmp_path / "a" / "b")).text
    (tmp_path / "file").touch()
    assert only(journals.check_folder(tmp_path / "file")).level.value == "error"

    def denied(**_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    usage = namedtuple("usage", "free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage(5_000_000))
    assert only(journals.check_folder(tmp_path)).level.value == "warning"
    monkeypatch.setattr(tempfile, "TemporaryFile", denied)
    assert "Permission denied" in only(journals.check_folder(tmp_path)).text


# The server.


@contextmanager
def answering(raw: bytes | None) -> Iterator[str]:
    """A server that answers every request with ``raw``; None: it accepts connections and sends nothing."""
    with raw_server(then_hangs(b"") if raw is None else raw) as (url, _seen):
        yield url


def reply(status: str, body: str, kind: str = "application/json", extra: str = "") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{extra}Content-Length: {len(body)}\r\n\r\n{body}".encode()


@pytest.mark.parametrize(
    ("raw", "level", "said"),
    [
        (reply("200 OK", '{"title": "4 in a row"}'), "ok", ": 4 in a row"),
        (reply("200 OK", '"a\\u001b[31m title\\nof two lines"'), "ok", ": a [31m title of two lines"),
        (reply("200 OK", "<html>Log in</html>", "text/html"), "warning", "text/html"),
        (reply("200 OK", '{"title": 4}'), "warning", "not as a course server"),
        (reply("200 OK", "{{{"), "warning", "not as a course server"),
        (reply("200 OK", "[" * 100_000), "warning", "not as a course server"),
        (reply("200 OK", ""), "warning", "not as a course server"),
        (reply("404 Not Found", "{}"), "warning", "HTTP 404"),
        (reply("307 Moved", "", extra="Location: http://elsewhere/\r\n"), "error", "redirect to http://elsewhere/"),
        (reply("503 Down", "", extra="Retry-After: 100\r\n"), "error", "HTTP 503"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "error", "answer is not HTTP"),
        (reply("200 OK", '{"title": "4 in a row"}', "text/html"), "ok", ": 4 in a row"),
        (reply("200 OK", '{"title": "Your key is SEKRIT%2Dkey-1234"}'), "ok", ": Your key is ***"),
        (reply("302 X", "", extra=f"Location: http://elsewhere/?key={KEY}\r\n"), "error", "elsewhere/?key=***"),
        (b"", "error", "closed the connection without an answer"),
        (None, "error", "did not answer"),
    ],
)
def test_whatever_a_server_answers_is_judged(
    raw: bytes | None, level: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "PATIENCE_S", 0.8 if raw is None else 5.0)
    with answering(raw) as url:
        result = only(server.check_server(load_settings(url, ["aa"], KEY)))
    assert result.level.value == level
    assert said in result.text
    assert "\x1b" not in result.text


def test_no_server_and_an_unknown_name_are_errors() -> None:
    result = only(server.check_server(load_settings("http://127.0.0.1:9", ["aa"], KEY)))
    assert (result.level.value, result.exit_code) == ("error", 3)
    assert "refused" in result.text


def test_statistics_that_make_no_sense_are_an_error() -> None:
    for raw in (reply("200 OK", '{"played": "many"}'), reply("200 OK", "<html>", "text/html"), b""):
        with answering(raw) as url:
            assert only(server.check_stats(load_settings(url, ["aa"], KEY))).level.value == "error"
    with answering(reply("404 Not Found", "{}")) as url:
        assert only(server.check_stats(load_settings(url, ["aa"], KEY))).level.value == "warning"


def server_part(**wanted: Any) -> dict[str, str]:
    return answer(examination._check_server(Examination(**wanted)))


def test_settings_that_play_refuses_are_an_error_but_the_server_is_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with answering(reply("200 OK", '{"title": "4 in a row"}')) as url:
        found = server_part(server=url)
        assert found["settings"].startswith("error")
        assert found["server"].startswith("ok")
        assert "stats" not in found
    assert list(server_part(server="not an address")) == ["settings"]
    assert list(server_part()) == ["settings"], "the embedded server needs no network"
    Path("bot.toml").write_text(f'api_key = "{KEY}"\nserver = 5')
    found = server_part()
    assert found["settings"].startswith("error")
    assert KEY not in str(found)


def test_examine_makes_every_finding_in_this_process_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(engine, "_compile_anew", lambda: 99.0)
    found = answer(examine(Examination(compile_anew=True)))
    assert found["compiling"].startswith(("warning: the engine was compiled and ready in 99", "ok"))
    assert found["book"].startswith(("ok", "warning"))
