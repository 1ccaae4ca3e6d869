"""Each kernel is compiled by one of the test processes; the others wait for it and load it from the cache.

Otherwise processes that begin with a cold cache compile the same kernels at the same time, each for itself.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows: each process compiles for itself
    fcntl = None  # type: ignore[assignment]

_depth = 0
"""How often this process holds the lock: a kernel that calls itself is compiled for one signature within another."""


def enable() -> None:
    """Let this process hold the lock while it loads or compiles a kernel."""
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.dispatcher import Dispatcher

    from bot.engine.jit import compiling

    if fcntl is None or compiling.CACHE is None:
        return
    compile_alone = Dispatcher.compile
    lock = Path(tempfile.gettempdir()) / f"bot-tests-{os.getuid()}-{compiling.CACHE.name}.lock"

    def compile_once(self: Any, signature: Any) -> Any:
        if not isinstance(self._cache, compiling.DiskCache):
            return compile_alone(self, signature)
        with global_compiler_lock, _locked(lock):
            return compile_alone(self, signature)

    setattr(Dispatcher, "compile", compile_once)  # noqa: B010 - a method cannot be assigned to, says mypy


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file, which the system releases when the process ends."""
    global _depth  # noqa: PLW0603
    with path.open("a") as file:
        if not _depth:
            fcntl.flock(file, fcntl.LOCK_EX)
        _depth += 1
        try:
            yield
        finally:
            _depth -= 1
            if not _depth:
                fcntl.flock(file, fcntl.LOCK_UN)  # closing it would not do: a forked child has it open, too
