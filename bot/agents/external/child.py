"""A child process that answers requests, one line each, within its limits."""

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
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from bot.agents.external.protocol import ERROR, MAX_LINE
from bot.engine.agent import StopFlag
from bot.engine.interrupt import AT_END
from bot.errors import AgentError, one_line

MEMORY_BYTES = 4 << 30
"""Limit of the data that a child may allocate, bytes; enforced on Linux."""
_STOP_POLL_S = 0.005
_LAST_WORDS_S = 0.5
"""Time for a program whose output ended to end and to report why, seconds."""
_SECRETS = ("BOT_API_KEY", "BOT_STIL_ID")
"""Variables that a foreign program has no use for."""
_QUEUED_LINES = 8
"""Lines read ahead; of a program that writes more no line is read any more."""
_KEPT_MESSAGES = 20
_LONGEST_MESSAGE = 300
_MARK = "BOT_AGENT"
"""Variable that a program passes on to all that it starts, by which they are found when it is ended."""
_numbers = count()


class Child:
    """A running program. `ask` raises AgentError and ends the program unless a reply comes in time.

    It has a process group of its own: Ctrl-C does not reach it.
    """

    def __init__(self, name: str, command: tuple[str, ...]) -> None:
        self._name = name
        self._mark = f"{os.getpid()}-{next(_numbers)}"
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        environment = _environment() | {_MARK: self._mark}
        try:
            self._process: Any = subprocess.Popen(command, env=environment, start_new_session=True, **pipes)
        except OSError as error:
            raise AgentError(f"{name} cannot be started: {error.strerror}.", "Check the path.") from None
        _limit_memory(self._process.pid)
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._messages: deque[bytes] = deque(maxlen=_KEPT_MESSAGES)
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
            return int(Path(f"/proc/{self._process.pid}/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
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
        raise self.failed(f"it did not reply within {limit_s:.1f} s")

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
            return self.failed(f"it was ended by signal {-code}" if code < 0 else f"it ended with exit code {code}")
        return self.failed("it closed its output")

    def kill(self) -> None:
        """End the program and all that it has started; a second call does nothing.

        Without /proc, what has left its process group goes on.
        """
        _children.discard(self)
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        for place in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):  # it has ended, or is another user's
                if f"{_MARK}={self._mark}\0".encode() in place.read_bytes():
                    os.kill(int(place.parent.name), signal.SIGKILL)
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


AT_END.append(end_programs)
if hasattr(os, "register_at_fork"):
    # In a forked process, the parent's children are not this process's to end.
    os.register_at_fork(after_in_child=_children.clear)
