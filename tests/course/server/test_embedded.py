"""The whole server over real HTTP: many requests at once, and `bot serve` as a process."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests

from bot.agents.catalogue import make_agent
from bot.course.server.embedded import embedded_server
from tests.processes import running_bot

KEY = "nyckel"
FORM = {"stil_id": "a", "api_key": KEY}


def post(url: str, endpoint: str = "move", **fields: Any) -> dict[str, Any]:
    reply = requests.post(f"{url}/{endpoint}", data={**FORM, **fields}, timeout=60)
    assert reply.status_code == 200, reply.text
    body: dict[str, Any] = reply.json()
    return body


def test_one_player_in_many_threads_loses_no_request_and_an_unknown_one_leaves_no_trace(tmp_path: Path) -> None:
    with embedded_server(make_agent("random", seed=1), api_key=KEY, db=tmp_path / "db") as url:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _: post(url, move=-1), range(40)))
        counts = {"played": 39, "lost": 39, "total_reward": -39.0}
        assert counts.items() <= post(url, "stats").items()
        unknown = post(url, "stats", stil_id="unknown-id")
    assert (unknown["status"], unknown["played"]) == (None, 0)
    assert b"unknown-id" not in (tmp_path / "db").read_bytes()


@contextmanager
def serve(cwd: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `bot serve` during the block; yields the process and its address."""
    pipe = subprocess.PIPE
    options = ("--opponent", "scripted:1234567", "--port", "0", "--db", "db", *options)
    with running_bot("serve", *options, cwd=cwd, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert found, process.communicate()
        yield process, found[0]


def test_a_killed_server_comes_back_with_everything_and_a_signal_ends_it_cleanly(tmp_path: Path) -> None:
    with serve(tmp_path) as (process, url):
        post(url, move=6)
        process.kill()
        process.wait()
    with serve(tmp_path, "--faults", "@2:503_before") as (process, url), requests.Session() as session:
        assert post(url, move=5)["state"][5] == [-1, -1, 0, 0, 0, 1, 1]
        assert requests.post(f"{url}/stats", data=FORM, timeout=60).status_code == 503
        assert requests.get(f"{url}/faults", timeout=60).json() == {"requests": 2, "faults": {"5xx_before": 1}}
        session.get(f"{url}/", timeout=60)  # an open connection holds nothing up
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate()
    assert (process.returncode, complaints.count("Traceback")) == (130, 0)
