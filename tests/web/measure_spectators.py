"""Measure the processor time of `bot web --host` while spectators watch: `python -m tests.web.measure_spectators`.

A run is written at two moves a second; every spectator holds one live connection. Linux only.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import tempfile
import threading
import time
import urllib.request
from http.client import HTTPException, HTTPResponse
from pathlib import Path

from tests.processes import processor_s, running_bot
from tests.web.test_runs import grid, open_run

GAME = "4443535261626262771122334455"
"""Moves of the game that is written again and again."""
MOVE_S = 0.5
"""Time between two moves of the run, seconds."""


def watch(link: str, counts: list[int], index: int) -> None:
    """Follow the run as one spectator, and count the bytes received."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    opener.open(link).read()
    stream: HTTPResponse = opener.open(f"{link.partition('/?')[0]}/api/live")
    with contextlib.suppress(HTTPException, OSError):  # the server ends
        while chunk := stream.read1(65536):
            counts[index] += len(chunk)


def write_run(folder: Path, end: threading.Event) -> None:
    """Write moves until ``end`` is set."""
    journal = open_run(folder)
    number = 0
    while not end.is_set():
        number += 1
        journal.intent(number, -1, 0)
        journal.reply(number, status=True, msg="", botmove=-1, result=0, state=grid("", True))
        for ply in range(0, 12, 2):
            journal.intent(number, int(GAME[ply]) - 1, ply, score=0.0, proven=True, move_s=0.1)
            journal.reply(number, status=True, botmove=-1, result=0, state=grid(GAME[: ply + 2], True))
            if end.wait(2 * MOVE_S):
                break
        journal.game_end(number, 0.5, moves=GAME[:12], we_started=True, known_by="reply")
    journal.close()


def load(spectators: int, seconds: float) -> tuple[float, float]:
    """Return the server's share of a processor, and the bytes a second that one spectator receives."""
    with tempfile.TemporaryDirectory() as logs:
        command = ("web", "--no-browser", "--port", "0", "--logs", logs, "--host", "127.0.0.1")
        with running_bot(*command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            link = [process.stdout.readline().split(" at ")[1].split()[0] for _ in range(2)][1]
            end = threading.Event()
            threading.Thread(target=write_run, args=(Path(logs), end), daemon=True).start()
            time.sleep(8)  # the engine is loaded in the meantime
            counts = [0] * spectators
            for index in range(spectators):
                threading.Thread(target=watch, args=(link, counts, index), daemon=True).start()
            time.sleep(3)
            begin, used, received = time.monotonic(), processor_s(process.pid), sum(counts)
            time.sleep(seconds)
            passed = time.monotonic() - begin
            end.set()
            share = (processor_s(process.pid) - used) / passed
            return share, (sum(counts) - received) / passed / max(1, spectators)


def main() -> None:
    """Print a line for each number of spectators."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spectators", type=int, nargs="+", default=[1, 30])
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    for spectators in options.spectators:
        share, rate = load(spectators, options.seconds)
        print(f"{spectators} spectators: {100 * share:.1f} % of one processor, {rate:.0f} bytes/s each", flush=True)


if __name__ == "__main__":
    main()
