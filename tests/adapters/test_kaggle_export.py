"""Kaggle's submission: unpacked into a folder and executed as Kaggle does, alone in a fresh, isolated interpreter."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from bot.cli.app import run
from bot.errors import ExitCode

ARENA = Path(__file__).with_name("kaggle_arena.py")


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
    nowhere = {**os.environ, "NUMBA_CACHE_DIR": str(ARENA / "no-folder")}
    command = [sys.executable, "-I", *arguments]
    return subprocess.run(command, cwd=folder, env=nowhere, capture_output=True, text=True, check=False)


def test_the_archive_holds_all_that_its_modules_import(agent):
    files = [path.relative_to(agent).as_posix() for path in agent.rglob("*.py")]
    modules = {re.sub(r"(/__init__)?\.py$", "", name).replace("/", ".") for name in files}
    texts = [(agent / name).read_text(encoding="utf-8") for name in files]
    imported = {name for text in texts for name in re.findall(r"^ *from (bot[.\w]*) import", text, re.M)}
    assert imported - modules == {"bot.api", "bot.files"}, "which no game needs"
    assert not [path for path in agent.rglob("*cache*") if path.is_dir()]


FIRST_MOVE = """
import sys
from pathlib import Path
exec(compile(Path("main.py").read_text(encoding="utf-8"), "<string>", "exec"), space := {})
agent = [value for value in space.values() if callable(value)][-1]
heavy = {"numba", "numpy"} & set(sys.modules)
print(agent({"board": [0] * 42, "mark": 1}, {}), heavy)
"""


def test_the_first_move_needs_no_compiled_kernel_and_a_missing_package_is_named(agent):
    """Executed without the file's name, as old versions of Kaggle's package do, in its folder."""
    done = python("-c", FIRST_MOVE, folder=agent)
    assert done.stdout == "3 set()\n", done.stderr
    done = python("-c", f"import sys; sys.modules['numba'] = None{FIRST_MOVE}", folder=agent)
    assert "This agent needs numba, which Kaggle's image has" in done.stderr.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_it_wins_20_games_at_kaggle_s_default_time_where_no_compiled_kernel_can_be_kept(agent, tmp_path):
    """Played from another folder: its own is on the path only while main.py is executed."""
    done = python(str(ARENA), str(agent / "main.py"), "20", "2.0", "7", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["results"] == [1.0] * 20
    assert Path(answer["package"]).parents[1] == agent, "it plays with what the archive holds"
