"""The one decorator of all kernels: numba's njit with a compiled cache that cannot go stale.

Numba looks only at the source file of the decorated function when it asks whether a cached kernel is still
valid, so a change in an imported kernel would serve an old answer. The cache therefore lives in a folder named
by a hash over the sources of all kernels. Where no folder can be written, kernels compile anew in each process.
Damaged files are compiled again (`checked_cache`).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import platformdirs

from bot.kernels import checked_cache

MARKER = ".bot-connect-four"
"""File that marks a folder as ours: only such folders are ever deleted."""
_UNUSED_S = 30 * 24 * 3600

F = TypeVar("F", bound=Callable[..., Any])


def source_hash() -> str:
    """Sixteen hex digits over the sources of every room's kernel modules and numba's version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(Path(__file__).parents[1].glob("**/kernels/*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


def cache_directory() -> Path | None:
    """The folder of this version's compiled kernels, made if need be; None when none can be written."""
    base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("bot-connect-four")
    folder = Path(base) / f"kernels-{source_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MARKER).touch()
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)  # in use: not for `_prune`
    except OSError:
        return None
    _prune(folder)
    return folder


def _prune(current: Path) -> None:
    """Delete our folders of other sources that have not been used for 30 days."""
    for folder in current.parent.glob("kernels-*"):
        with contextlib.suppress(OSError):
            is_old = time.time() - folder.stat().st_mtime > _UNUSED_S
            if folder != current and is_old and (folder / MARKER).is_file() and not folder.is_symlink():
                shutil.rmtree(folder, ignore_errors=True)


CACHE = cache_directory()
if CACHE is not None:
    # Read when a kernel is decorated, so the environment stays untouched.
    numba.config.CACHE_DIR = str(CACHE)  # type: ignore[attr-defined]


def is_cold() -> bool:
    """Whether nothing has been compiled yet for these sources on this machine."""
    return CACHE is None or next(CACHE.rglob("*.nbi"), None) is None


def kernel(signature: Any = None, *, inline: bool = False) -> Callable[[F], F]:
    """Compile a function without the interpreter and without its lock.

    ``signature`` is needed by recursive kernels only and compiles at import. ``inline`` pastes small helpers into
    their callers before optimisation. The decorated function keeps its Python type for the type checker.
    """

    def decorate(function: F) -> F:
        compiled = numba.njit(nogil=True, inline="always" if inline else "never")(function)
        if compiled is function:  # NUMBA_DISABLE_JIT
            return function
        if CACHE is not None:
            checked_cache.enable(compiled)
        if signature is not None:
            checked_cache.compile_for(compiled, signature)
        return cast(F, compiled)

    return decorate
