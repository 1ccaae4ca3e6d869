"""Numba's cache on disk with a checksum on every file: a damaged file is compiled again and never raises an error.

Numba unpickles its cache files without a check. A file that a full disk or a power cut truncated would end every later
start with an UnpicklingError; one with a block of zeros in its machine code would even run. Here every file ends with a
digest of its content. A file whose digest is wrong counts as missing, so its kernel is compiled and saved again.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

_DIGEST_BYTES = 16


def _digest(content: bytes | memoryview) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).digest()


def is_whole(path: Path) -> bool:
    """Return whether a cache file ends with the digest of its content; raises OSError when it cannot be read."""
    content = memoryview(path.read_bytes())
    return len(content) > _DIGEST_BYTES and _digest(content[:-_DIGEST_BYTES]) == content[-_DIGEST_BYTES:]


class _CheckedFile(IndexDataCacheFile):
    """One kernel's index and data files. Pickles end where they end, so numba ignores the digest behind them."""

    def _load_index(self) -> dict[Any, str]:
        """Return the index; an empty one when the file is missing or damaged."""
        with suppress(OSError):
            if is_whole(Path(self._index_path)):
                return dict(super()._load_index())
        return {}

    def _load_data(self, name: str) -> Any:
        """Return a kernel's data; raises OSError, which numba takes for a missing file, when it is damaged."""
        if not is_whole(Path(self._data_path(name))):
            raise OSError(f"{name} is damaged")
        return super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        buffer = io.BytesIO()
        yield buffer
        content = buffer.getvalue()
        with super()._open_for_write(filepath) as file:
            file.write(content + _digest(content))


class _CheckedCache(FunctionCache):
    """The cache of one kernel. A disk that cannot be read or written leaves it without one."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = _CheckedFile(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=self._impl.locator.get_source_stamp(),
        )

    def load_overload(self, *arguments: Any) -> Any:
        with suppress(OSError):
            return super().load_overload(*arguments)
        return None

    def save_overload(self, *arguments: Any) -> None:
        with suppress(OSError):
            super().save_overload(*arguments)


def enable(dispatcher: Any) -> None:
    """Give a compiled function the checked cache, before it is compiled for any signature."""
    dispatcher._cache = _CheckedCache(dispatcher.py_func)
