"""Lock files of the operating system: a lock ends with its process, so it is never stale."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path

PREFIX = ".lock-"
"""How the names of lock files begin."""
_TEST_S = 0.05
"""Time after which a taken lock is tried once more, seconds: `holder_of` takes a free lock for a moment."""
_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK)


class LockedError(Exception):
    """Another process holds the lock; ``holder`` describes it."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


@contextmanager
def locked(path: Path, about: str) -> Iterator[None]:
    """Hold the lock file ``path`` while the context lasts; ``about`` describes this process to others.

    The file stays behind; only the lock on it counts. Raises LockedError if another process holds the lock, OSError if
    the folder cannot be written or its file system has no locks.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _take(descriptor):
            time.sleep(_TEST_S)
            if not _take(descriptor):
                raise LockedError(_read_holder(descriptor))
        _write_holder(descriptor, about)
        yield
    finally:
        os.close(descriptor)


def holders(*folders: Path) -> list[str]:
    """Return the current holders of locks in ``folders``, a phrase each. Each lock is taken briefly to test it."""
    paths = sorted({path for folder in folders for path in folder.glob(f"{PREFIX}*")})
    return [holder for path in paths if (holder := holder_of(path)) is not None]


def holder_of(path: Path) -> str | None:
    """Return the current holder of the lock file ``path`` as a phrase; None if the lock is free."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return None
    try:
        return None if _take(descriptor) else _read_holder(descriptor)
    except OSError:
        return None  # a file system without locks
    finally:
        os.close(descriptor)


def _take(descriptor: int) -> bool:
    """Lock the open file without waiting; return False if another process holds it."""
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


def _write_holder(descriptor: int, about: str) -> None:
    """Describe the holder from byte 1 on: on Windows, the locked byte 0 cannot be read."""
    since = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")
    os.ftruncate(descriptor, 1)
    os.lseek(descriptor, 1, os.SEEK_SET)
    os.write(descriptor, f"process {os.getpid()}, {about}, since {since}".encode())


def _read_holder(descriptor: int) -> str:
    os.lseek(descriptor, 1, os.SEEK_SET)
    return os.read(descriptor, 1000).decode(errors="replace").strip() or "an unknown process"
