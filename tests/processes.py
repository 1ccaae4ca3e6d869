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
    """Run ``command`` during the block as the leader of a process group, as a terminal does.

    At its end the process gets SIGTERM, then it and all its children SIGKILL. ``options`` are those of
    `subprocess.Popen`.
    """
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            yield process
        finally:
            process.terminate()
            if os.name == "posix":
                process.send_signal(signal.SIGCONT)  # a stopped process takes SIGTERM only when it goes on
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            if os.name == "posix":
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            if process.stdin is not None:
                with contextlib.suppress(OSError):  # input that the process never took
                    process.stdin.close()


def environment_with(**variables: str) -> dict[str, str]:
    """Return the environment of a child process that imports the `bot` of this checkout."""
    return {**os.environ, **variables, "PYTHONPATH": str(ROOT)}


@contextmanager
def running_bot(*arguments: str, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Run `python -m bot` with text in its pipes; see `running`."""
    environment = environment_with(**options.pop("env", {}))
    with running([sys.executable, "-m", "bot", *arguments], text=True, env=environment, **options) as process:
        yield process


def python(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run an interpreter to its end, with text as output."""
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=cwd, env=environment_with(**environment), capture_output=True, text=True, check=False
    )


def python_json(script: str, *arguments: str, **environment: str) -> Any:
    """Run a script in an interpreter of its own, and return the JSON of its last line."""
    done = python("-c", script, *arguments, cwd=Path.cwd(), **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def bot(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m bot` in a folder to its end."""
    return python("-m", "bot", *arguments, cwd=cwd, **environment)


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
