"""Files that survive a crash: replaced as a whole, or with lines that are only appended."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from bot.errors import UsageError


def open_bytes(path: Path, flags: int, mode: int) -> int:
    """Open a file and return its descriptor; what is written is stored byte by byte. Raises OSError."""
    return os.open(path, flags | getattr(os, "O_BINARY", 0), mode)  # without it, Windows stores \n as \r\n


def write_whole(descriptor: int, content: bytes) -> None:
    """Write ``content``. Raises OSError, also where the disk takes only a part of it."""
    if os.write(descriptor, content) != len(content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def replace_file(path: Path, content: bytes, *, mode: int = 0o666) -> None:
    """Write a file atomically: after a crash at any moment it holds the old content or the new. Raises OSError.

    ``mode`` is the permission of a new file, less the process's mask.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")  # two processes may write it at once
    descriptor = open_bytes(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        try:
            write_whole(descriptor, content)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make new names in ``folder`` survive a power cut, on systems that support it."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def check_place(path: Path, hint: str = "Choose another file.") -> None:
    """Raise UsageError if no file can be written at ``path``: before long work, not when its result is ready."""
    if path.is_dir():
        problem = errno.EISDIR
    elif not path.parent.is_dir():
        problem = errno.ENOENT
    else:
        written = path if path.exists() else path.parent
        if os.access(written, os.W_OK):
            return
        problem = errno.EACCES
    raise UsageError(f"{path} cannot be written: {os.strerror(problem)}.", hint)


def check_folder(path: Path, option: str) -> None:
    """Raise UsageError if ``path``, which ``option`` names, is something else, such as a file or a dead link."""
    with suppress(OSError):  # a folder above it cannot be searched
        if os.path.lexists(path) and not path.is_dir():
            raise UsageError(f"{path} is not a folder.", f"Choose another {option} folder.")


class LineFile:
    """A file to which lines are only appended, for use in a with statement. Without a path nothing is written.

    Entering it cuts off a last line that a crash has torn, and may raise OSError, as may `append` and `lines`.
    """

    def __init__(self, path: Path | None, *, beginning: str = "", shared: bool = False) -> None:
        """A file with content that does not begin with ``beginning`` is of another kind.

        A ``shared`` one can have several writers at once: a torn line, perhaps another's, is ended and not cut off.
        """
        self.path = path
        self._beginning = beginning.encode()
        self._shared = shared
        self._file: BinaryIO | None = None

    def lines(self) -> list[bytes]:
        """Return the lines without the last one if a crash has torn it; none where there is no file.

        Raises UsageError for a file of another kind.
        """
        content = self.path.read_bytes() if self.path is not None and self.path.exists() else b""
        if not (content.startswith(self._beginning) or self._beginning.startswith(content)):
            raise UsageError(
                f"{self.path} was written by another command or with other options.",
                "Give the options that it was started with, or choose another file.",
            )
        return content.split(b"\n")[:-1]

    def __enter__(self) -> LineFile:
        if self.path is not None:
            lines = self.lines()
            self._file = self.path.open("ab")
            whole = sum(len(line) + 1 for line in lines)
            if not self._shared or not lines:  # a torn first line would not be recognised
                self._file.truncate(whole)
            elif self._file.tell() > whole:
                self._file.write(b"\n")
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def append(self, line: str) -> None:
        """Append one line; the operating system has it when this returns."""
        assert self._file is not None or self.path is None, "The file is used in a with statement."
        if self._file is not None:
            self._file.write(line.encode() + b"\n")
            self._file.flush()
