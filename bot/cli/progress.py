"""What a command shows on stderr while its user waits: one line that says what is done and the elapsed time.

On a terminal the line is drawn anew. Elsewhere a plain line comes after 2, 4, 8, ... seconds.
"""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from bot.cli.formatting import elapsed
from bot.cli.output import dispensable, is_redrawable
from bot.errors import printable
from bot.game.notation import with_count

FIRST_S = 2.0
"""Waits up to this long show nothing, seconds."""
_REDRAW_S = 0.25
_LONGEST_PAUSE_S = 60.0
_CLEAR = "\r\x1b[2K"


class ProgressLine:
    """The line of one wait, from `FIRST_S` on: another thread prints it while the body of a with statement runs.

    ``done`` of ``total`` units were done before. A function is called for the text, from that thread.
    """

    def __init__(self, name: str | Callable[[], str], total: int | None = None, done: int = 0) -> None:
        self.name, self.total, self.done = name, total, done
        self._start_s = time.monotonic()
        self._is_live = is_redrawable(sys.stderr)
        self._due_s = FIRST_S
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._tick, name="progress", daemon=True)

    def __enter__(self) -> ProgressLine:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        self.clear()

    def _tick(self) -> None:
        while not self._ended.wait(self.pause_s):
            self.show_if_due()

    def advance(self) -> None:
        """Count one more unit as done."""
        self.done += 1

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


def loading_engine() -> ProgressLine:
    """Return the line that shows how far loading or compiling the engine is."""
    return ProgressLine(partial(_loading, time.time()))


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
