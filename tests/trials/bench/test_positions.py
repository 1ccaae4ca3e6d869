"""Positions for measurements: random ones by seed, and files of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cli.app import run
from bot.errors import ExitCode, UsageError
from bot.game import Board, format_moves
from bot.trials.bench.positions import random_positions, read_positions


@settings(max_examples=40)
@given(st.integers(0, 41), st.integers(0, 10**6))
def test_random_positions_are_unfinished_of_their_ply_and_repeat(ply: int, seed: int) -> None:
    positions = random_positions(ply, 2, seed)
    assert positions == random_positions(ply, 2, seed)
    for position in positions:
        assert Board.from_moves(position.columns) == position.board
        assert position.board.ply == ply
        assert not position.board.is_over


def test_other_seeds_and_plies_give_other_positions() -> None:
    assert random_positions(12, 5, 1) != random_positions(12, 5, 2)
    assert random_positions(12, 9, 1)[:5] == random_positions(12, 5, 1)
    assert len({position.board for position in random_positions(12, 50, 1)}) == 50


def test_a_file_of_positions_is_read_in_order_with_or_without_scores(tmp_path: Path) -> None:
    path = tmp_path / "set"
    path.write_text("# made by hand\n44 2 random\n\nddc\n 1\n123\t\n", encoding="utf-8")
    found = read_positions(path)
    assert [(format_moves(position.columns), position.score) for position in found] == [
        ("44", 2), ("443", None), ("", 1), ("123", None),
    ]  # fmt: skip
    assert read_positions(path, 2) == found[:2]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        pytest.param("44 2\n48 1\n", "line 2: '8' at place 2 is not a column.", id="no column"),
        pytest.param("4444444 0\n", "line 1: Move 7 is not legal: Column 4 is full.", id="full column"),
        pytest.param("4141414 0\n", "line 1: The game is over in this position.", id="finished"),
        pytest.param("41414144 0\n", "line 1: Move 8 comes after the game has ended.", id="after the end"),
        pytest.param("44 two\n", "line 1: 'two' is not a score.", id="no score"),
        pytest.param("# nothing\n", "contains no position", id="nothing in it"),
    ],
)
def test_impossible_lines_are_named_and_refused(capsys, tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "set"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError) as refused:
        read_positions(path)
    assert complaint in str(refused.value)
    assert run(["bench", "solver", "--file", str(path)]) == ExitCode.USAGE
    told = capsys.readouterr()
    assert told.out == ""
    assert complaint in told.err


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"], ids=["missing", "no text"])
def test_an_unreadable_file_is_one_sentence(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "set"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match="cannot be read"):
        read_positions(path)
