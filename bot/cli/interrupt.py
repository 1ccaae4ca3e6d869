"""Ctrl-C: ends any command within 0.3 s, in compiled code too.

Python delivers an interrupt only between two bytecodes of the main thread. While a kernel runs or the compiler works
in machine code, that takes seconds. Here a second thread sees the signal at once through `signal.set_wakeup_fd`. It
sets the stop flags that running kernels poll. If the main thread has not received the interrupt `GRACE_S` later, or
has not ended `CLEANUP_S` after it did, the thread prints the last words and ends the process and its workers.

Every file that must survive this is written so that it survives a kill: journals, saved pieces and the kernel cache.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from bot.engine.agent import Stop
from bot.errors import ExitCode

GRACE_S = 0.12
"""Time for the main thread to receive the interrupt, seconds."""
CLEANUP_S = 0.08
"""Time for a command to end after it received the interrupt, seconds, unless it asks for more."""
_AGAIN_S = 0.3
"""A second interrupt this long after the first ends the process at once, seconds: one key press can arrive twice."""
_STARVED_S = 1.0
"""Longest wait for a main thread that computes nothing, seconds: other programs may hold the processor."""
_POLL_S = 0.02
_ASLEEP_POLLS = 3
"""Polls in a row that must find the main thread asleep: a wait for the interpreter's lock looks like that, too."""
_END, _DELIVERED = b"\0", b"\xff"
_SHOW_CURSOR = "\x1b[?25h"


class _Moment:
    """The moment of the first interrupt."""

    def __init__(self) -> None:
        self._at_s, self._computed_s = time.monotonic(), time.process_time()

    @property
    def passed_s(self) -> float:
        """Seconds since then."""
        return time.monotonic() - self._at_s

    @property
    def computed_s(self) -> float:
        """Processor time that this process has used since then, seconds."""
        return time.process_time() - self._computed_s


class InterruptGuard:
    """Watches for interrupts while it is active; one in a process. Use `guarded`."""

    def __init__(self) -> None:
        self.stops: list[Stop] = []
        self.last_words = "Interrupted."
        self.cleanup_s = CLEANUP_S
        self.raises = True
        """Whether the interrupt raises KeyboardInterrupt; otherwise the stop flags end the command."""
        self._delivered = False
        self._asleep = 0
        self._process = os.getpid()
        self._reader, self._writer = socket.socketpair()
        self._writer.setblocking(False)
        self._watcher = threading.Thread(target=self._watch, name="interrupts", daemon=True)

    def start(self) -> None:
        """Take over SIGINT."""
        self._previous_hook = sys.unraisablehook
        self._previous_fd = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._previous = signal.signal(signal.SIGINT, self._deliver)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._release_in_child)
        self._watcher.start()

    def close(self) -> None:
        """Give SIGINT back."""
        signal.signal(signal.SIGINT, self._previous)
        sys.unraisablehook = self._previous_hook
        signal.set_wakeup_fd(self._previous_fd)
        self._writer.send(_END)
        self._watcher.join()
        self._writer.close()
        self._reader.close()

    def _deliver(self, _signal: int, _frame: FrameType | None) -> None:
        """Handle SIGINT in the main thread."""
        if os.getpid() == self._process:
            self._delivered = True
            with suppress(OSError):
                self._writer.send(_DELIVERED)
            if not self.raises:
                return
            # The compiler's objects that were half made complain when they are deleted, with a traceback for each.
            sys.unraisablehook = lambda _complaint: None
        raise KeyboardInterrupt

    def _release_in_child(self) -> None:
        """Keep a forked worker's signals out of this process."""
        with suppress(ValueError):
            signal.set_wakeup_fd(-1)

    def _watch(self) -> None:
        first = None
        while True:
            self._reader.settimeout(None if first is None else _POLL_S)
            try:
                signals = self._reader.recv(64)
            except (TimeoutError, BlockingIOError):
                signals = b""
            if _END in signals:
                return
            if signal.SIGINT in signals or _DELIVERED in signals:
                if first is None:
                    first = _Moment()
                elif signal.SIGINT in signals and first.passed_s > _AGAIN_S:
                    self._end()
                for stop in self.stops:
                    stop.set()
            if first is not None and self._is_overdue(first):
                self._end()

    def _is_overdue(self, first: _Moment) -> bool:
        """Return whether the process must end now, without its main thread."""
        limit_s = GRACE_S + self.cleanup_s if self._delivered else GRACE_S
        if first.passed_s <= limit_s:
            return False
        if first.computed_s > limit_s / 2 or first.passed_s > limit_s + _STARVED_S:
            return True
        # A main thread that gets no processor time is not stuck in machine code: it will receive the interrupt, and
        # show what it has found. One that has received it and sleeps all the same is not waited for.
        self._asleep = 0 if _is_runnable(threading.main_thread()) else self._asleep + 1
        return self._delivered and self._asleep >= _ASLEEP_POLLS

    def _end(self) -> None:
        """End the process and its workers without the main thread."""
        if "multiprocessing" in sys.modules:
            import multiprocessing

            for worker in multiprocessing.active_children():
                worker.kill()
        printer = threading.Thread(target=self._print_last_words, daemon=True)
        printer.start()
        printer.join(0.05)  # a full pipe must not hold the process up
        os._exit(ExitCode.INTERRUPTED)

    def _print_last_words(self) -> None:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        with suppress(OSError, ValueError):
            cursor = f"{_SHOW_CURSOR}\n" if sys.stderr.isatty() else ""
            sys.stderr.write(f"{cursor}{self.last_words}\n")
            sys.stderr.flush()


def _is_runnable(thread: threading.Thread) -> bool:
    """Return whether a thread computes or waits for a processor; False where the system does not say."""
    try:
        status = Path(f"/proc/self/task/{thread.native_id}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] == "R"


_guard: InterruptGuard | None = None


@contextmanager
def guarded() -> Iterator[None]:
    """Let Ctrl-C end this process within 0.3 s while the context lasts.

    Does nothing outside the main thread, and where SIGINT is ignored, as in a program that a shell started with `&`.
    """
    global _guard  # noqa: PLW0603  # signals belong to the process
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    _guard = InterruptGuard()
    _guard.start()
    try:
        yield
    finally:
        _guard.close()
        _guard = None


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Yield a stop flag that Ctrl-C sets. KeyboardInterrupt follows as soon as the running kernel has ended."""
    stop = Stop()
    if _guard is None:
        yield stop
        return
    _guard.stops.append(stop)
    try:
        yield stop
    finally:
        if _guard is not None:
            _guard.stops.remove(stop)


@contextmanager
def collecting() -> Iterator[Stop]:
    """Yield a stop flag that Ctrl-C sets, without a KeyboardInterrupt: the command then shows what it has found.

    The process still ends 0.2 s after the signal if the command does not.
    """
    with stoppable() as stop:
        if _guard is None:
            yield stop
            return
        _guard.raises = False
        try:
            yield stop
        finally:
            if _guard is not None:
                _guard.raises = True


@contextmanager
def cleanup(seconds: float, last_words: str = "Interrupted.") -> Iterator[None]:
    """Allow ``seconds`` for the body to end after it received KeyboardInterrupt; print ``last_words`` if cut off."""
    if _guard is None:
        yield
        return
    before = _guard.cleanup_s, _guard.last_words
    _guard.cleanup_s, _guard.last_words = seconds, last_words
    try:
        yield
    finally:
        if _guard is not None:
            _guard.cleanup_s, _guard.last_words = before
