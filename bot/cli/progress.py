"""What a command shows on stderr while its user waits: what is done and the elapsed time.

On a terminal that is a live line or bar. Elsewhere it is a plain line after 2, 4, 8, ... seconds.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from bot.cli.formatting import counted, elapsed
from bot.cli.output import is_redrawable

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

FIRST_S = 2.0
"""Waits up to this long show nothing, seconds."""
_REDRAW_S = 0.25
_LONGEST_PAUSE_S = 60.0
_BOOK_HINT = (
    "In a clone of the repository, `git restore bot/engine/book/data/book.bin` repairs it; elsewhere install the "
    "package again: `pip install --force-reinstall --no-deps PLACE`, where PLACE is what it was installed from."
)
_noted: set[str] = set()
"""Problems of the book that have been printed."""
_CLEAR = "\r\x1b[2K"


class Ticker:
    """Prints lines that tell what is done, from `FIRST_S` on: at growing intervals, or live on a terminal."""

    def __init__(self, describe: Callable[[], str]) -> None:
        self._describe = describe
        self._start = time.monotonic()
        self._is_live = is_redrawable(sys.stderr)
        self._due_s = FIRST_S
        self._is_shown = False

    @property
    def pause_s(self) -> float:
        """Seconds until the next line is due."""
        return max(0.0, self._start + self._due_s - time.monotonic())

    def show_if_due(self) -> None:
        """Print the line if it is time for one."""
        if self.pause_s > 0:
            return
        passed_s = time.monotonic() - self._start
        text = f"{self._describe()}, {elapsed(passed_s)}"
        self._due_s = passed_s + (_REDRAW_S if self._is_live else min(_LONGEST_PAUSE_S, passed_s))
        self._write(f"{_CLEAR}{text}" if self._is_live else f"{text}\n")
        self._is_shown = True

    def clear(self) -> None:
        """Remove a live line."""
        if self._is_live and self._is_shown:
            self._write(_CLEAR)

    @staticmethod
    def _write(text: str) -> None:
        with suppress(OSError, ValueError):  # a closed stderr ends no command
            sys.stderr.write(text)
            sys.stderr.flush()


@contextmanager
def waiting(describe: Callable[[], str]) -> Iterator[Ticker]:
    """Show ``describe()`` and the elapsed time while the body runs, if it runs for more than `FIRST_S`.

    ``describe`` is called from another thread. Call ``clear()`` of the result before the body prints.
    """
    ticker = Ticker(describe)
    ended = threading.Event()

    def tick() -> None:
        while not ended.wait(ticker.pause_s):
            ticker.show_if_due()

    thread = threading.Thread(target=tick, name="progress", daemon=True)
    thread.start()
    try:
        yield ticker
    finally:
        ended.set()
        thread.join()
        ticker.clear()


@contextmanager
def loading_engine() -> Iterator[None]:
    """Show how far loading or compiling the engine is."""
    start = time.time()
    with waiting(lambda: _loading(start)):
        yield
    note_book_problem()


def note_book_problem() -> None:
    """Print one note on stderr, once in a process, if the package's opening book was asked for and cannot be used."""
    perfect = sys.modules.get("bot.engine.perfect")
    if perfect is None or not (problem := perfect.book_problem()) or problem in _noted:
        return
    _noted.add(problem)
    Ticker._write(f"Note: {problem} The first moves and analyses take longer without it. {_BOOK_HINT}\n")


def _loading(start: float) -> str:
    """Return what has been done since ``start``, a time of the clock."""
    if getattr(sys.modules.get("bot.engine.jit.compiling"), "CACHE", "not known yet") is None:
        return "Compiling the engine (in every run, because no cache folder is writable: see `bot doctor`)"
    done = _compiled_since(start)
    return f"Compiling the engine: {counted(done, 'function')} done" if done else "Loading the engine"


def _compiled_since(start: float) -> int:
    """Return how many compiled functions have been written to the cache since ``start``, a time of the clock."""
    cache = getattr(sys.modules.get("bot.engine.jit.compiling"), "CACHE", None)
    if cache is None:
        return 0
    with suppress(OSError):  # numba moves its files while they are counted
        return sum(path.stat().st_mtime >= start for path in cache.rglob("*.nbc"))
    return 0


class Part:
    """One part of the work, with its own bar."""

    def __init__(self, owner: Progress, name: str, total: int | None, done: int) -> None:
        self._owner = owner
        self.name, self.total, self.done = name, total, done
        self.task: TaskID | None = None

    def advance(self, count: int = 1) -> None:
        """Count ``count`` more units as done."""
        self.update(self.done + count, self.total)

    def update(self, done: int, total: int | None) -> None:
        """Set what is done, of how much."""
        self.done, self.total = done, total
        self._owner.changed(self)

    def describe(self) -> str:
        """Return "games: 3 of 20"."""
        return f"{self.name}: {self.done:,}" + ("" if self.total is None else f" of {self.total:,}")


class Progress:
    """Bars on stderr for the parts of a command's work. Use `progress`."""

    def __init__(self, bars: RichProgress | None, *, between: bool) -> None:
        self._bars = bars
        self._between = between
        self.parts: list[Part] = []
        self.ticker = Ticker(self._describe)

    def part(self, name: str, total: int | None = None, done: int = 0) -> Part:
        """Begin a part of ``total`` units, of which ``done`` are done already."""
        part = Part(self, name, total, done)
        self.parts.append(part)
        if self._bars is not None:
            part.task = self._bars.add_task(name, total=total, completed=done)
        return part

    def changed(self, part: Part) -> None:
        """Draw a part anew."""
        if self._bars is not None and part.task is not None:
            self._bars.update(part.task, completed=part.done, total=part.total, refresh=self._between)
        elif self._between:
            self.ticker.show_if_due()

    def _describe(self) -> str:
        return self.parts[-1].describe() if self.parts else "Working"


@contextmanager
def progress(*, between: bool = False) -> Iterator[Progress]:
    """Show bars with counts, elapsed and remaining time on stderr while the body runs.

    With ``between`` nothing is drawn but when a part advances: drawing must not disturb a measurement.
    """
    if not is_redrawable(sys.stderr):
        shown = Progress(None, between=between)
        if between:
            yield shown
            return
        with waiting(shown._describe):
            yield shown
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    clocks = (TextColumn("elapsed"), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    console = Console(stderr=True)
    with Bars(*columns, *clocks, console=console, auto_refresh=not between, speed_estimate_period=600) as bars:
        yield Progress(bars, between=between)
