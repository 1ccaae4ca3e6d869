"""Output that cannot be written: a closed pipe ends a command quietly, a full disk with a sentence; `play` plays on.

What goes to standard error is dispensable in every command: losing it changes neither the work nor the exit code.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, TextIO, cast

_FILES = (
    "This process may not open as many files as it needs.",
    "Raise the limit, for instance by `ulimit -n 1024`.",
)
_SPACE = ("There is no space left on the disk.", "Make room for output and files, and run the same command again.")
_MEMORY = ("There is not enough memory.", "End other programs, or raise this process's limit (`ulimit -v`).")
_THREADS = (
    "This process may start no more threads or processes.",
    "End other programs, or raise the limit, for instance by `ulimit -u 1024`.",
)
_SHORTAGES = {
    errno.EMFILE: _FILES,
    errno.ENFILE: _FILES,
    errno.ENOSPC: _SPACE,
    errno.EDQUOT: _SPACE,
    errno.EAGAIN: _THREADS,
    errno.ENOMEM: _MEMORY,
}
_PLACE = (
    errno.EISDIR,
    errno.ENOTDIR,
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOENT,
    errno.EEXIST,
    errno.EFBIG,
    errno.EIO,
)
"""What is wrong with a path that the user gave, or with its disk."""
_lost: list[OSError] = []
"""Why output of this process was discarded."""


@contextmanager
def forgiving_streams() -> Iterator[None]:
    """Let no character and no unwritable stream end a command while the context lasts, or change its exit code.

    A character that a stream's encoding lacks is written, and a byte of the input that is no text is read, as an escape
    such as \\xb5.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with suppress(io.UnsupportedOperation):  # the key has been read from it
                stream.reconfigure(errors="backslashreplace")
    shown = sys.stderr
    sys.stderr = cast("TextIO", _Dispensable(shown, notes=False))
    try:
        yield
    finally:
        discard_unwritable()
        with suppress(ValueError):
            sys.stderr.flush()
        sys.stderr = shown


def is_redrawable(stream: IO[str]) -> bool:
    """Return whether ``stream`` is a terminal on which a line can be drawn anew; FORCE_COLOR makes none."""
    return stream.isatty() and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")


def shortage(error: Exception) -> str:
    """Return the sentences for an error that says that the system has no space, files, memory or threads, else ""."""
    if isinstance(error, MemoryError):
        return " ".join(_MEMORY)
    if isinstance(error, RuntimeError) and "can't start new thread" in str(error):
        return " ".join(_THREADS)
    if not isinstance(error, OSError) or hasattr(error, "characters_written"):  # a stream that does not block
        return ""
    return " ".join(_SHORTAGES.get(error.errno or 0, ()))


def unusable_place(error: Exception) -> str:
    """Return the sentences for an error about a file or folder that cannot be used as it is, else ""."""
    if not isinstance(error, OSError) or error.filename is None or error.errno not in _PLACE:
        return ""
    return f"{error.filename} cannot be used: {error.strerror}. Check the path and its permissions."


def discard(stream: IO[str]) -> None:
    """Point a stream at nothing, so that Python does not complain at exit about what it could not write."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, stream.fileno())
    os.close(nothing)


def discard_unwritable() -> None:
    """Discard what standard output holds if it cannot be written."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            discard(sys.stdout)


def report_loss() -> None:
    """Print one sentence on stderr if output was lost in a command that went on."""
    if _lost:
        with suppress(OSError, ValueError):
            print(f"bot: Part of the output could not be written: {_lost[0].strerror}.", file=sys.stderr, flush=True)
        _lost.clear()


def dispensable(stream: IO[str]) -> IO[str]:
    """Return a stream whose output a command can do without."""
    return cast("IO[str]", _Dispensable(stream))


class _Dispensable:
    """From the first failed write on, all output is discarded; with ``notes``, `report_loss` says so at the end."""

    def __init__(self, stream: IO[str], *, notes: bool = True) -> None:
        self._stream = stream
        self._notes = notes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write ``text`` or lose it."""
        try:
            return self._stream.write(text)
        except OSError as error:
            self._lose(error)
        return len(text)

    def flush(self) -> None:
        """Hand the output to the operating system or lose it."""
        try:
            self._stream.flush()
        except OSError as error:
            self._lose(error)

    def _lose(self, error: OSError) -> None:
        if self._notes:
            _lost.append(error)
        discard(self._stream)
