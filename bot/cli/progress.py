"""What a command shows on stderr while its user waits: one line that says what is done and the elapsed time.

On a terminal the line is drawn anew. Elsewhere a plain line comes after 2, 4, 8, ... seconds.
"""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from bot.cli.formatting import elapsed, with_count
from bot.cli.output import dispensable, is_redrawable
from bot.errors import printable

FIRST_S = 2.0
"""Waits up to this long show nothing, seconds."""
_REDRAW_S = 0.25
_LONGEST_PAUSE_S = 60.0
_CLEAR = "\r\x1b[2K"


class ProgressLine:
    """The line of one wait, from `FIRST_S` on. A function is called for its text, from another thread."""

    def __init__(self, name: str | Callable[[], str], total: int | None, done: int) -> None:
        self.name, self.total, self.done = name, total, done
        self._start_s = time.monotonic()
        self._is_live = is_redrawable(sys.stderr)
        self._due_s = FIRST_S

    def advance(self, count: int = 1) -> None:
        """Count ``count`` more units as done."""
        self.done += count

    def update(self, done: int, total: int | None, name: str | None = None) -> None:
        """Set what is done, of how much, and the part of the work that it belongs to if that is another one."""
        self.done, self.total, self.name = done, total, name or self.name

    def describe(self) -> str:
        """Return "games: 3 of 20", or the name alone where nothing is counted."""
        name = self.name if isinstance(self.name, str) else self.name()
        total = "" if self.total is None else f" of {self.total:,}"
        return f"{name}: {self.done:,}{total}" if self.done or total else name

    @property
    def pause_s(self) -> float:
        """Seconds until the line is due."""
        return max(0.0, self._start_s + self._due_s - time.monotonic())

    def show_if_due(self) -> None:
        """Print the line if it is time for it."""
        if self.pause_s:
            return
        passed_s = time.monotonic() - self._start_s
        text = printable(f"{self.describe()}, {elapsed(passed_s)}")
        if self._is_live:
            self._due_s = passed_s + _REDRAW_S
            width = shutil.get_terminal_size().columns - 1  # of a longer line only the last row could be cleared
            text = f"{_CLEAR}{text[:width]}"
        else:
            self._due_s = passed_s + min(_LONGEST_PAUSE_S, passed_s)
            text += "\n"
        _draw(text)

    def clear(self) -> None:
        """Remove the line from a terminal, before something else is printed."""
        if self._is_live and self._due_s > FIRST_S:
            _draw(_CLEAR)


def _draw(text: str) -> None:
    print(text, end="", file=dispensable(sys.stderr), flush=True)


@contextmanager
def progress(name: str | Callable[[], str], total: int | None = None, done: int = 0) -> Iterator[ProgressLine]:
    """Show from another thread what is done while the body runs; ``done`` of ``total`` units were done before."""
    line = ProgressLine(name, total, done)
    ended = threading.Event()

    def tick() -> None:
        while not ended.wait(line.pause_s):
            line.show_if_due()

    thread = threading.Thread(target=tick, name="progress", daemon=True)
    thread.start()
    try:
        yield line
    finally:
        ended.set()
        thread.join()
        line.clear()


@contextmanager
def loading_engine() -> Iterator[None]:
    """Show how far loading or compiling the engine is."""
    start = time.time()
    with progress(lambda: _loading(start)):
        yield


def _loading(start: float) -> str:
    """Return what has been done since ``start``, a time of the clock."""
    compiling = sys.modules.get("bot.engine.jit.compiling")
    if compiling is None or not hasattr(compiling, "CACHE"):  # another thread is importing it now
        return "Loading the engine"
    if compiling.CACHE is None:
        return "Compiling the engine (in every run, because no cache folder is writable: set NUMBA_CACHE_DIR to one)"
    done = 0
    with suppress(OSError):  # numba moves its files while they are counted
        done = sum(path.stat().st_mtime >= start for path in compiling.CACHE.rglob("*.nbc"))
    if not done:
        return "Loading the engine"
    return f"Compiling the engine (once, at the first use of each part): {with_count(done, 'function')} done"
