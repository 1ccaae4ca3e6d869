"""Stores for a journal's bytes: a file on the disk, or memory for simulations and tests."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path


def _full() -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class FileSink:
    """A file opened for appending, readable by its owner only. Every method may raise OSError."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Open ``path``, or create it. Raises OSError; FileExistsError if it is to be created and exists."""
        self._path = path
        flags = os.O_EXCL | os.O_CREAT if create else 0
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | flags, 0o600)

    def write(self, data: bytes) -> None:
        """Append all of ``data``; after an error, part of it may have been appended."""
        if os.write(self._descriptor, data) != len(data):
            raise _full()

    def sync(self) -> None:
        """Make everything written survive a power cut, before returning."""
        os.fsync(self._descriptor)

    def size(self) -> int:
        """Return how many bytes are stored."""
        return os.fstat(self._descriptor).st_size

    def truncate(self, length: int) -> None:
        """Keep the first ``length`` bytes."""
        os.ftruncate(self._descriptor, length)

    def room(self) -> int | None:
        """Return how many more bytes can be written; None if unknown."""
        return shutil.disk_usage(self._path).free

    def close(self) -> None:
        """Release the store; a second call does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class MemorySink:
    """Bytes in memory, like a disk of ``capacity`` bytes; the first ``synced`` bytes would survive a power cut.

    The methods are those of `FileSink`.
    """

    def __init__(self, content: bytes = b"", capacity: int | None = None) -> None:
        self._content = bytearray(content)
        self._capacity = capacity
        self.synced = len(content)

    @property
    def content(self) -> bytes:
        """Everything written."""
        return bytes(self._content)

    def write(self, data: bytes) -> None:
        room = self.room()
        self._content += data[:room]
        if room is not None and room < len(data):
            raise _full()

    def sync(self) -> None:
        self.synced = len(self._content)

    def size(self) -> int:
        return len(self._content)

    def truncate(self, length: int) -> None:
        del self._content[length:]
        self.synced = min(self.synced, length)

    def room(self) -> int | None:
        return None if self._capacity is None else max(0, self._capacity - len(self._content))

    def close(self) -> None:
        pass


Sink = FileSink | MemorySink


def is_other_than_folder(path: Path) -> bool:
    """Return whether ``path`` is taken by something else, such as a file or a link that leads nowhere."""
    try:
        return os.path.lexists(path) and not path.is_dir()
    except OSError:  # a folder above it cannot be searched
        return False
