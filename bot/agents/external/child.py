"""A child process that answers requests, one line each, within its limits."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from functools import partial
from pathlib import Path
from typing import Any

from bot.agents.external.protocol import ERROR, MAX_LINE
from bot.engine.agent import StopFlag
from bot.errors import AgentError, one_line

MEMORY_BYTES = 4 << 30
"""Limit of the data that a program may allocate, bytes; enforced on Linux. Its address space stays free: Go and Java
reserve far more than they use."""
_STOP_POLL_S = 0.005
_LAST_WORDS_S = 0.5
"""Time for a program whose output ended to end and to report why, seconds."""
_SECRETS = ("BOT_API_KEY", "BOT_STIL_ID")
"""Variables that a foreign program has no use for."""
_QUEUED_LINES = 8
"""Lines read ahead; of a program that writes more no line is read any more."""
_KEPT_MESSAGES = 20
_LONGEST_MESSAGE = 300
_IS_SUPERVISED = sys.platform == "linux"
"""Whether all ends with a program that it has started; elsewhere what leaves its process group goes on."""
_SUPERVISOR = (sys.executable, "-I", "-S", str(Path(__file__).with_name("supervisor.py")))
_BUFFERED = "; if it wrote a reply, the reply is still in its buffer: flush after each line, in C by fflush(stdout)"
_END_S = 2.0
"""Time for a supervisor to end all that its program has started, seconds."""


class Child:
    """A running program. `ask` raises AgentError and ends the program unless a reply comes in time.

    It has a process group of its own: Ctrl-C does not reach it.
    """

    def __init__(self, name: str, command: tuple[str, ...]) -> None:
        self._name = name
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        supervised = (*_SUPERVISOR, str(MEMORY_BYTES), *command) if _IS_SUPERVISED else command
        try:
            self._process: Any = subprocess.Popen(supervised, env=_environment(), start_new_session=True, **pipes)
        except OSError as error:
            raise AgentError(f"{name} cannot be started: {error.strerror}.", "Check the path.") from None
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._messages: deque[bytes] = deque(maxlen=_KEPT_MESSAGES)
        self._has_replied = False
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._read, self._listen)]
        for thread in self._threads:
            thread.start()
        _children.add(self)

    @property
    def is_alive(self) -> bool:
        """Whether the program still runs."""
        return self._process.poll() is None

    @property
    def has_unread(self) -> bool:
        """Whether a line, or the end of the output, waits to be read."""
        return not self._lines.empty()

    @property
    def kept_from_running_s(self) -> float:
        """Time for which it was ready to run and other programs had the processors, seconds; 0 where unknown."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            supervisor = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
            program = supervisor.read_text(encoding="ascii").split()[0]
            return int(Path(f"/proc/{program}/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
        return 0.0

    def ask(self, request: str, limit_s: float, stop: StopFlag | None = None, *, own_time: bool = False) -> str:
        """Send a line and return the reply, within ``limit_s`` seconds; nothing after ``stop``, which ends the program.

        With ``own_time`` the time does not count for which other programs kept this one from running.
        """
        if self.has_unread:
            raise self.failed("it sent a line that no request asked for")
        try:
            self._process.stdin.write(request.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._ended() from None
        line = self._next(limit_s, stop, own_time=own_time)
        if stop is not None and stop.is_set:
            self.kill()
            return ""
        if not line:
            raise self._ended()
        if len(line) >= MAX_LINE or not line.endswith(b"\n"):
            raise self.failed("it replied with a line that is too long or not complete")
        self._has_replied = True
        reply = line.decode("ascii", "replace").strip()
        word, _, rest = reply.partition(" ")
        if word.rstrip(":") == ERROR:
            self.kill()
            raise self._error(rest or "it reported an error")
        return reply

    def _next(self, limit_s: float, stop: StopFlag | None, *, own_time: bool) -> bytes:
        """Return the next line; b"" at the end of the program's output and after ``stop``."""
        end, before_s, kept_s = time.monotonic() + limit_s, self.kept_from_running_s, 0.0
        while (left_s := end + kept_s - time.monotonic()) > 0:
            with contextlib.suppress(queue.Empty):
                return self._lines.get(timeout=left_s if stop is None else min(left_s, _STOP_POLL_S))
            if stop is not None and stop.is_set:
                return b""
            if own_time:
                kept_s = self.kept_from_running_s - before_s
        buffered = "" if self._has_replied else _BUFFERED
        raise self.failed(f"it did not reply within {limit_s:.1f} s{buffered}")

    def failed(self, why: str) -> AgentError:
        """End the program and return the error, with its last message as the hint."""
        self.kill()
        said = [line for line in self._messages.copy() if line.strip()]
        hint = f"Its last message: {one_line(said[-1].decode(errors='replace'), _LONGEST_MESSAGE)}" if said else ""
        return self._error(why, hint)

    def _error(self, why: str, hint: str = "") -> AgentError:
        return AgentError(f"{self._name} failed: {one_line(why, _LONGEST_MESSAGE)}.", hint)

    def _ended(self) -> AgentError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._process.wait(_LAST_WORDS_S)
            number = code - 128 if _IS_SUPERVISED and code > 0 else -code
            return self.failed(f"it was ended by signal {number}" if number > 0 else f"it ended with exit code {code}")
        return self.failed("it closed its output")

    def kill(self) -> None:
        """End the program and all that it has started; a second call does nothing."""
        _children.discard(self)
        if _IS_SUPERVISED:
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_S)
        elif hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join(_LAST_WORDS_S)
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _read(self) -> None:
        """Queue the program's lines, and b"" at the end."""
        with self._process.stdout as stdout:
            while (line := stdout.readline(MAX_LINE)) and self._lines.qsize() < _QUEUED_LINES:
                self._lines.put(line)
        self._lines.put(b"")

    def _listen(self) -> None:
        """Keep the last lines that the program writes to standard error."""
        with self._process.stderr as stderr:
            self._messages.extend(iter(partial(stderr.readline, MAX_LINE), b""))


def _environment() -> dict[str, str]:
    """Return this process's environment without secrets, in which a Python child finds this package."""
    environment = {name: value for name, value in os.environ.items() if name not in _SECRETS}
    root = str(Path(__file__).parents[3])
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (root, environment.get("PYTHONPATH"))))
    return environment


_children: set[Child] = set()
"""Programs that run, also those that nothing else refers to any more."""


def end_programs() -> None:
    """Kill all programs that this process has started, also those that wait for their next game."""
    for child in list(_children):
        child.kill()


if hasattr(os, "register_at_fork"):
    # In a forked process, the parent's children are not this process's to end.
    os.register_at_fork(after_in_child=_children.clear)
