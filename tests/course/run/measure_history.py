"""Measure the start of a run after many games: `python -m tests.course.run.measure_history [JOURNALS]`.

Journals of one game each are copied from 50 real runs, won, so that no lost game ends the reading of the streak early.
A process each then starts `bot play` with an empty folder and with the full one, in turn; printed are its seconds from
the start of the process to its first request and its largest memory until then, and the median of the differences.
"""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.course.run.course import Course, play
from tests.servers import SocketServer

JOURNALS = 5000
PATTERNS = 50
PAIRS = 5
WHO = "ab1234cd-s"
MOST_S, MOST_MB = 0.5, 20.0


def make(folder: Path, count: int, server: str) -> None:
    """Write ``count`` journals of won games of WHO at ``server`` against a random bot."""
    patterns: list[bytes] = []
    with tempfile.TemporaryDirectory() as own:
        seed = 0
        while len(patterns) < PATTERNS:
            seed += 1
            logs = Path(own) / str(seed)
            if play(Course(seed), logs, server=server, url=server, who=(WHO,)).won:
                patterns.append(next(logs.glob("*.jsonl")).read_bytes())
    folder.mkdir()
    for number in range(1, count + 1):
        (folder / f"{number:06d}-20261122T000000Z-{WHO}.jsonl").write_bytes(patterns[number % PATTERNS])


def start(port: int, logs: Path, state: Path, arrived: list[float]) -> tuple[float, float]:
    """Return the seconds until the first request of a run, and the process's largest memory until then, MB."""
    command = [sys.executable, "-m", "bot", "play", "--games", "1", "--stil-id", WHO, "--logs", str(logs)]
    command += ["--server", f"http://127.0.0.1:{port}"]
    environment = {**os.environ, "BOT_API_KEY": "key", "BOT_STATE_DIR": str(state)}
    arrived.clear()
    before = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not arrived:
        assert process.poll() is None, "the run ended before its first request"
        time.sleep(0.001)
    status = Path(f"/proc/{process.pid}/status").read_text()
    process.kill()
    process.wait()
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return arrived[0] - before, int(peak.split()[1]) / 1024


def main() -> None:
    """Print the figures of both folders and whether their difference is within the limits."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else JOURNALS
    arrived: list[float] = []

    def serve(connection: socket.socket, over: threading.Event) -> None:
        if connection.recv(65536):  # else a connection that only shows that somebody listens
            arrived.append(time.monotonic())
            over.wait(1.0)

    with tempfile.TemporaryDirectory() as folder, SocketServer(serve) as server:
        full, empty, state = (Path(folder) / name for name in ("full", "empty", "state"))
        make(full, count, server.url)
        empty.mkdir()
        start(server.port, empty, state, arrived)  # compiled once, and read from the disk once
        pairs = [[start(server.port, logs, state, arrived) for logs in (empty, full)] for _ in range(PAIRS)]
    for name, index in (("empty folder", 0), (f"{count} journals", 1)):
        seconds, memory = (statistics.median(pair[index][value] for pair in pairs) for value in (0, 1))
        print(f"{name}: {seconds:.2f} s to the first request, {memory:.0f} MB")
    more_s, more_mb = (statistics.median(pair[1][value] - pair[0][value] for pair in pairs) for value in (0, 1))
    print(f"difference: {more_s:+.2f} s (at most {MOST_S}), {more_mb:+.1f} MB (at most {MOST_MB:g})")


if __name__ == "__main__":
    main()
