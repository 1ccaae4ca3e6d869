"""A child process with which this program exchanges lines, and one that answers requests within its limits."""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from bot.agents.external.protocol import ERROR, MAX_LINE
from bot.engine.agent import StopFlag
from bot.errors import AgentError

MEMORY_BYTES = 4 << 30
"""Limit of the data that a child may allocate, bytes; enforced on Linux."""
_STOP_POLL_S = 0.005
_LAST_WORDS_S = 0.5
"""Time for a program whose output ended to end and to report why, seconds."""
_SECRETS = ("BOT_API_KEY", "BOT_STIL_ID")
"""Variables that a foreign program has no use for."""
_QUEUED_LINES = 8
"""Lines read ahead; a program that writes more waits until they are taken."""
_KEPT_MESSAGES = 20


class LineProcess:
    """A running program. It has a process group of its own: Ctrl-C does not reach it, and `kill` ends all of it."""

    def __init__(self, command: Sequence[str], max_line: int, environment: Mapping[str, str] | None = None) -> None:
        """Start the program; raises OSError, ValueError or IndexError where that is impossible.

        ``max_line`` is the length at which lines are cut, bytes. Its standard error is kept for `last_message`.
        """
        self._max_line = max_line
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, start_new_session=True
        )
        self._lines: queue.Queue[bytes] = queue.Queue(maxsize=_QUEUED_LINES)
        self._messages: deque[bytes] = deque(maxlen=_KEPT_MESSAGES)
        assert self._process.stdin is not None and self._process.stdout is not None and self._process.stderr is not None
        self._input = self._process.stdin
        _in_thread(self._read, self._process.stdout)
        self._listener = _in_thread(self._listen, self._process.stderr)

    @property
    def is_alive(self) -> bool:
        """Whether the program still runs."""
        return self._process.poll() is None

    @property
    def has_unread(self) -> bool:
        """Whether a line, or the end of the output, waits to be taken by `next_line`."""
        return not self._lines.empty()

    @property
    def kept_from_running_s(self) -> float:
        """Time for which it was ready to run and other programs had the processors, seconds; 0 where unknown."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            return int(Path(f"/proc/{self._process.pid}/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
        return 0.0

    @property
    def last_message(self) -> str:
        """Last line that the program wrote to standard error."""
        last = next((line for line in reversed(self._messages) if line.strip()), b"")
        return last.decode(errors="replace").strip()

    def send(self, line: str) -> None:
        """Write one line to the program's input; raises OSError or ValueError where it is closed."""
        self._input.write(line.encode() + b"\n")
        self._input.flush()

    def next_line(self, limit_s: float) -> bytes:
        """Return the next line, or b"" once at the end of the output; raises TimeoutError after ``limit_s`` seconds."""
        try:
            return self._lines.get(timeout=max(0.0, limit_s))
        except queue.Empty:
            raise TimeoutError from None

    def exit_code(self, limit_s: float) -> int | None:
        """Wait up to ``limit_s`` seconds for the program's end and last message; return None if it still runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(limit_s)
        self._listener.join(limit_s)
        return self._process.poll()

    def close_input(self) -> None:
        """End the program's input, which asks it to end."""
        with contextlib.suppress(OSError):
            self._input.close()

    def kill(self) -> None:
        """End the program and all programs that it has started in its group; a second call does nothing."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self.close_input()

    def _read(self, stdout: IO[bytes]) -> None:
        """Queue the program's lines, and b"" at the end; a full queue holds back a program that floods its output."""
        with stdout:
            while line := stdout.readline(self._max_line):
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
            while line := stderr.readline(self._max_line):
                self._messages.append(line)


