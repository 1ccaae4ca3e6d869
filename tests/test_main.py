"""The key among the arguments: it goes to the environment, from an option, a file or standard input."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot import __main__ as start
from tests.processes import ROOT, running_bot

KEY = "sekrit-key-1234"


class ReplacedError(Exception):
    """Stands for the end of this process: os.execv does not return."""


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_API_KEY", "before")

    def replace(path: str, argv: list[str]) -> None:
        raise ReplacedError(path, argv)

    monkeypatch.setattr(os, "execv", replace)
    monkeypatch.setattr(os, "name", "posix")


def taken(monkeypatch: pytest.MonkeyPatch, *argv: str) -> list[str]:
    """The arguments that are left, in this process or in the one that replaces it."""
    monkeypatch.setattr(sys, "orig_argv", ["python", "-X", "dev", "-m", "bot", *argv])
    try:
        return start._take_key(list(argv))
    except ReplacedError as replaced:
        path, command = replaced.args
        assert path == sys.executable
        assert command[:5] == [sys.executable, "-X", "dev", "-m", "bot"]
        return ["replaced", *command[5:]]


@pytest.mark.parametrize(
    ("argv", "left"),
    [
        (("play", "--api-key", KEY, "--games", "3"), ["replaced", "play", "--games", "3"]),
        (("play", f"--api-key={KEY}"), ["replaced", "play"]),
        (("--api-key", "other", "play", "--api-key", KEY), ["replaced", "play"]),
    ],
)
def test_a_key_among_the_arguments_replaces_the_process(
    argv: tuple[str, ...], left: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert taken(monkeypatch, *argv) == left
    assert os.environ["BOT_API_KEY"] == KEY


@pytest.mark.parametrize(
    "argv", [("play",), ("move", "--", "--api-key", KEY), ("play", "--api-key"), ("play", "--api-keys", KEY)]
)
def test_other_arguments_stay_as_they_are(argv: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    assert taken(monkeypatch, *argv) == list(argv)
    assert os.environ["BOT_API_KEY"] == "before"


def test_where_a_process_cannot_be_replaced_the_option_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "name", "nt")
    assert taken(monkeypatch, "play", "--api-key", KEY) == ["play", "--api-key", KEY]


@pytest.mark.parametrize("content", [KEY, f"{KEY}\n", f"\n {KEY} \r\n"])
def test_a_key_is_read_from_a_file(content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_text(content)
    for option in (["--api-key-file", str(tmp_path / "key")], [f"--api-key-file={tmp_path / 'key'}"]):
        assert taken(monkeypatch, "play", *option, "--json") == ["play", "--json"]
        assert os.environ["BOT_API_KEY"] == KEY
        monkeypatch.setenv("BOT_API_KEY", "before")


def test_a_key_is_read_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{KEY}\nmore"))
    assert taken(monkeypatch, "play", "--api-key-file", "-") == ["play"]
    assert os.environ["BOT_API_KEY"] == KEY
    assert sys.stdin.read() == "more"


def test_in_a_terminal_the_key_is_asked_for_without_echo(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr("getpass.getpass", lambda _prompt: KEY)
    assert taken(monkeypatch, "play", "--api-key-file", "-") == ["play"]
    assert os.environ["BOT_API_KEY"] == KEY


@pytest.mark.parametrize("content", [None, b"", b" \n", b"one\ntwo", b"a\0b", b"\xff\xfe"])
def test_a_file_without_a_key_is_one_sentence_with_exit_code_2(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (tmp_path / "key").write_bytes(content)
    with pytest.raises(SystemExit) as ended:
        taken(monkeypatch, "play", "--api-key-file", str(tmp_path / "key"))
    assert ended.value.code == 2
    printed = capsys.readouterr().err
    assert printed.startswith("bot: The key file") and printed.count("\n") == 1
    assert os.environ["BOT_API_KEY"] == "before"


def test_two_keys_are_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        taken(monkeypatch, "play", "--api-key", KEY, "--api-key-file", "-")
    assert ended.value.code == 2
    assert "twice" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="reads the process list of Linux")
def test_a_running_command_does_not_show_its_key(tmp_path: Path) -> None:
    command = ("serve", "--port", "0", "--opponent", "random", "--api-key", KEY)
    with running_bot(*command, cwd=tmp_path, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None and "http://" in server.stdout.readline()
        arguments = Path(f"/proc/{server.pid}/cmdline").read_text()
    assert "serve" in arguments and "--opponent" in arguments
    assert KEY not in arguments and "--api-key" not in arguments


def test_from_an_archive_it_says_how_to_run(tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "bot"), "zip", ROOT, "bot")
    done = subprocess.run(
        [sys.executable, "-m", "bot", "--version"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": archive},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and done.stderr.startswith("bot: The program cannot run from an archive.")


def test_a_key_file_with_a_byte_order_mark_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_bytes(b"\xef\xbb\xbf" + KEY.encode() + b"\r\n")
    taken(monkeypatch, "play", "--api-key-file", str(tmp_path / "key"))
    assert os.environ["BOT_API_KEY"] == KEY


def test_no_key_typed_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def ended(_prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr("getpass.getpass", ended)
    with pytest.raises(SystemExit):
        taken(monkeypatch, "play", "--api-key-file", "-")
    assert "must hold one line" in capsys.readouterr().err
