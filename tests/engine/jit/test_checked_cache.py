"""Damaged files of compiled kernels are compiled again; a disk that refuses leaves the kernels without a cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.processes import python_json

KERNELS = """
from bot.engine.jit.compiling import kernel

@kernel(inline=True)
def twice(value):
    return 2 * value

@kernel("int64(int64)")
def factorial(value):
    return 1 if value < 2 else value * factorial(value - 1)

@kernel()
def both(value):
    return twice(value) + factorial(value)
"""

DAMAGE = '''
import json, os, random, runpy, sys
from pathlib import Path
from bot.engine.jit import compiling
from bot.engine.jit.checked_cache import is_whole

def load():
    """Return the result of fresh kernels and how many of them came from the cache."""
    module = runpy.run_path(sys.argv[1])
    result = module["both"](5)
    dispatchers = [module["both"], module["factorial"]]
    return result, sum(sum(one.stats.cache_hits.values()) for one in dispatchers)

def files():
    return sorted(path for path in compiling.CACHE.rglob("*") if path.suffix in (".nbi", ".nbc"))

def zeros(content):
    middle = len(content) // 2
    return content[:middle] + bytes(min(64, len(content) - middle)) + content[middle + 64:]

def flipped(content):
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1:]

DAMAGES = {
    "emptied": lambda content: b"",
    "cut in half": lambda content: content[:len(content) // 2],
    "garbage": lambda content: random.Random(1).randbytes(len(content)),
    "a block of zeros": zeros,
    "one bit": flipped,
    "longer": lambda content: content + b"x",
}

assert load() == (130, 0), "a cold start"
assert load() == (130, 2), "a warm start"
whole = {path: path.read_bytes() for path in files()}
done = []
for path in whole:
    for name, damage in DAMAGES.items():
        path.write_bytes(damage(whole[path]))
        assert not is_whole(path), (path.name, name)
        result, hits = load()
        assert result == 130 and hits < 2, (path.name, name, result, hits)
        assert load() == (130, 2), (path.name, name, "it must be in the cache again")
        assert all(is_whole(one) for one in files())
        done.append(f"{path.name}: {name}")
    path.unlink()
    assert load()[0] == 130 and load() == (130, 2), "a file that is gone"
    path.unlink()
    path.mkdir()
    assert load()[0] == 130, "a folder in the file's place"
    path.rmdir()
    assert load()[0] == 130 and load() == (130, 2)
    for one, content in whole.items():
        one.write_bytes(content)
print(json.dumps([len(whole), len(DAMAGES), len(done)]))
'''

FULL_DISK = """
import errno, json, runpy, sys
from contextlib import contextmanager
from numba.core.caching import IndexDataCacheFile

@contextmanager
def full(self, path):
    raise OSError(errno.ENOSPC, "No space left on device")
    yield

IndexDataCacheFile._open_for_write = full
module = runpy.run_path(sys.argv[1])
from bot.engine.jit import compiling
print(json.dumps([module["both"](5), len(list(compiling.CACHE.rglob("*.nbc")))]))
"""


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    path = tmp_path / "kernels.py"
    path.write_text(KERNELS)
    return path


def test_every_damage_to_every_file_is_repaired_silently(tmp_path: Path, kernels: Path) -> None:
    files, damages, done = python_json(DAMAGE, str(kernels), NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert files >= 4 and done == files * damages


def test_a_full_disk_leaves_the_kernels_without_a_cache(tmp_path: Path, kernels: Path) -> None:
    assert python_json(FULL_DISK, str(kernels), NUMBA_CACHE_DIR=str(tmp_path / "cache")) == [130, 0]


def test_kernels_run_without_a_cache_and_whatever_numba_is_told(tmp_path: Path, kernels: Path) -> None:
    script = "import json, runpy, sys\nprint(json.dumps(runpy.run_path(sys.argv[1])['both'](5)))"
    (tmp_path / "file").touch()
    assert (
        python_json(script, str(kernels), NUMBA_CACHE_DIR=str(tmp_path / "file" / "below"), NUMBA_DISABLE_JIT="1")
        == 130
    )
