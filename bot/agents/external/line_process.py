"""A child process with which this program exchanges lines: its pipes, its queue of lines, and its end.

It knows no protocol: `child.py` speaks that of the agents.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import IO

_QUEUED_LINES = 8
"""Lines read ahead; a program that writes more waits until they are taken."""
_KEPT_MESSAGES = 20


class LineProcess:
    """A running program. It has a process group of its own: Ctrl-C does not reach it, and `kill` ends all of it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        max_line: int,
        environment: Mapping[str, str] | None = None,
        keeps_messages: bool = False,
    ) -> None:
        """Start the program; raises OSError, ValueError or IndexError where that is impossible.

        ``max_line`` is the length at which lines are cut, bytes. Its standard error is this process's, or with
        ``keeps_messages`` kept for `last_message`.
        """
        self._max_line = max_line
        stderr = subprocess.PIPE if keeps_messages else None
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=environment,
            start_new_session=True,
        )
        self._lines: queue.Queue[bytes] = queue.Queue(maxsize=_QUEUED_LINES)
        self._messages: deque[bytes] = deque(maxlen=_KEPT_MESSAGES)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input = self._process.stdin
        _in_thread(self._read, self._process.stdout)
        messages = self._process.stderr
        self._listener = None if messages is None else _in_thread(self._listen, messages)

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the program still runs."""
        return self._process.poll() is None

    @property
    def has_unread(self) -> bool:
        """Whether a line, or the end of the output, waits to be taken by `next_line`."""
        return not self._lines.empty()

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
        if self._listener is not None:
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


def _in_thread(work: Callable[[IO[bytes]], None], stream: IO[bytes]) -> threading.Thread:
    thread = threading.Thread(target=work, args=(stream,), name="line-process", daemon=True)
    thread.start()
    return thread
