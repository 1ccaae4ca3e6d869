"""The doctor on the engine: its cache, the solver's scores, the time for a move, the book."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli.checks import engine
from bot.cli.checks.check_result import guarded
from bot.engine.book.lookup import Book, from_scores
from tests.cli.checks.findings import only


def check_cache_with(**env: str) -> str:
    script = "from bot.cli.checks.engine import check_cache; f, = check_cache(); print(f.state, f.text, f.next_step)"
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, **env}, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_the_cache_is_there_or_cannot_be_written(tmp_path: Path) -> None:
    fresh = check_cache_with(NUMBA_CACHE_DIR=str(tmp_path / "fresh"))
    assert fresh.startswith("ok")
    assert f"{tmp_path}/fresh/kernels-" in fresh
    assert "nothing compiled yet" in fresh
    (tmp_path / "file").touch()
    blocked = check_cache_with(NUMBA_CACHE_DIR=str(tmp_path / "file"))
    assert blocked.startswith("warning")
    assert f"{tmp_path}/file" in blocked
    assert "Set NUMBA_CACHE_DIR" in blocked


def test_a_first_start_is_said_to_compile(tmp_path: Path) -> None:
    """What is compiled while modules are imported counts too."""
    script = "from bot.cli.checks.engine import check_engine; f, = check_engine(); print(f.text)"
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    texts = [subprocess.check_output([sys.executable, "-c", script], env=env, text=True) for _ in range(2)]
    assert [text.split(" in ")[0] for text in texts] == ["compiled", "loaded from the cache"]
    compiled_s, loaded_s = (float(text.split(" in ")[1].split()[0]) for text in texts)
    assert compiled_s > loaded_s > 0


def test_wrong_scores_of_the_solver_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    assert only(engine.check_engine()).state in ("ok", "warning")
    monkeypatch.setattr(engine, "POSITIONS", tuple((moves, score + 1) for moves, score in engine.POSITIONS[:2]))
    result = only(engine.check_engine())
    assert (result.state, result.exit_code) == ("error", 1)
    assert "17117653653 has the score -1, not -2" in result.text


@pytest.mark.parametrize(
    ("late_s", "record_s", "level", "next_step"),
    [
        (0.0, 0.001, "ok", ""),
        (0.1, 0.07, "ok", ""),
        (0.1, 0.08, "warning", "End other programs before you play."),
        (0.3, 0.06, "error", "End other programs before you play."),
        (0.0, 2.0, "error", "Choose a --logs folder on a faster disk."),
    ],
)
def test_five_seconds_are_safe_by_the_stated_rule(
    late_s: float, record_s: float, level: str, next_step: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(engine, "_overrun_s", lambda: late_s)
    monkeypatch.setattr(engine, "_slowest_record_s", lambda _folder: record_s)
    result = only(engine.check_time(tmp_path))
    assert (result.state, result.next_step) == (level, next_step)
    assert "5 s" in result.text


def test_searches_really_are_cut_off(tmp_path: Path) -> None:
    result = only(engine.check_time(tmp_path))
    assert "cut off" in result.text
    assert engine._overrun_s() >= 0


@pytest.mark.parametrize("kind", ["missing", "whole", "damaged", "wrong"])
def test_the_book_is_missing_whole_damaged_or_wrong(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load = Book.load
    empty = from_scores({sum(1 << column * 7 for column in range(7)): -1 if kind == "wrong" else 1}, 0)

    def loaded() -> Book:
        if kind == "missing":
            raise FileNotFoundError
        blob = empty.to_bytes()
        return Book.from_bytes(blob[:-1] + b"\x07" if kind == "damaged" else blob)

    monkeypatch.setattr(Book, "load", loaded)
    result = only(guarded("book", engine.check_book))
    expected = {"missing": "warning", "whole": "ok", "damaged": "error", "wrong": "error"}[kind]
    assert result.state == expected, result
    assert load is not loaded
