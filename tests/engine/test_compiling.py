"""Compiled kernels: a cache that survives files that are cut off and full disks, and machines without one."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from bot.errors import ExitCode
from tests.processes import ROOT, bot, python_json

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
import errno, json, runpy, sys
from contextlib import contextmanager
from numba.core.caching import IndexDataCacheFile
from bot.engine.jit import compiling

def load():
    """Return the result of fresh kernels and how many of them came from the cache."""
    module = runpy.run_path(sys.argv[1])
    result = module["both"](5)
    return result, sum(sum(module[name].stats.cache_hits.values()) for name in ("both", "factorial"))

def files():
    return sorted(path for path in compiling.CACHE.rglob("*") if path.suffix in (".nbi", ".nbc"))

DAMAGES = [
    lambda content: b"",
    lambda content: content[:len(content) // 2],
    lambda content: bytes(len(content)),
]

assert load() == (130, 0), "a cold start"
assert load() == (130, 2), "a warm start"
whole = {path: path.read_bytes() for path in files()}
for path in (path for path in whole if "factorial" in path.name):
    for damage in DAMAGES:
        path.write_bytes(damage(whole[path]))
        result, hits = load()
        assert result == 130 and hits < 2, (path.name, result, hits)
        assert load() == (130, 2), "it must be in the cache again"
    path.unlink()
    path.mkdir()
    assert load()[0] == 130, "a folder in the file's place"
    path.rmdir()
    for one, content in whole.items():
        one.write_bytes(content)

@contextmanager
def full(self, path):
    raise OSError(errno.ENOSPC, "No space left on device")
    yield

IndexDataCacheFile._open_for_write = full
for path in whole:
    path.unlink()
print(json.dumps([len(whole), load(), len(files())]))
'''

ALONE = """
import json, runpy, sys
from bot.agents.catalogue import make_agent
agents = [make_agent(name) for name in ("depth3", "perfect", "level:3@time=1")]
is_light = "numba" not in sys.modules
print(json.dumps([is_light, runpy.run_path(sys.argv[1])["both"](5)]))
"""


@pytest.fixture
def kernels(tmp_path: Path) -> str:
    path = tmp_path / "kernels.py"
    path.write_text(KERNELS)
    return str(path)


def test_files_that_are_cut_off_are_compiled_again_and_a_full_disk_leaves_no_cache(tmp_path, kernels):
    places = {
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "NUMBA_CACHE_LOCATOR_CLASSES": "none",
    }  # the second is ignored
    assert python_json(DAMAGE, kernels, **places) == [4, [130, 0], 0]


def test_kernels_run_without_any_writable_folder_and_whatever_numba_is_told(tmp_path, kernels):
    """Making an agent loads no compiler."""
    blocked = str(tmp_path / "kernels.py" / "below")
    places = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR", "TMPDIR"), blocked)
    assert python_json(ALONE, kernels, NUMBA_DISABLE_JIT="1", **places) == [
        True,
        130,
    ]


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("NUMBA_OPT", "9", "value '9' could not be parsed"),
        ("NUMBA_CPU_FEATURES", "+avx,xyz", "begin with + or -, unlike '+avx,xyz'"),
    ],
)
def test_a_variable_that_numba_cannot_use_is_named_in_one_line(name, value, problem, tmp_path):
    done = bot("analyse", "17117653653", "--score-only", cwd=tmp_path, **{name: value})
    lines = [
        line for line in done.stderr.splitlines() if not line.startswith("Loading the engine")
    ]  # on a busy machine
    assert (done.returncode, done.stdout, len(lines)) == (ExitCode.USAGE, "", 1)
    assert problem in done.stderr and done.stderr.endswith(f"Correct or unset {name}.\n")


def test_the_cache_is_named_by_its_sources_and_only_old_folders_of_the_program_are_deleted(tmp_path, monkeypatch):
    from bot.engine.jit import compiling

    old, recent, other = (tmp_path / name for name in ("kernels-old", "kernels-recent", "something-else"))
    month_ago = time.time() - 31 * 24 * 3600
    for folder in (old, recent, other):
        (folder / "below").mkdir(parents=True)
        os.utime(folder, None if folder == recent else (month_ago, month_ago))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    current = compiling.cache_directory()
    assert current is not None and old.is_dir(), "a folder of somebody's choice is left alone"
    assert current == tmp_path / f"kernels-{compiling.source_hash()}"
    os.utime(current, (month_ago, month_ago))
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda _name: str(tmp_path))
    assert compiling.cache_directory() == current
    assert {*tmp_path.iterdir()} == {current, recent, other}
    assert current.stat().st_mtime > month_ago + 3600
    monkeypatch.setattr("numba.__version__", "0.0.0")
    assert compiling.cache_directory() != current


def test_the_cache_is_named_by_all_that_kernels_are_made_of(monkeypatch):
    from bot.engine.jit import compiling

    hashed: dict[str, str] = {}

    def read(path: Path) -> bytes:
        hashed[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
        return b"changed"

    before = compiling.source_hash()
    monkeypatch.setattr(Path, "read_bytes", read)
    assert compiling.source_hash() != before
    used = {
        name.replace(".", "/") for text in hashed.values() for name in re.findall(r"^from (bot[.\w]*) ", text, re.M)
    }
    assert {f"{name}.py" for name in used} - {"bot/errors.py"} <= hashed.keys()
    assert "bot/papers/windows.py" in hashed, "the evaluations of all papers share it"
