"""Ctrl-C and SIGTERM: each ends any command within about 0.3 s, in compiled code too.

`guarded` watches for it in a program, as `bot` does; the others have no effect without it.

Python delivers an interrupt only between two bytecodes of the main thread. While a kernel runs or the compiler works
in machine code, that takes seconds. Here a second thread sees the signal at once through `signal.set_wakeup_fd`. It
sets the stop flags that running kernels poll. If the main thread has not received the interrupt `GRACE_S` later, or
the command has not ended `CLEANUP_S` after that, the thread prints the last words and ends the process and its workers.

Every file that must survive this is written so that it survives a kill: journals, saved pieces and the kernel cache.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from bot.engine.agent import StopFlag
from bot.errors import ExitCode

GRACE_S = 0.15
"""Time for the main thread to receive the interrupt, seconds."""
CLEANUP_S = 0.1
"""Time for a command to end after it received the interrupt, seconds, unless it asks for more."""
RECEIVED = threading.Event()
"""Set when the main thread has received the interrupt."""
_ENDING = (signal.SIGINT, signal.SIGTERM)
_SHOW_CURSOR = "\x1b[?25h\n"


@dataclass
class _Command:
    """What the running command needs when it is interrupted. Signals belong to the process, so there is one."""

    stops: list[StopFlag] = field(default_factory=list)
    cleanup_s: float = CLEANUP_S
    last_words: str = "Interrupted."
    raises: bool = True
    """Whether the interrupt raises KeyboardInterrupt; otherwise the stop flags end the command."""
    exit_code: int = ExitCode.INTERRUPTED


_command = _Command()


@contextmanager
def guarded() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end this process in time while the context lasts.

    Does nothing outside the main thread, and where SIGINT is ignored, as in a program that a shell started with `&`.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    RECEIVED.clear()
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    ended = threading.Event()
    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    for number in _ENDING:
        signal.signal(number, _receive)
    threading.Thread(target=_watch, args=(reader, ended), name="interrupts", daemon=True).start()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.set_wakeup_fd(before)
        ended.set()
        writer.close()


def _receive(number: int, _frame: object) -> None:
    """Handle a signal in the main thread."""
    for each in _ENDING:
        signal.signal(each, signal.SIG_IGN)  # a second one would only disturb the end, which comes in time
    _command.exit_code = 128 + number
    RECEIVED.set()
    if _command.raises:
        # The compiler's objects that were half made complain when they are deleted, with a traceback for each.
        sys.unraisablehook = lambda _complaint: None
        raise KeyboardInterrupt


def _watch(reader: socket.socket, ended: threading.Event) -> None:
    """Wait for an interrupt, and end the process if the main thread does not."""
    with reader:  # open until the end: Python complains about a signal that it cannot write
        number = 0
        while number not in _ENDING or signal.getsignal(number) not in (_receive, signal.SIG_IGN):
            if not (received := reader.recv(1)):  # the command has ended
                return
            number = received[0]
        _command.exit_code = 128 + number
        for stop in _command.stops:
            stop.set()
        if not (RECEIVED.wait(GRACE_S) and ended.wait(_command.cleanup_s)):
            _end()


def _end() -> None:
    """Print the last words and end the process without the main thread."""
    with suppress(OSError):
        cursor = _SHOW_CURSOR if os.isatty(2) else ""
        os.write(2, f"{cursor}{_command.last_words}\n".encode())
    os._exit(_command.exit_code)


def exit_code() -> int:
    """Return the exit code of an interrupted process: 128 and the number of the signal."""
    return _command.exit_code


@contextmanager
def stoppable() -> Iterator[StopFlag]:
    """Yield a stop flag that Ctrl-C sets. KeyboardInterrupt follows as soon as the running kernel has ended."""
    stop = StopFlag()
    _command.stops.append(stop)
    try:
        yield stop
    finally:
        _command.stops.remove(stop)


@contextmanager
def collecting() -> Iterator[StopFlag]:
    """Yield a stop flag that Ctrl-C sets, without a KeyboardInterrupt: the command then shows what it has found.

    The process still ends in time if the command does not.
    """
    with stoppable() as stop:
        _command.raises = False
        try:
            yield stop
        finally:
            _command.raises = True


@contextmanager
def cleanup(seconds: float, last_words: str = "Interrupted.") -> Iterator[None]:
    """Allow ``seconds`` for the body to end after it received KeyboardInterrupt; print ``last_words`` if cut off."""
    before = _command.cleanup_s, _command.last_words
    _command.cleanup_s, _command.last_words = seconds, last_words
    try:
        yield
    finally:
        _command.cleanup_s, _command.last_words = before
