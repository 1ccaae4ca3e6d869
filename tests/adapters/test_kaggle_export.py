"""Kaggle's submission: unpacked into a folder and executed as Kaggle does, alone in a fresh, isolated interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from bot.cli.app import run
from bot.errors import ExitCode

ARENA = Path(__file__).with_name("kaggle_arena.py")
MOST_BYTES = 420_000


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kaggle") / "submission.tar.gz"
    assert run(["export", "kaggle", "--out", str(path)]) == ExitCode.DONE
    return path


@pytest.fixture(scope="module")
def main(archive: Path) -> Path:
    """Its main.py, unpacked."""
    with tarfile.open(archive) as file:
        file.extractall(archive.parent / "agent")
    return archive.parent / "agent" / "main.py"


def python(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run an interpreter that knows neither this folder nor a folder in which compiled kernels can be kept."""
    nowhere = {**os.environ, "NUMBA_CACHE_DIR": str(ARENA / "no-folder")}
    command = [sys.executable, "-I", *arguments]
    return subprocess.run(command, cwd=folder, env=nowhere, capture_output=True, text=True, check=False)


def arena(main: Path, games: int, folder: Path) -> dict[str, Any]:
    done = python(str(ARENA), str(main), str(games), "2.0", "7", folder=folder)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    assert Path(answer["package"]).parents[1] == main.parent, "it plays with what the archive holds"
    return answer


def test_the_archive_is_small_and_names_no_user(archive: Path) -> None:
    assert 300_000 < archive.stat().st_size < MOST_BYTES
    with tarfile.open(archive) as file:
        entries = file.getmembers()
    assert "main.py" in [entry.name for entry in entries]
    assert {entry.uname for entry in entries} == {""}
    assert not [entry.name for entry in entries if "cache" in entry.name and entry.isdir()]


def test_it_wins_alone_where_no_compiled_kernel_can_be_kept(main: Path, tmp_path: Path) -> None:
    """Played from another folder, too: its own is on the path only while main.py is executed."""
    answer = arena(main, 2, tmp_path)
    assert answer["results"] == [1.0, 1.0]


BOOK_ONLY = """
import sys
from pathlib import Path
exec(compile(Path("main.py").read_text(encoding="utf-8"), "<string>", "exec"), space := {})
agent = [value for value in space.values() if callable(value)][-1]
heavy = {"numba", "numpy"} & set(sys.modules)
print(agent({"board": [0] * 42, "mark": 1}, {}), heavy)
"""


def test_the_first_move_needs_no_compiled_kernel(main: Path) -> None:
    """Executed without the file's name, as old versions of Kaggle's package do, in its folder."""
    done = python("-c", BOOK_ONLY, folder=main.parent)
    assert done.stdout == "3 set()\n", done.stderr


def test_a_missing_package_is_named(main: Path) -> None:
    done = python("-c", "import sys; sys.modules['numba'] = None" + BOOK_ONLY, folder=main.parent)
    assert "This agent needs numba, which Kaggle's image has" in done.stderr.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_it_wins_20_games_at_kaggle_s_default_time(main: Path) -> None:
    assert arena(main, 20, main.parent)["results"] == [1.0] * 20


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    assert run(["export", "kaggle", "--out", str(tmp_path)]) == ExitCode.USAGE
