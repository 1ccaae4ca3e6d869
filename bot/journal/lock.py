"""One run at a time for the same player at the same server: two would move in each other's games."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bot.errors import JournalError, UsageError


@contextmanager
def run_lock(folder: Path, server: str, stil_ids: Sequence[str]) -> Iterator[None]:
    """Hold the lock of ``stil_ids`` at ``server`` while the context lasts.

    The operating system holds it, not the file: it is gone with its process, however that ends, so no lock is ever
    stale. Raises UsageError when another process has it, JournalError when the folder cannot be written.
    """
    name = hashlib.sha256("\n".join([server, *sorted(stil_ids)]).encode()).hexdigest()[:12]
    path = folder / f".lock-{name}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise JournalError(
            f"The folder {folder} cannot be written: {error.strerror}.", "Choose another --logs folder."
        ) from None
    try:
        if not _take(descriptor):
            holder = os.pread(descriptor, 20, 1).decode(errors="replace").strip() or "unknown"
            raise UsageError(
                f"Another run is playing as {'+'.join(stil_ids)} at {server} (process {holder}).",
                "Wait for it, or end it; it can be taken up again.",
            )
        os.ftruncate(descriptor, 1)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 1)  # byte 0 is the one that Windows locks
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int) -> bool:
    """Lock the open file without waiting; False when somebody else has it."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
