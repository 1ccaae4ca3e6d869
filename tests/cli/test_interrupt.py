"""Ctrl-C ends compiled code, lets commands clean up, and shows what is known. Times: `measure_interrupts.py`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")


@contextmanager
def started(*command: str, handler: object = signal.default_int_handler, **env: str) -> Iterator[subprocess.Popen[str]]:
    """A Python process with the default handler for SIGINT, however the tests were started."""
    with subprocess.Popen(
        [sys.executable, *command],
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, handler),  # type: ignore[arg-type]  # noqa: PLW1509
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def interrupted(script: str) -> tuple[int, str, str]:
    """Run ``script`` under the guard, interrupt it when it prints "ready"; return exit code, output and errors."""
    head = "import sys, time, threading\nfrom bot.cli.interrupt import *\nfrom bot.cli import interrupt\n"
    head += "interrupt.GRACE_S = 2.0\n"  # however busy the machine is
    with started("-c", head + script) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)
    return process.returncode, out, err


NATIVE = """
import numba, numpy as np
began = np.zeros(1, np.int64)
@numba.njit(nogil=True)
def spin(rounds, began):
    began[0] = 1
    n = 1
    for number in range(rounds):
        n = (n * 25214903917 + 11) ^ (n >> 7) ^ number
    return n
spin(1, np.zeros(1, np.int64))
def ready():
    while not began[0]:
        time.sleep(0.01)
    print('ready', flush=True)
"""


def test_a_main_thread_in_machine_code_is_ended_with_the_last_words() -> None:
    script = NATIVE + "with guarded(), cleanup(9.0, 'the last words'):\n"
    script += "    threading.Thread(target=ready).start()\n    print(spin(1 << 50, began))\n"
    code, _, err = interrupted(script)
    assert code == 130
    assert err.strip() == "the last words"


def test_python_code_receives_keyboard_interrupt() -> None:
    script = """
with guarded(), cleanup(60.0):
    try:
        print('ready', flush=True)
        time.sleep(100)
    except KeyboardInterrupt:
        print('received')
"""
    assert interrupted(script) == (0, "received\n", "")


def test_a_clean_up_that_takes_too_long_is_cut_off() -> None:
    script = """
with guarded():
    try:
        print('ready', flush=True)
        time.sleep(100)
    except KeyboardInterrupt:
        time.sleep(100)
"""
    code, _, err = interrupted(script)
    assert (code, err) == (130, "Interrupted.\n")


def test_a_clean_up_gets_the_time_that_it_asks_for() -> None:
    script = """
with guarded(), cleanup(60.0):
    try:
        print('ready', flush=True)
        time.sleep(100)
    except KeyboardInterrupt:
        time.sleep(2 * (interrupt.GRACE_S + interrupt.CLEANUP_S))
        print('cleaned up')
"""
    assert interrupted(script) == (0, "cleaned up\n", "")


def test_collecting_sets_the_stop_flag_and_raises_nothing() -> None:
    script = """
with guarded(), cleanup(60.0), collecting() as stop:
    print('ready', flush=True)
    while not stop.is_set:
        pass
    print('bounds so far')
"""
    assert interrupted(script) == (0, "bounds so far\n", "")


def test_an_ignored_interrupt_stays_ignored() -> None:
    """A shell starts programs with `&` this way."""
    script = "from bot.cli.interrupt import guarded\nimport signal\nwith guarded():\n"
    script += "    print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
    with started("-c", script, handler=signal.SIG_IGN) as process:
        assert process.communicate(timeout=600)[0] == "True\n"


def test_analyse_shows_the_bounds_so_far() -> None:
    """The second position takes many seconds on any machine."""
    command = ("-m", "bot", "analyse", "--no-book", "--json", "--score-only", "--file", "-")
    with subprocess.Popen(
        [sys.executable, *command],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    ) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write("311753746242244412452776\n12\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["exact"]
        assert any("Solving: score" in line for line in process.stderr)  # the second position, after two seconds
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=600)
    assert process.returncode == 130
    answer = json.loads(out)
    assert answer["moves"] == "12" and not answer["exact"]
    assert -21 <= answer["bounds"][0] < answer["bounds"][1] <= 21


HALF_MADE = """
import os, signal, time
from bot.cli.interrupt import cleanup, guarded

class Half:
    def __init__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)
        self.rest = None

    def __del__(self):
        self.rest

with guarded():
    try:
        with cleanup(60.0):
            Half()
    except KeyboardInterrupt:
        pass
"""


def test_what_was_half_made_when_interrupted_does_not_complain() -> None:
    with started("-c", HALF_MADE) as process:
        _, err = process.communicate(timeout=600)
    assert "rest" not in err


def test_compiling_can_be_interrupted(tmp_path: Path) -> None:
    with started("-m", "bot", "analyse", "44", NUMBA_CACHE_DIR=str(tmp_path)) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=600)
    assert first.startswith(("Loading the engine", "Compiling the engine"))
    assert process.returncode == 130
    assert err.strip().endswith("Interrupted.")
