"""A child process that answers lines, with limits on time and memory; every failure is an AgentError."""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from pathlib import Path
from typing import IO

import bot
from bot.agent_types import Stop
from bot.errors import AgentError
from bot.external.protocol import ERROR, MAX_LINE

MEMORY_BYTES = 4 << 30
"""Limit of the data that a child may allocate, bytes; enforced on Linux."""
_STOP_POLL_S = 0.005
_SECRETS = ("BOT_API_KEY", "BOT_STIL_ID")
"""Variables that a foreign program has no use for."""


class Child:
    """A running program. `ask` raises AgentError and ends the program unless a reply comes in time.

    It runs in a process group of its own, which is killed as a whole: Ctrl-C in the terminal does not reach it.
    """

    def __init__(self, name: str, command: tuple[str, ...]) -> None:
        self._name = name
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=_environment(),
                start_new_session=True,
            )
        except OSError as error:
            raise AgentError(f"{name} cannot be started: {error.strerror}.", "Check the path.") from None
        _limit_memory(self._process.pid)
        self._lines: queue.Queue[bytes] = queue.Queue(maxsize=8)
        self._complaints: deque[bytes] = deque(maxlen=20)
        assert self._process.stdout is not None and self._process.stderr is not None
        _in_thread(self._read, self._process.stdout)
        self._stderr_reader = _in_thread(self._listen, self._process.stderr)
        _children.add(self)

    @property
    def is_alive(self) -> bool:
        """Whether the program still runs."""
        return self._process.poll() is None

    def ask(self, request: str, limit_s: float, stop: Stop | None = None) -> str | None:
        """Send a line and return the reply, within ``limit_s`` seconds; None after ``stop``, which ends the program."""
        end = time.monotonic() + limit_s
        if not self._lines.empty():
            raise self.failed("it sent a line that no request asked for")
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(request.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._ended() from None
        line = self._next(end, stop)
        if line is None:
            self.kill()
            return None
        if not line:
            raise self._ended()
        if len(line) >= MAX_LINE or not line.endswith(b"\n"):
            raise self.failed("it replied with a line that is too long or not complete")
        try:
            reply = line.decode("ascii").strip()
        except UnicodeDecodeError:
            raise self.failed("it replied with bytes that are not ASCII") from None
        if reply.partition(" ")[0].rstrip(":") == ERROR:
            raise self.failed(f"it reported {reply.partition(' ')[2] or 'an error'!r}")
        return reply

    def _next(self, end: float, stop: Stop | None) -> bytes | None:
        """Return the next line, b"" at the end of the program's output, or None after ``stop``."""
        while (left_s := end - time.monotonic()) > 0:
            with contextlib.suppress(queue.Empty):
                return self._lines.get(timeout=left_s if stop is None else min(left_s, _STOP_POLL_S))
            if stop is not None and stop.is_set:
                return None
        raise self.failed("it exceeded its time limit")

    def failed(self, why: str) -> AgentError:
        """Kill the program and return the error that says why."""
        self.kill()
        last = next((line for line in reversed(self._complaints) if line.strip()), b"")
        said = last.decode(errors="replace").strip()[:200]
        error = f"{self._name} failed: {why}."
        return AgentError(error, f"Its last message: {ascii(said)[1:-1]}" if said else "")

    def _ended(self) -> AgentError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        self._stderr_reader.join(0.5)
        code = self._process.poll()
        how = "it closed its output" if code is None else f"it ended with exit code {code}"
        return self.failed(f"it was ended by signal {-code}" if code is not None and code < 0 else how)

    def kill(self) -> None:
        """End the program and all programs that it has started in its group."""
        _children.discard(self)
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def _read(self, stdout: IO[bytes]) -> None:
        """Pass the program's lines on; a full queue holds a program back that floods its output."""
        with stdout:
            while line := stdout.readline(MAX_LINE):
                if not self._put(line):
                    return
        self._put(b"")

    def _put(self, line: bytes) -> bool:
        """Queue a line; return False when the program has been killed and the queue is not read any more."""
        while True:
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=0.5)
                return True
            if not self.is_alive:
                return False

    def _listen(self, stderr: IO[bytes]) -> None:
        with stderr:
            while line := stderr.readline(MAX_LINE):
                self._complaints.append(line)


def _in_thread(work: object, stream: IO[bytes]) -> threading.Thread:
    thread = threading.Thread(target=work, args=(stream,), name="external-agent", daemon=True)  # type: ignore[arg-type]
    thread.start()
    return thread


def _environment() -> dict[str, str]:
    """Return this process's environment without secrets, in which a Python child finds this package."""
    environment = {name: value for name, value in os.environ.items() if name not in _SECRETS}
    root = str(Path(bot.__file__).parents[1])
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (root, environment.get("PYTHONPATH"))))
    return environment


def _limit_memory(pid: int) -> None:
    """Limit a process's data segment. Its address space stays free: Go and Java reserve far more than they use."""
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import resource

        resource.prlimit(pid, resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))


_children: weakref.WeakSet[Child] = weakref.WeakSet()


def _forget() -> None:
    """In a forked worker: the parent's children are not this process's to end or to use."""
    _children.clear()


@atexit.register
def end_programs() -> None:
    """Kill all programs that this process has started, also those that wait for their next game."""
    for child in list(_children):
        child.kill()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
