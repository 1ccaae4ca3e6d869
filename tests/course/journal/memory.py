"""A journal's file in memory."""

from __future__ import annotations

import errno
import os

from bot.course.journal.writer import FileSink


class MemorySink(FileSink):
    """Bytes in memory, like a disk of ``capacity`` bytes; the first ``synced`` bytes would survive a power cut."""

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
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

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
