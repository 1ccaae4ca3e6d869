"""Generators and files of positions; the sets are pinned, because committed results stand on them."""

from __future__ import annotations

import hashlib
import json
import random
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.game import Board
from bot.lab.positions import (
    all_openings,
    digest,
    mirror_key,
    opening_set,
    random_opening,
    random_position,
    read_positions,
)
from tests.lab.public_set import draw_positions, write_positions


def pin(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:20]


def test_the_generators_give_the_positions_of_the_committed_results() -> None:
    assert pin(all_openings(4)) == "d9b2c38fda5d16e89a0a"
    assert pin(draw_positions(200, 1)) == "47dd83d7029a07084f17"
    assert pin(draw_positions(80, 7)) == "867b21c335bd304b72d3"
    assert [pin(opening_set(*arguments)) for arguments in ((4, 100, "a/1"), (8, 200, 0), (41, 4, 1), (42, 2, 1))] == [
        "b3cef7e34e0c8480b973",
        "38616677489b4a01c42a",
        "21616e55515c6b0311e1",
        "7cfdecdc2576c808afdd",
    ]
    openings = [random_opening(plies, seed) for plies in (0, 1, 5, 20, 40, 42) for seed in (0, 1, "x")]
    assert pin(openings) == "82149d46b6de1aeb0a52"
    assert digest(read_positions()) == "eccb2b744c1d5918"


@pytest.mark.parametrize("plies", range(5))
def test_all_openings_are_all_positions_without_mirror_images(plies: int) -> None:
    boards = {Board.from_moves(columns) for columns in product(range(7), repeat=plies)}
    openings = [Board.from_moves(columns) for columns in all_openings(plies)]
    assert len(openings) == len({frozenset({board, board.mirror()}) for board in boards})
    assert {side for board in openings for side in (board, board.mirror())} == boards


@given(st.integers(0, 41), st.integers(0, 10_000))
def test_a_position_and_its_mirror_image_have_one_key(plies: int, seed: int) -> None:
    columns = random_position(plies, random.Random(seed))
    board = Board.from_moves(columns)
    assert len(columns) == plies and not board.is_over
    assert mirror_key(board) == mirror_key(board.mirror()) == mirror_key(Board.from_moves(6 - c for c in columns))
    other = Board.from_moves(random_position(plies, random.Random(seed + 1)))
    assert (mirror_key(other) == mirror_key(board)) == (other in {board, board.mirror()})


def test_a_file_that_was_written_is_read_again_by_the_judge_and_the_bench(tmp_path: Path) -> None:
    from bot.trials.bench import positions as bench

    some = read_positions()[::100]
    write_positions(tmp_path / "set.txt", some, "a part")
    assert read_positions(tmp_path / "set.txt") == some
    read = bench.read_positions(tmp_path / "set.txt")
    assert [(each.columns, each.score, each.board) for each in read] == [(p.columns, p.best, p.board) for p in some]
