"""Output that cannot be written: a closed pipe ends a command quietly, a full disk with a sentence; `play` plays on.

What goes to standard error is dispensable in every command: losing it changes neither the work nor the exit code.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, TextIO, cast

from bot.errors import BotError, UsageError, printable


@contextmanager
def forgiving_streams() -> Iterator[None]:
    """Let no character and no unwritable stream end a command while the context lasts, or change its exit code.

    A character that a stream's encoding lacks is written, and a byte of the input that is no text is read, as an escape
    such as \\xb5.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    shown = sys.stderr
    sys.stderr = cast("TextIO", _Messages(shown))
    try:
        yield
    finally:
        with suppress(OSError, ValueError):
            dispensable(sys.stdout).flush()
        with suppress(ValueError):
            sys.stderr.flush()
        sys.stderr = shown


def is_redrawable(stream: IO[str]) -> bool:
    """Return whether ``stream`` is a terminal on which a line can be drawn anew; FORCE_COLOR makes none."""
    return stream.isatty() and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")


def as_bot_error(error: Exception) -> BotError:
    """Return any error as one with sentences: the system's, a shortage or a path, are the user's; others are bugs."""
    if isinstance(error, BotError):
        return error
    reason = str(error)
    if isinstance(error, OSError):
        reason = error.strerror or ""
        if error.filename is not None:
            return UsageError(f"{error.filename} cannot be used: {reason}.", "Check the path and its permissions.")
    if isinstance(error, OSError | MemoryError) or "can't start new thread" in reason:
        shown = f" ({reason})" if reason else ""
        hint = "Free memory, disk space or files, and run it again."
        return UsageError(f"The system has no more of what this needs{shown}.", hint)
    message = f"This is a bug: {type(error).__name__}: {error}"
    return BotError(message, "Run again with -v and report what it prints.")


def discard(stream: IO[str]) -> None:
    """Point a stream at nothing, so that Python does not complain at exit about what it could not write."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, stream.fileno())
    os.close(nothing)


def dispensable(stream: IO[str]) -> IO[str]:
    """Return a stream whose output a command can do without: from the first failed write on, all is discarded.

    Codes that control a terminal may be written to it, also where it is standard error.
    """
    return cast("IO[str]", _Dispensable(getattr(stream, "without_filter", stream)))


class _Dispensable:
    def __init__(self, stream: IO[str]) -> None:
        self.without_filter = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.without_filter, name)

    def write(self, text: str) -> int:
        """Write ``text`` or lose it."""
        try:
            return self.without_filter.write(text)
        except OSError:
            discard(self.without_filter)
        return len(text)

    def flush(self) -> None:
        """Hand the output to the operating system or lose it."""
        try:
            self.without_filter.flush()
        except OSError:
            discard(self.without_filter)


class _Messages(_Dispensable):
    """Standard error: what others print there, such as the parser or a traceback, may quote any text."""

    def write(self, text: str) -> int:
        """Write what may be shown of ``text``."""
        return super().write("\n".join(map(printable, text.split("\n"))))
