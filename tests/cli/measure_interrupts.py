"""Measure how soon commands end after Ctrl-C: python -m tests.cli.measure_interrupts [DELAY ...].

Prints, for every command and delay in seconds, the time from SIGINT to the end of the process, the exit code and the
last line on standard error. Run it on an idle machine; "cold" commands compile the engine in an empty cache folder.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMANDS = (
    "cold analyse 44 --no-book",
    "cold play",
    "cold match tommy-ab:4 perfect",
    "warm analyse 44 --no-book",
    "warm analyse 44 --no-book --threads 2",
    "warm move tommy-ab:16 44",
    "warm play --games 20 --engine mtdf --think 4",
    "warm match tommy-ab:14 kang-h2:12",
    "warm match tommy-ab:14 kang-h2:12 --workers 2",
    "warm tournament tommy-ab:14 kang-h2:12 mtdf --workers 2",
    "warm experiment run all --workers 2",
    "warm book build --plies 4 --workers 2",
    "warm book check --sample 100000",
    "warm proof build",
    "warm bench solver --plies 4",
    "warm doctor",
    "warm simulate",
    "warm soak",
    "warm serve --port 0",
    "warm web --port 0 --no-browser",
)


def measure(command: str, delay_s: float) -> str:
    """Return the line for one command."""
    cache, *arguments = command.split()
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "BOT_STATE_DIR": f"{folder}/state"}
        if cache == "cold":
            environment["NUMBA_CACHE_DIR"] = folder
        with subprocess.Popen(
            [sys.executable, "-m", "bot", *arguments],
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
            start_new_session=True,
        ) as process:
            time.sleep(delay_s)
            start = time.perf_counter()
            process.send_signal(signal.SIGINT)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
            seconds = time.perf_counter() - start
            assert process.stderr is not None
            last = (process.stderr.read().strip().splitlines() or [""])[-1]
    return f"{seconds:6.3f} s  code {process.returncode:4}  {command} (after {delay_s:g} s): {last[:70]}"


if __name__ == "__main__":
    for delay in [float(argument) for argument in sys.argv[1:]] or [1.0, 4.0]:
        for each in COMMANDS:
            print(measure(each, delay), flush=True)
