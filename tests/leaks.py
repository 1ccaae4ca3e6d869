"""What a file of tests may leave behind: no thread, no process, no socket.

Checked after each file by the fixture `nothing_left` in `tests/conftest.py`. Sockets, and processes whose parent has
ended, are found through /proc, so on Linux only.
"""

from __future__ import annotations

import gc
import os
import threading
import time
import uuid
from contextlib import suppress
from pathlib import Path

GRACE_S = 120.0
"""Longest wait for what is ending, seconds: on a busy machine, a browser's last process needs a while."""
LASTING_THREADS = ("Profile", "IO loop", "asyncio_0", "Dask-Offload", "AnyIO worker thread")
"""Names, or their beginnings, of idle threads that libraries keep: distributed's, and those of a test client's pool."""
LASTING_PROCESSES = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")
"""Helper processes that Python starts once and keeps until the process ends, by a part of their command line."""
RUN_VARIABLE = "BOT_TESTS_RUN"


def mark_children() -> None:
    """Mark this process's environment, which its children inherit, so that they are found even without a parent."""
    os.environ[RUN_VARIABLE] = f"{os.getpid()}-{uuid.uuid4().hex}"


def running() -> set[str]:
    """Return the threads, sockets and child processes of this process, except those that libraries keep."""
    threads = [thread for thread in threading.enumerate() if not thread.name.startswith(LASTING_THREADS)]
    found = {f"thread {thread.name} ({thread.ident})" for thread in threads}
    for entry in Path("/proc/self/fd").glob("*"):
        with suppress(OSError):  # closed in the meantime
            found.add(f"{entry.readlink()} (descriptor {entry.name})")
    found = {name for name in found if name.startswith(("thread", "socket"))}
    mark, own = f"{RUN_VARIABLE}={os.environ[RUN_VARIABLE]}".encode(), str(os.getpid())
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or belongs to somebody else
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            is_ours = parent == own or (folder.name != own and mark in (folder / "environ").read_bytes())
            command = (folder / "cmdline").read_text(errors="replace").replace("\0", " ")
            if is_ours and state != "Z" and not any(name in command for name in LASTING_PROCESSES):
                found.add(f"process {folder.name}: {command}")
    return found


def left_since(before: set[str]) -> list[str]:
    """Return what is running or open beyond ``before``, after giving it time to end."""
    end = time.monotonic() + GRACE_S
    while (left := sorted(running() - before)) and time.monotonic() < end:
        gc.collect()
        time.sleep(0.02)
    return left
