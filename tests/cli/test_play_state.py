"""A game that a killed run left behind, seen from another folder, by another spelling of the server's address."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from bot.course.journal.reader import read_journal
from tests.cli.programs import halted, playing, server
from tests.processes import bot_here


@pytest.fixture
def course() -> Iterator[str]:
    with server("random", 5) as url:
        yield url


def play(url: str, *options: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    respelt = url.replace("127.0.0.1", "LOCALHOST") + "/move"
    return bot_here("play", "--games", "1", "--goal", "1", "--server", respelt, "--stil-id", "k", *options, cwd=cwd)


def killed(url: str, cwd: Path) -> Path:
    """The journal of a run that was killed in the middle of a game."""
    with playing(cwd, url) as process:
        path = halted(url, cwd / "logs", process)
        process.kill()
    assert read_journal(path).unfinished is not None
    return path


def losses(url: str, cwd: Path) -> int:
    answer = json.loads(bot_here("streak", "--server", url, "--stil-id", "k", "--json", cwd=cwd).stdout)
    return int(answer["statistics"]["lost"])


def test_the_game_is_resumed_from_another_folder(tmp_path: Path, course: str) -> None:
    path = killed(course, tmp_path)
    (tmp_path / "elsewhere").mkdir()
    again = play(course, "--logs", "other-logs", cwd=tmp_path / "elsewhere")
    assert again.returncode == 0, again.stderr
    assert "Resuming game 1" in again.stdout
    assert read_journal(path).games[0].result == 1.0
    assert losses(course, tmp_path) == 0
    assert play(course, "--logs", "other-logs", cwd=tmp_path).returncode == 0
    assert losses(course, tmp_path) == 0


def test_a_deleted_journal_is_said_before_the_game_is_lost(tmp_path: Path, course: str) -> None:
    killed(course, tmp_path).unlink()
    refused = play(course, cwd=tmp_path)
    assert refused.returncode == 2
    assert "Game 1 of k at http://localhost" in refused.stderr and "--fresh" in refused.stderr
    assert losses(course, tmp_path) == 0
    fresh = play(course, "--fresh", cwd=tmp_path)
    assert fresh.returncode == 0, fresh.stderr
    assert losses(course, tmp_path) == 1
    assert play(course, cwd=tmp_path).returncode == 0


def test_a_second_run_is_refused_from_another_folder(tmp_path: Path, course: str) -> None:
    with playing(tmp_path, course) as process:
        halted(course, tmp_path / "logs", process)
        second = play(course, "--logs", "other", cwd=tmp_path)
    assert second.returncode == 2
    assert f"process {process.pid}" in second.stderr


def test_an_outage_in_mid_game_says_that_the_game_is_kept(tmp_path: Path) -> None:
    with ExitStack() as stack:
        with server("depth2", 5) as url:
            process = stack.enter_context(playing(tmp_path, url, "--patience", "0.2"))
            halted(url, tmp_path / "logs", process)
        process.send_signal(signal.SIGCONT)
        _, err = process.communicate()
    assert process.returncode == 3, err
    assert "The game is kept: run the same command again to resume it." in err
