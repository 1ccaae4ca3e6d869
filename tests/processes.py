"""Child processes of tests: each runs in a process group of its own, which is killed when its test is done with it.

Starting `python -m bot` takes 1 to 2 s of processor time, so tests that need no process of their own use `bot_here`.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def obey_interrupts() -> None:
    """Restore the default handler of SIGINT in this process, where it was started with the signal ignored.

    A shell ignores SIGINT in the programs that it starts with ``&``, and their children inherit that. `bot` itself
    respects it, as other programs do; the tests of Ctrl-C need children that do not inherit it.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def running(command: list[str], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Run ``command`` during the block; at its end terminate it, and kill what is left of it and of its children.

    ``options`` are those of `subprocess.Popen`.
    """
    process = start(command, **options)
    try:
        yield process
    finally:
        end(process)


def start(command: list[str], **options: Any) -> subprocess.Popen[Any]:
    """Start ``command`` as the leader of a process group, as a terminal does; `end` must follow."""
    return subprocess.Popen(command, start_new_session=True, **options)


def end(process: subprocess.Popen[Any]) -> None:
    """End a process of `start` with all its children: SIGTERM first, then SIGKILL for the whole group."""
    process.terminate()
    if os.name == "posix":
        process.send_signal(signal.SIGCONT)  # a stopped process takes SIGTERM only when it goes on
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(10)
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):  # input that the process never took
                pipe.close()


@contextmanager
def running_bot(*arguments: str, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Run `python -m bot` with text in its pipes; see `running`."""
    environment = {**os.environ, **options.pop("env", {})}
    environment["PYTHONPATH"] = str(ROOT)
    with running([sys.executable, "-m", "bot", *arguments], text=True, env=environment, **options) as process:
        yield process


def python_json(script: str, *arguments: str, **environment: str) -> Any:
    """Run a script in an interpreter of its own, and return the JSON of its last line."""
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def bot(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m bot` in a folder to its end, with text as output."""
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def bot_here(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Do as `bot` does in this process, which loads the engine only once."""
    from bot.cli.app import run

    here, before = Path.cwd(), dict(os.environ)
    out, err = io.StringIO(), io.StringIO()
    try:
        os.chdir(cwd)
        os.environ.update(environment)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(list(arguments))
    finally:
        os.chdir(here)
        os.environ.clear()
        os.environ.update(before)
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())
