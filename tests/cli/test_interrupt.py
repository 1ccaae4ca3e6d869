"""Ctrl-C ends compiled code, lets commands clean up, and shows what is known."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest

from bot.engine.interrupt import guarded
from tests.processes import ROOT, running, running_bot

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
HEAD = """
import signal, sys, threading, time
from bot.engine.interrupt import *
from bot.engine import interrupt
interrupt.GRACE_S = 2.0  # however busy the machine is
def ready():
    print("ready", flush=True)
    time.sleep(100)
with guarded():
"""
NATIVE = """
    interrupt.GRACE_S = 0.1  # Python never receives it
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
    def wait():
        while not began[0]:
            time.sleep(0.01)
        ready()
    with cleanup(9.0, 'the last words'):
        threading.Thread(target=wait, daemon=True).start()
        print(spin(1 << 50, began))
"""
RECEIVED = """
    with cleanup(60.0):
        with collecting(), cleanup(0.0):  # what has ended changes nothing
            pass
        try:
            ready()
        except KeyboardInterrupt:
            signal.raise_signal(signal.SIGINT)
            time.sleep(10 * interrupt.CLEANUP_S)
            print("received")
"""
ENDLESS = """
    try:
        ready()
    except KeyboardInterrupt:
        time.sleep(100)
"""
COLLECTED = """
    with cleanup(60.0), collecting() as stop:
        threading.Thread(target=ready, daemon=True).start()
        while not stop.is_set:
            pass
        print("bounds so far")
"""
FAILING = """
    from bot.cli import app
    def compile(**_given):
        try:
            ready()
        except KeyboardInterrupt:
            raise RuntimeError("no compiled object yet")
    app.app = compile
    try:
        app.run([])
    except KeyboardInterrupt:
        print("no bug")
"""
SCRIPTS = {
    "machine code ends with its last words": (NATIVE, 130, "", "the last words\n"),
    "Python receives one KeyboardInterrupt, and the time that it asks for": (RECEIVED, 0, "received\n", ""),
    "a clean-up that takes too long is cut off": (ENDLESS, 130, "", "Interrupted.\n"),
    "what fails because of it is no bug": (FAILING, 0, "no bug\n", ""),
    "collecting sets the stop flag and raises nothing": (COLLECTED, 0, "bounds so far\n", ""),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_an_interrupt_ends_any_code(name):
    script, *expected = SCRIPTS[name]
    command = [sys.executable, "-c", HEAD + script]
    with running(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert [process.returncode, out, err] == expected


def test_an_ignored_interrupt_stays_ignored(monkeypatch):
    """A shell starts programs with `&` this way."""
    with monkeypatch.context() as shell:
        shell.setattr(signal, "getsignal", lambda _number: signal.SIG_IGN)
        shell.setattr(signal, "signal", lambda *_: pytest.fail("the handler is changed"))
        with guarded():
            pass


def test_analyse_shows_the_bounds_so_far():
    """The empty board takes minutes on any machine; what is known of it after some seconds depends on the machine."""
    command = ("analyse", "", "--no-book")
    with running_bot(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert any("Solving: score" in line for line in process.stderr)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
    assert process.returncode == 130 and "limit" not in out, "nobody has set one"
    assert re.search(r"Not solved: the score lies between |X to move (wins|loses|draws or wins|draws or loses)\.", out)
    assert "Interrupted: not everything is proven." in out
