"""`bot serve` as a process: killed, started again with its database, and stopped by Ctrl-C."""

from __future__ import annotations

import re
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
from bot.course.server.sockets import address, listen
from bot.engine.simple import Scripted
from bot.errors import UsageError
from tests.processes import bot_here, running_bot

ALL = "0.0.0.0"
"""All interfaces."""


def test_an_address_can_be_handed_out_and_one_of_another_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {socket.SOCK_DGRAM: ("192.0.2.7", 9), socket.SOCK_STREAM: (ALL, 8000)}
    monkeypatch.setattr("socket.socket.connect", lambda _sock, _address: None)
    monkeypatch.setattr("socket.socket.getsockname", lambda sock: names[sock.type])
    with closing(listen(ALL)) as sock:
        assert address(sock) == "http://192.0.2.7:8000"
    with pytest.raises(UsageError, match="Cannot listen on 192") as raised:
        listen("192.0.2.1")
    assert raised.value.hint.startswith("Choose another --host")


@contextmanager
def serve(cwd: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `bot serve` during the block; yields the process and its address."""
    options = ("--opponent", "scripted:1234567", "--port", "0", "--db", "db", *options)
    with running_bot("serve", *options, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert found, process.communicate()
        yield process, found[0]


def test_a_database_has_one_server_and_a_killed_one_comes_back_with_everything_and_ends_cleanly_by_ctrl_c(
    tmp_path: Path,
) -> None:
    def post(url: str, move: int) -> requests.Response:
        return requests.post(f"{url}/move", {"stil_id": "a", "api_key": "nyckel", "move": move}, timeout=60)

    options = ("--starter", "bot")
    with serve(tmp_path, *options, "--api-key", " ") as (process, url):  # a blank key is no key: the course's counts
        post(url, -1)
        (tmp_path / "link").symlink_to("db")
        second = embedded_server(Scripted("1"), api_key="k", db=tmp_path / "link")
        with pytest.raises(UsageError, match=rf"^Another server .* \(process {process.pid}, at {url}, since"), second:
            pytest.fail("two servers use one database")
        assert "Passed: 0 of 1 player" in bot_here("players", "--db", "db", cwd=tmp_path).stdout, "readers need no lock"
        process.kill()
        process.wait()
    with serve(tmp_path, *options, "--limit", "0.01") as (process, url), requests.Session() as session:
        assert post(url, 5).json()["state"][5] == [-1, -1, 0, 0, 0, 1, 0]
        time.sleep(0.02)
        assert post(url, 5).json()["result"] == -1.0
        session.get(url, timeout=60)
        process.send_signal(signal.SIGINT)  # the session's open connection holds nothing up
        _, complaints = process.communicate()
    assert (process.returncode, complaints.count("Traceback")) == (130, 0)
