"""One run at a time for the same player at the same server: two would move in each other's games."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path

from bot.errors import JournalError, UsageError

_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK)


@contextmanager
def run_lock(folder: Path, server: str, stil_ids: Sequence[str]) -> Iterator[None]:
    """Hold the lock of ``stil_ids`` at ``server`` while the context lasts.

    The operating system holds it, not the file: it is gone with its process, however that ends, so no lock is ever
    stale; the file it leaves behind means nothing. Raises UsageError when another process has it, JournalError when
    the folder cannot be written or cannot hold locks.
    """
    name = hashlib.sha256("\n".join([server, *sorted(stil_ids)]).encode()).hexdigest()[:12]
    path = folder / f".lock-{name}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise _unusable(folder, error) from None
    try:
        try:
            taken = _take(descriptor)
            if taken:
                _write_holder(descriptor)
        except OSError as error:
            raise _unusable(folder, error) from None
        if not taken:
            raise UsageError(
                f"Another run is playing as {'+'.join(stil_ids)} at {server} ({_read_holder(descriptor)}).",
                "Wait for it, or end it; its game can be taken up again.",
            )
        yield
    finally:
        os.close(descriptor)


def holders(folder: Path) -> list[str]:
    """Who holds a lock in ``folder`` right now, a phrase each. A free lock is taken for the time of the look."""
    found = []
    for path in sorted(folder.glob(".lock-*")):
        try:
            descriptor = os.open(path, os.O_RDWR)
        except OSError:
            continue
        try:
            if not _take(descriptor):
                found.append(_read_holder(descriptor))
        except OSError:
            pass  # a folder that cannot hold locks: `run_lock` says so where it matters
        finally:
            os.close(descriptor)
    return found


def _take(descriptor: int) -> bool:
    """Lock the open file without waiting; False when somebody else has it."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            return False
        raise
    return True


def _write_holder(descriptor: int) -> None:
    """Say who holds the lock, from byte 1 on: byte 0 is the one that Windows locks, against reading too."""
    since = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")
    os.ftruncate(descriptor, 1)
    os.lseek(descriptor, 1, os.SEEK_SET)
    os.write(descriptor, f"process {os.getpid()}, since {since}".encode())


def _read_holder(descriptor: int) -> str:
    os.lseek(descriptor, 1, os.SEEK_SET)
    return os.read(descriptor, 100).decode(errors="replace").strip() or "an unknown process"


def _unusable(folder: Path, error: OSError) -> JournalError:
    return JournalError(
        f"The folder {folder} cannot be used for journals: {error.strerror}.", "Choose another --logs folder."
    )
