"""What a file of tests may leave behind: no thread, no child process, no socket.

Checked after each file by the fixture `nothing_left` in `tests/conftest.py`. Sockets, and processes whose parent has
ended, are found through /proc, so on Linux only.
"""

from __future__ import annotations

import gc
import os
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path

GRACE_S = 120.0
"""Longest wait for what is ending, seconds: on a busy machine, a browser's last process needs a while."""
LASTING_THREADS = ("Profile", "IO loop", "asyncio_0", "Dask-Offload", "AnyIO worker thread")
"""Names, or their beginnings, of idle threads that libraries keep: distributed's, and those of a test client's pool."""
LASTING_PROCESSES = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")
"""Helper processes that Python starts once and keeps until the process ends, by a part of their command line."""
RUN_VARIABLE = "BOT_TESTS_RUN"
_PROC = Path("/proc")


def mark_children() -> None:
    """Mark this process's environment, which its children inherit, so that they are found even without a parent."""
    os.environ[RUN_VARIABLE] = f"{os.getpid()}-{uuid.uuid4().hex}"


def threads() -> set[str]:
    """Return the running threads, except those that libraries keep."""
    return {
        f"thread {thread.name} ({thread.ident})"
        for thread in threading.enumerate()
        if not thread.name.startswith(LASTING_THREADS)
    }


def processes() -> set[str]:
    """Return the running processes that carry this process's mark or are its children."""
    mark = f"{RUN_VARIABLE}={os.environ.get(RUN_VARIABLE)}".encode()
    found = set()
    for folder in _PROC.glob("[0-9]*"):
        try:
            if int(folder.name) == os.getpid():
                continue
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            if state == "Z" or (int(parent) != os.getpid() and mark not in (folder / "environ").read_bytes()):
                continue
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:  # it has ended, or belongs to somebody else
            continue
        if not any(name in command for name in LASTING_PROCESSES):
            found.add(f"process {folder.name}: {command}")
    return found


def sockets() -> set[str]:
    """Return this process's open sockets."""
    found = set()
    for entry in _PROC.glob("self/fd/*"):
        try:
            target = str(entry.readlink())
        except OSError:  # closed in the meantime
            continue
        if target.startswith("socket:"):
            found.add(f"{target} (descriptor {entry.name})")
    return found


CHECKS: tuple[Callable[[], set[str]], ...] = (threads, processes, sockets)


def snapshot() -> list[set[str]]:
    """Return what is running and open now."""
    return [check() for check in CHECKS]


def left_since(before: list[set[str]]) -> list[str]:
    """Return what is running or open beyond ``before``, after giving it time to end."""
    end = time.monotonic() + GRACE_S
    collected = False
    while True:
        left = sorted(set().union(*(check() - earlier for check, earlier in zip(CHECKS, before, strict=True))))
        if not left or time.monotonic() > end:
            return left
        if not collected:
            gc.collect()
            collected = True
        time.sleep(0.02)
