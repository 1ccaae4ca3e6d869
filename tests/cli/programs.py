"""A server and a run of `bot play` as programs of their own."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.processes import running_bot


@contextmanager
def server(cwd: Path, *options: str) -> Iterator[str]:
    """Run `bot serve` during the block; yields its address."""
    with running_bot("serve", "--port", "0", *options, cwd=cwd, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield line.split(" at ")[1].split()[0]


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
