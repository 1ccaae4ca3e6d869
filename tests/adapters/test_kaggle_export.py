"""Kaggle's submission as a file: alone in a fresh, isolated interpreter, against the documented opponent."""

from __future__ import annotations

import ast
import json
import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.adapters.kaggle_export import MOST_BYTES, submission
from bot.cli.app import run
from bot.engine.perfect import shipped_book
from bot.errors import ExitCode
from bot.game import Board

ARENA = Path(__file__).with_name("kaggle_arena.py")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kaggle") / "submission.py"
    assert run(["export", "kaggle", "--out", str(path)]) == ExitCode.DONE
    return path


@pytest.fixture(scope="module")
def space(file: Path) -> dict[str, Any]:
    """The file's names, executed as Kaggle does."""
    names: dict[str, Any] = {}
    exec(compile(file.read_text(encoding="ascii"), str(file), "exec"), names)
    return names


def arena(file: Path, games: int, limit_s: float, seed: int, blocked: str = "-") -> dict[str, Any]:
    """Play in an interpreter without this package's path, in the file's own folder."""
    command = [sys.executable, "-I", str(ARENA), str(file), str(games), str(limit_s), str(seed), blocked]
    done = subprocess.run(command, cwd=file.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_the_file_is_small_and_imports_nothing_of_ours(file: Path) -> None:
    text = file.read_text(encoding="ascii")
    assert 100_000 < len(text) < MOST_BYTES
    imported = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    assert imported == {"__future__", "base64", "threading", "time", "zlib", "types", "typing", "numpy", "numba"}


def test_the_export_is_the_same_every_time(file: Path) -> None:
    assert submission() == file.read_text(encoding="ascii")


def test_the_file_s_book_is_the_package_s(space: dict[str, Any]) -> None:
    book, rng = shipped_book(), random.Random(3)
    assert book is not None
    for _ in range(300):
        board = Board()
        for _ in range(rng.randrange(book.plies + 1)):
            quiet = [column for column in board.legal_columns() if not board.play(column).is_over]
            board = board.play(rng.choice(quiet))
        assert space["book_score"](board.current, board.mask) == book.score(board)
    assert space["book_score"](*fields(Board.from_moves("4444441232"))) is None


def fields(board: Board) -> tuple[int, int]:
    return board.current, board.mask


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_file_s_search_is_the_engine_s(space: dict[str, Any], compiled: bool) -> None:
    """As plain Python and compiled: the same values at equal depth."""
    import numpy as np

    from bot.engine.kernels.search import INFINITY, TABLE_SIZE, WORKSPACE_WORDS, search

    found, flags = space["search"], (np.zeros(1, np.uint8), np.zeros(1, np.uint8))
    if compiled:
        space["compile_search"]()
        found = space["_loaded"]["compiled"][0]
    rng = random.Random(5)
    for _ in range(10):
        board = Board()
        for _ in range(rng.randrange(4, 20)):
            quiet = [column for column in board.legal_columns() if not board.play(column).is_over]
            board = board.play(rng.choice(quiet)) if quiet else board
        arguments = (*fields(board), board.ply, -INFINITY, INFINITY, min(40, board.ply + 4))
        ours, theirs = (
            function(*arguments, np.zeros(TABLE_SIZE, np.int64), np.zeros(WORKSPACE_WORDS, np.int64), *flags)
            for function in (search, found)
        )
        assert ours == theirs


@pytest.mark.parametrize("blocked", ["-", "numba"])
def test_it_wins_alone_in_a_fresh_interpreter(blocked: str, file: Path) -> None:
    answer = arena(file, 2, 0.4, 1, blocked)
    assert answer["results"] == [1.0, 1.0] and answer["bot"] == []
    assert answer["numba"] == (blocked == "-")


@pytest.mark.slow
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("blocked", ["-", "numba"])
def test_it_loses_none_of_20_games_at_kaggle_s_default_time(blocked: str, file: Path) -> None:
    answer = arena(file, 20, 2.0, 7, blocked)
    assert len(answer["results"]) == 20 and min(answer["results"]) >= 0.5


def test_another_board_gets_a_legal_column(space: dict[str, Any]) -> None:
    space["_loaded"].setdefault("thread", None)  # nothing to compile for this
    board = [0] * 30
    board[2] = 1
    assert space["agent"]({"board": board, "mark": 1}, {"inarow": 4, "columns": 5}) in (1, 3)


@pytest.mark.parametrize("kind", [dict, SimpleNamespace], ids=["keys", "attributes"])
def test_an_observation_may_have_keys_or_attributes(kind: Any, space: dict[str, Any]) -> None:
    """Kaggle's own has both; other runners have one of them."""
    space["_loaded"].setdefault("thread", None)
    board = [0] * 42
    board[-7:-4] = [1, 1, 1]
    configuration = kind(rows=6, columns=7, inarow=4, actTimeout=2)
    assert space["agent"](kind(board=board, mark=1), configuration) == 3
    assert space["agent"](kind(board=board, mark=2), kind()) == 3


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    assert run(["export", "kaggle", "--out", str(tmp_path)]) == ExitCode.USAGE
