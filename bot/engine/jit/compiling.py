"""The one decorator of all kernels: numba's njit with a compiled cache that cannot go stale.

When numba decides whether a cached kernel is still valid, it looks only at the source file of the decorated function,
so a change in an imported kernel would return an old answer. The cache therefore lies in a folder that is named by a
hash over the sources of all kernels. Where no folder is writable, kernels are compiled again in each process.
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
from numba.core.caching import FunctionCache
from numba.core.typeinfer import register_dispatcher

_UNUSED_S = 30 * 24 * 3600
"""Age at which an unused cache folder is deleted, seconds."""

F = TypeVar("F", bound=Callable[..., Any])


def source_hash() -> str:
    """Return 16 hex digits over numba's version and the sources of all kernels and of the constants they import."""
    digest = hashlib.sha256(numba.__version__.encode())
    package = Path(__file__).parents[2]
    kernels = [*package.glob("**/kernels/*.py"), *package.glob("engine/jit/*.py")]
    shared = package / "game" / "columns.py", package / "papers" / "windows.py"
    for source in sorted([*kernels, *shared]):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


def cache_directory() -> Path | None:
    """Return the folder of this version's compiled kernels, made if need be; None where none is writable."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(chosen or platformdirs.user_cache_dir("bot-connect-four")) / f"kernels-{source_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)  # marks it as used, for `_prune`
    except OSError:
        return None
    if not chosen:  # a folder of somebody's choice may hold other programs' files
        _prune(folder)
    return folder


def _prune(current: Path) -> None:
    """Delete the kernels of other sources that have not been used for 30 days."""
    for folder in current.parent.glob("kernels-*"):
        with contextlib.suppress(OSError):
            if folder != current and time.time() - folder.stat().st_mtime > _UNUSED_S:
                shutil.rmtree(folder)


CACHE = cache_directory()
# All are read when a kernel is decorated, so the environment stays untouched.
numba.config.DISABLE_JIT = 0  # type: ignore[attr-defined]  # Python lacks the instructions that kernels are made of
numba.config.CACHE_LOCATOR_CLASSES = ""  # type: ignore[attr-defined]  # the folder is chosen here
if CACHE is not None:
    numba.config.CACHE_DIR = str(CACHE)  # type: ignore[attr-defined]


class DiskCache(FunctionCache):
    """The files of one kernel, which is compiled again where they cannot be read: a power cut or a full disk cuts them
    off, and numba would end every later start with an error."""

    def load_overload(self, *arguments: Any) -> Any:
        """Return the compiled kernel; None where it has to be compiled."""
        try:
            return super().load_overload(*arguments)
        except Exception:  # whatever comes of unpickling a damaged file
            with contextlib.suppress(OSError):
                self.flush()
        return None

    def save_overload(self, *arguments: Any) -> None:
        """Save the compiled kernel, where the disk takes it."""
        with contextlib.suppress(Exception):
            super().save_overload(*arguments)


def kernel(signature: Any = None, *, inline: bool = False) -> Callable[[F], F]:
    """Return a decorator that compiles a function to run without the interpreter and its lock.

    A ``signature`` compiles a kernel at import. Recursive kernels need one, and call themselves by
    it (`addresses.calls`) or pass variables, not literals; others have one where constants among their arguments
    would otherwise make numba compile a version for each. ``inline`` copies a helper into its callers: where it has a
    signature, numba infers its types once and LLVM copies it; otherwise numba copies and infers it at each call, which
    pays for short helpers only. The decorated function keeps its Python type for the type checker.
    """

    def decorate(function: F) -> F:
        by_numba, by_llvm = inline and signature is None, inline and signature is not None
        options: dict[str, Any] = {"inline": "always" if by_numba else "never", "forceinline": by_llvm}
        compiled = numba.njit(nogil=True, **options)(function)
        if CACHE is not None:
            compiled._cache = DiskCache(function)
        if signature is not None:
            with register_dispatcher(compiled):  # as numba.njit(signature) does: the function may call itself
                compiled.compile(signature)
            compiled.disable_compile()
        return cast(F, compiled)

    return decorate


def direct(compiled: F) -> F:
    """Return the machine code of a kernel with one signature, without numba's choice by the arguments' types.

    A call takes less time. The arguments must have exactly the types of the signature: nothing checks them.
    """
    (only,) = cast(Any, compiled).overloads.values()
    return cast(F, only.entry_point)
