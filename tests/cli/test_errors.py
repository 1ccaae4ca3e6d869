"""Exit codes of errors: the same with -v, and 2 for what the user gave."""

from __future__ import annotations

import socket

import pytest

from bot.cli.app import run


@pytest.mark.parametrize("arguments", [["analyse", "48"], ["streak", "--server", "foo"], ["replay", "no-such-file"]])
def test_verbose_adds_the_traceback_and_keeps_the_exit_code(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    code = run(arguments)
    line = capsys.readouterr().err
    assert code == run(["-v", *arguments]) == run([*arguments, "--verbose"]) == 2
    shown = capsys.readouterr().err
    assert "Traceback" in shown and shown.endswith(line) and "Traceback" not in line


def test_a_taken_port_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert run(["serve", "--opponent", "random", "--port", port]) == 2
    assert "--port" in capsys.readouterr().err


def test_an_unknown_fault_is_said_to_be_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--port", "0", "--faults", "foo"]) == 2
    assert "The kinds are refuse" in capsys.readouterr().err
