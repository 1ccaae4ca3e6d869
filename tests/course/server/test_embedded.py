"""`bot serve` as a process: killed, started again with its database or a backup of it, and stopped by Ctrl-C."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import requests

from bot.course.server.embedded import embedded_server
from bot.course.server.network import address, listen
from bot.course.server.store import read_moves, read_players
from bot.engine.simple import Scripted
from bot.errors import UsageError
from bot.web.service import listen_for_spectators
from tests.processes import bot_here, running_bot

ALL = "0.0.0.0"
"""All interfaces."""


def test_an_address_can_be_handed_out_and_one_of_another_machine_is_refused(monkeypatch):
    names = {socket.SOCK_DGRAM: ("192.0.2.7", 9), socket.SOCK_STREAM: (ALL, 8000)}
    monkeypatch.setattr("socket.socket.connect", lambda _sock, _address: None)
    monkeypatch.setattr("socket.socket.getsockname", lambda sock: names[sock.type])
    with closing(listen(ALL)) as sock:
        assert address(sock) == "http://192.0.2.7:8000"
        names[socket.SOCK_STREAM] = ("::1", 8000)
        assert address(sock) == "http://[::1]:8000"
    with pytest.raises(UsageError, match="Cannot listen on 192") as raised:
        listen("192.0.2.1")
    assert raised.value.hint.startswith("Choose another --host")
    for opens in (listen, lambda host: listen_for_spectators(host, sock)):
        with pytest.raises(UsageError, match="is empty"):  # the system would take it for all interfaces
            opens("")


def test_the_running_games_of_a_backup_or_a_copy_are_set_aside_and_said_and_those_of_a_restart_go_on(tmp_path):
    def play(path: Path, *moves: int) -> list[str]:
        """Play moves at a server that is started with a database, and return what it said."""
        said = list[str]()
        with embedded_server(
            Scripted("7777"), api_key="k", db=path, starter="student", notice=said.append, at_end=ended.append
        ) as url:
            for move in moves:
                requests.post(
                    f"{url}/move", {"stil_id": "ann", "api_key": "k", "move": move}, timeout=60
                ).raise_for_status()
        return said

    ended: list[str] = []
    db, backup, copy = tmp_path / "db", tmp_path / "backup", tmp_path / "copy"
    assert play(db, -1, 0) == play(db, 0, 0) == [], "a restart keeps the game"
    shutil.copy(db, backup)
    assert play(db, 0, -1, 1) == []
    shutil.copy(backup, db)
    (said,) = play(db)
    assert said.startswith(f"The database {db} is a backup or a copy") and said.endswith(" starts a new game: ann.")
    assert play(db, 2) == play(db, 2) == [], "it is said once"
    (standing,) = read_players(db)
    assert (standing.played, standing.running) == (0, True)
    games = [(move["game"], move["column"], move["reason"]) for move in read_moves(db, "ann")]
    assert games == [(1, None, None), (1, 1, None), (1, 1, None), (1, 1, "restored"), (2, 3, None), (2, 3, "running")]
    shutil.copy(db, copy)
    assert len(play(copy, 3)) == 1, "a copy may be as old as a backup"
    assert ended[0].startswith("ann: 0 games, ") and len(ended) == 7, "each server says in the end who has played"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"# nobody yet\n", "'(none)' is not a STIL id"),
        (b"a\nAnna B\n", "'Anna B' is not a STIL id"),
        (b"\xff", "cannot be read"),
    ],
)
def test_a_list_that_would_admit_nobody_or_everybody_is_refused(content, told, tmp_path):
    (tmp_path / "class.txt").write_bytes(content)
    refused = bot_here("serve", "--port", "0", "--only", "class.txt", cwd=tmp_path)
    assert refused.returncode == 2 and told in refused.stderr


@contextmanager
def serve(cwd: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `bot serve` during the block; yields the process and its address."""
    options = ("--opponent", "scripted:1234567", "--port", "0", "--db", "db", *options)
    with running_bot("serve", *options, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert found, process.communicate()
        yield process, found[0]


def test_a_database_has_one_server_and_a_killed_one_comes_back_with_everything_and_ends_cleanly_by_ctrl_c(tmp_path):
    def post(url: str, move: int) -> requests.Response:
        return requests.post(f"{url}/move", {"stil_id": "a", "api_key": "nyckel", "move": move}, timeout=60)

    (tmp_path / "class.txt").write_text("\ufeff# the class\n\n  A  # Anna\n", encoding="utf-8")
    options = ("--starter", "bot", "--only", "class.txt")
    with serve(tmp_path, *options, "--api-key", " ") as (process, url):  # a blank key is no key: the course's counts
        post(url, -1)
        (tmp_path / "link").symlink_to("db")
        second = embedded_server(Scripted("1"), api_key="k", db=tmp_path / "link")
        with (
            pytest.raises(UsageError, match=rf"^Another server .* \(process {process.pid} on .*, at {url}, since"),
            second,
        ):
            pytest.fail("two servers use one database")
        os.link(tmp_path / "db", tmp_path / "hard link")
        third = embedded_server(Scripted("1"), api_key="k", db=tmp_path / "hard link")
        with pytest.raises(UsageError, match=r"hard link has several names \(hard links\)"), third:
            pytest.fail("two servers use one database")
        (tmp_path / "hard link").unlink()
        told = bot_here("players", "--db", "db", cwd=tmp_path).stdout
        assert "\na " in told and "Passed: 0 of 1 player" in told, "readers need no lock"
        process.kill()
        process.wait()
    with serve(tmp_path, *options, "--limit", "0.01") as (process, url), requests.Session() as session:
        assert post(url, 5).json()["state"][5] == [-1, -1, 0, 0, 0, 1, 0]
        post(url, -1)  # the limit is that of new games
        time.sleep(0.02)
        assert post(url, 5).json()["result"] == -1.0
        session.get(url, timeout=60)
        process.send_signal(signal.SIGINT)  # the session's open connection holds nothing up
        _, complaints = process.communicate()
    assert (process.returncode, complaints.count("Traceback")) == (130, 0)