class Child(LineProcess):
    """A running program. `ask` raises AgentError and ends the program unless a reply comes in time."""

    def __init__(self, name: str, command: tuple[str, ...]) -> None:
        self._name = name
        try:
            super().__init__(command, MAX_LINE, _environment())
        except OSError as error:
            raise AgentError(f"{name} cannot be started: {error.strerror}.", "Check the path.") from None
        _limit_memory(self._process.pid)
        _children.add(self)

    def ask(self, request: str, limit_s: float, stop: StopFlag | None = None, *, own_time: bool = False) -> str | None:
        """Send a line and return the reply, within ``limit_s`` seconds; None after ``stop``, which ends the program.

        With ``own_time`` the time does not count for which other programs kept this one from running.
        """
        if self.has_unread:
            raise self.failed("it sent a line that no request asked for")
        try:
            self.send(request)
        except (OSError, ValueError):
            raise self._ended() from None
        line = self._next(limit_s, stop, own_time=own_time)
        if line is None:
            self.kill()
            return None
        if not line:
            raise self._ended()
        if len(line) >= MAX_LINE or not line.endswith(b"\n"):
            raise self.failed("it replied with a line that is too long or not complete")
        reply = line.decode("ascii", "replace").strip()
        if reply.partition(" ")[0].rstrip(":") == ERROR:
            self.kill()
            raise self._error(_printable(reply.partition(" ")[2] or "it reported an error"))
        return reply

    def _next(self, limit_s: float, stop: StopFlag | None, *, own_time: bool) -> bytes | None:
        """Return the next line, b"" at the end of the program's output, or None after ``stop``."""
        end, before_s, kept_s = time.monotonic() + limit_s, self.kept_from_running_s, 0.0
        while (left_s := end + kept_s - time.monotonic()) > 0:
            wait_s = left_s if stop is None else min(left_s, _STOP_POLL_S)
            with contextlib.suppress(TimeoutError):
                return self.next_line(wait_s)
            if stop is not None and stop.is_set:
                return None
            if own_time:
                kept_s = self.kept_from_running_s - before_s
        raise self.failed(f"it did not reply within {limit_s:.1f} s")

    def failed(self, why: str) -> AgentError:
        """Kill the program and return the error, with its last message as the hint."""
        self.kill()
        message = self.last_message
        hint = f"Its last message: {_printable(message)}" if message else ""
        return self._error(why, hint)

    def _error(self, why: str, hint: str = "") -> AgentError:
        return AgentError(f"{self._name} failed: {why.removesuffix('.')}.", hint)

    def _ended(self) -> AgentError:
        code = self.exit_code(_LAST_WORDS_S)
        if code is None:
            return self.failed("it closed its output")
        if code < 0:
            return self.failed(f"it was ended by signal {-code}")
        return self.failed(f"it ended with exit code {code}")

    def kill(self) -> None:
        """End the program and all programs that it has started in its group."""
        _children.discard(self)
        super().kill()


def _printable(text: str) -> str:
    """Return at most 300 characters of a foreign text, without any that would control a terminal."""
    return ascii(text[:300])[1:-1]


def _environment() -> dict[str, str]:
    """Return this process's environment without secrets, in which a Python child finds this package."""
    environment = {name: value for name, value in os.environ.items() if name not in _SECRETS}
    root = str(Path(__file__).parents[3])
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (root, environment.get("PYTHONPATH"))))
    return environment


def _limit_memory(pid: int) -> None:
    """Limit a process's data segment. Its address space stays free: Go and Java reserve far more than they use."""
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import resource

        resource.prlimit(pid, resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))


_children: set[Child] = set()
"""Programs that run, also those that nothing else refers to any more."""


@atexit.register
def end_programs() -> None:
    """Kill all programs that this process has started, also those that wait for their next game."""
    for child in list(_children):
        child.kill()


if hasattr(os, "register_at_fork"):
    # In a forked worker, the parent's children are not this process's to end.
    os.register_at_fork(after_in_child=_children.clear)


def _in_thread(work: Callable[[IO[bytes]], None], stream: IO[bytes]) -> threading.Thread:
    thread = threading.Thread(target=work, args=(stream,), name="line-process", daemon=True)
    thread.start()
    return thread
