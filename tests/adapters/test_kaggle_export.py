"""Kaggle's submission: unpacked into a folder and executed as Kaggle does, alone in a fresh, isolated interpreter."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from bot.cli.app import run
from bot.errors import ExitCode
from bot.game import Board


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the unpacked archive."""
    folder = tmp_path_factory.mktemp("kaggle")
    archive = folder / "submission.tar.gz"
    assert run(["export", "kaggle", "--out", str(archive)]) == ExitCode.DONE
    assert 300_000 < archive.stat().st_size < 420_000
    with tarfile.open(archive) as file:
        assert {entry.uname for entry in file.getmembers()} == {""}
        file.extractall(folder)
    return folder


def python(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run an interpreter that knows neither this folder nor a folder in which compiled kernels can be kept."""
    nowhere = {**os.environ, "NUMBA_CACHE_DIR": str(Path(__file__) / "no-folder")}
    command = [sys.executable, "-I", *arguments]
    return subprocess.run(command, cwd=folder, env=nowhere, capture_output=True, text=True, check=False)


def test_the_archive_holds_all_that_its_modules_import(agent):
    files = [path.relative_to(agent).as_posix() for path in agent.rglob("*.py")]
    modules = {re.sub(r"(/__init__)?\.py$", "", name).replace("/", ".") for name in files}
    texts = [(agent / name).read_text(encoding="utf-8") for name in files]
    imported = {name for text in texts for name in re.findall(r"^ *from (bot[.\w]*) import", text, re.M)}
    assert imported - modules == {"bot.api", "bot.files"}, "which no game needs"
    assert not [path for path in agent.rglob("*cache*") if path.is_dir()]


MOVE = """
import json, sys
from pathlib import Path
main, place, board, mark = sys.argv[1:]
sys.path.insert(0, place)
exec(compile(Path(main).read_text(encoding="utf-8"), "<string>", "exec"), space := {})
sys.path.remove(place)
agent = [value for value in space.values() if callable(value)][-1]
heavy = {"numba", "numpy"} & set(sys.modules)
column = agent({"board": json.loads(board), "mark": int(mark)}, {})
print(column, heavy, Path(sys.modules["bot"].__file__).parents[1])
"""
EMPTY = str([0] * 42)


def test_the_first_move_needs_no_compiled_kernel_and_a_missing_package_is_named(agent):
    """Executed without the file's name, as old versions of Kaggle's package do, in its folder."""
    arguments = ("main.py", "no-folder", EMPTY, "1")
    done = python("-c", MOVE, *arguments, folder=agent)
    assert done.stdout == f"3 set() {agent}\n", done.stderr
    done = python("-c", f"import sys; sys.modules['numba'] = None{MOVE}", *arguments, folder=agent)
    assert "This agent needs numba, which Kaggle's image has" in done.stderr.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_beyond_the_book_it_compiles_its_kernels_where_none_can_be_kept(agent, tmp_path):
    """Called from another folder: its own is on the path only while main.py is executed."""
    cells = str([cell % 3 for row in Board.from_moves("3344555546").to_grid() for cell in row])
    done = python("-c", MOVE, str(agent / "main.py"), str(agent), cells, "1", folder=tmp_path)
    assert done.stdout == f"1 set() {agent}\n", done.stderr
