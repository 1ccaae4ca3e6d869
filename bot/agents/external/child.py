"""A program that answers requests, with limits on time and memory; every failure is an AgentError."""

from __future__ import annotations

import atexit
import contextlib
import os
import time
from pathlib import Path

from bot.agents.external.line_process import LineProcess
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


class Child:
    """A running program. `ask` raises AgentError and ends the program unless a reply comes in time."""

    def __init__(self, name: str, command: tuple[str, ...]) -> None:
        self._name = name
        try:
            self._process = LineProcess(command, max_line=MAX_LINE, environment=_environment(), keeps_messages=True)
        except OSError as error:
            raise AgentError(f"{name} cannot be started: {error.strerror}.", "Check the path.") from None
        _limit_memory(self._process.pid)
        _children.add(self)

    @property
    def is_alive(self) -> bool:
        """Whether the program still runs."""
        return self._process.is_alive

    def ask(self, request: str, limit_s: float, stop: StopFlag | None = None) -> str | None:
        """Send a line and return the reply, within ``limit_s`` seconds; None after ``stop``, which ends the program."""
        if self._process.has_unread:
            raise self.failed("it sent a line that no request asked for")
        try:
            self._process.send(request)
        except (OSError, ValueError):
            raise self._ended() from None
        line = self._next(limit_s, stop)
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

    def _next(self, limit_s: float, stop: StopFlag | None) -> bytes | None:
        """Return the next line, b"" at the end of the program's output, or None after ``stop``."""
        end = time.monotonic() + limit_s
        while (left_s := end - time.monotonic()) > 0:
            wait_s = left_s if stop is None else min(left_s, _STOP_POLL_S)
            with contextlib.suppress(TimeoutError):
                return self._process.next_line(wait_s)
            if stop is not None and stop.is_set:
                return None
        raise self.failed(f"it did not reply within {limit_s:.1f} s")

    def failed(self, why: str) -> AgentError:
        """Kill the program and return the error, with its last message as the hint."""
        self.kill()
        message = self._process.last_message
        hint = f"Its last message: {_printable(message)}" if message else ""
        return self._error(why, hint)

    def _error(self, why: str, hint: str = "") -> AgentError:
        return AgentError(f"{self._name} failed: {why.removesuffix('.')}.", hint)

    def _ended(self) -> AgentError:
        code = self._process.exit_code(_LAST_WORDS_S)
        if code is None:
            return self.failed("it closed its output")
        if code < 0:
            return self.failed(f"it was ended by signal {-code}")
        return self.failed(f"it ended with exit code {code}")

    def kill(self) -> None:
        """End the program and all programs that it has started in its group."""
        _children.discard(self)
        self._process.kill()


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
