"""A server, and a run of `bot play` as a program of its own."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.agents import make_agent
from bot.config import COURSE_KEY
from bot.server.embedded import embedded_server
from bot.server.referee import Dialect, Starter
from tests.processes import running_bot


@contextmanager
def server(
    opponent: str,
    seed: int,
    *,
    api_key: str = COURSE_KEY,
    dialect: Dialect = Dialect.CURRENT,
    starter: Starter = Starter.RANDOM,
) -> Iterator[str]:
    """Run the course server in this process during the block; yields its address."""
    bot = make_agent(opponent, seed=seed)
    with embedded_server(bot, api_key=api_key, seed=seed, dialect=dialect, starter=starter) as url:
        yield url


@contextmanager
def playing(cwd: Path, url: str) -> Iterator[subprocess.Popen[str]]:
    """Run `bot play` for many games during the block."""
    where = ("--server", url, "--stil-id", "k")
    pipe = subprocess.PIPE
    with running_bot("play", "--games", "50", *where, "--think", "0.3", cwd=cwd, stdout=pipe, stderr=pipe) as process:
        yield process


def wait_for_moves(logs: Path, process: subprocess.Popen[str], moves: int) -> Path:
    """Wait until a journal holds more than ``moves`` moves, and return its path."""
    while process.poll() is None:
        for path in logs.glob("*.jsonl"):
            if path.read_text().count('"type":"intent"') > moves:
                return path
        time.sleep(0.02)
    raise AssertionError(process.communicate())
