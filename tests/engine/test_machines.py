"""Unusual machines: no cache folder, numba's compiler switched off, a cold start. Each in a process of its own."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.processes import python_json

PLAY = """
import json, sys
from bot.engine.agent import Limit
from bot.agents.catalogue import make_agent
from bot.engine.warmup import warm_up
from bot.game import Board
agent = make_agent("depth3")
imported_numba = "numba" in sys.modules
warm_up(agent)
decision = agent.choose(Board(), Limit(think_s=0.1))
print(json.dumps([decision.column, imported_numba]))
"""


def test_without_any_writable_folder_it_still_plays(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("a file where the folder should be")
    nowhere = str(blocked / "below")
    column, imported_numba = python_json(
        PLAY, HOME=nowhere, XDG_CACHE_HOME=nowhere, NUMBA_CACHE_DIR=nowhere, TMPDIR=nowhere
    )
    assert 0 <= column <= 6
    assert not imported_numba


def test_a_cold_start_compiles_and_the_next_one_loads(tmp_path):
    def compiled() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb?")}

    python_json(PLAY, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    kernels = compiled()
    python_json(PLAY, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert compiled() == kernels != {}, "nothing is compiled again"
    folders = list((tmp_path / "cache").iterdir())
    assert [folder.name.startswith("kernels-") for folder in folders] == [True]


def test_the_cache_folder_is_named_by_the_sources(tmp_path, monkeypatch):
    from bot.engine.jit import compiling

    assert len(compiling.source_hash()) == 16
    before = compiling.source_hash()
    monkeypatch.setattr("numba.__version__", "0.0.0")
    assert compiling.source_hash() != before
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert compiling.cache_directory() == tmp_path / f"kernels-{compiling.source_hash()}"


def test_the_solver_is_compiled_even_where_numba_is_told_not_to():
    script = "import json\nfrom bot.engine.kernels.solve import search\nprint(json.dumps(len(search.overloads)))"
    assert python_json(script, NUMBA_DISABLE_JIT="1") == 1


def test_kernels_that_were_not_used_for_long_are_deleted_in_the_programs_own_folder_only(tmp_path, monkeypatch):
    from bot.engine.jit import compiling

    old, recent, other = (tmp_path / name for name in ("kernels-old", "kernels-recent", "something-else"))
    month_ago = time.time() - 31 * 24 * 3600
    for folder in (old, recent, other):
        (folder / "below").mkdir(parents=True)
    for folder in (old, other):
        os.utime(folder, (month_ago, month_ago))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    current = compiling.cache_directory()
    assert current is not None and old.is_dir(), "a folder of somebody's choice is left alone"
    os.utime(current, (month_ago, month_ago))
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda _name: str(tmp_path))
    assert compiling.cache_directory() == current
    assert sorted(tmp_path.iterdir()) == sorted([current, recent, other])
    assert current.stat().st_mtime > month_ago + 3600


@pytest.mark.parametrize("cells", [0, 1, 1 << 48, (1 << 49) - 1, 0x155555555555])
def test_the_popcount_instruction_counts_bits(cells):
    import numba

    from bot.engine.jit.bits import popcount

    @numba.njit
    def count(value):
        return popcount(value)

    assert count(cells) == cells.bit_count()
