"""The web AI of rmarcus.info, move for move."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.agents.family import make_paper_agent
from bot.agents.kernels import rmarcus as kernels
from bot.engine.agent import Limit
from bot.engine.jit.bits import FULL
from bot.game import Board
from tests.agents import reference
from tests.engine.positions import boards

UNLIMITED = Limit(hard_s=math.inf)
FIRST_REPLIES = {1: "3 3 2 3 4 3 3", 2: "1 1 3 3 3 5 1", 3: "3 3 3 3 3 3 3", 4: "3 5 2 3 4 1 3"}
GAMES = """\
1: 4 1 6 4 0 4 2 0 -> 4 4 4 3 1 1 1 1 computer
1: 2 2 1 0 0 3 5 0 5 2 -> 2 2 3 3 3 3 3 1 0 1 computer
1: 4 5 6 3 -> 4 4 4 human
2: 5 4 4 6 1 6 6 6 3 5 -> 5 5 4 3 4 1 6 1 4 4 computer
2: 6 6 0 6 2 5 3 2 1 5 4 -> 1 6 0 5 5 5 5 2 2 2 2 computer
3: 5 3 0 0 3 0 2 4 2 0 1 2 2 6 1 4 5 4 6 -> 3 3 3 3 0 4 0 5 4 5 1 2 4 1 1 1 5 5 2 computer"""


@pytest.mark.parametrize("depth", FIRST_REPLIES)
def test_the_replies_to_every_first_column(depth: int) -> None:
    agent = make_paper_agent(f"rmarcus:{depth}")
    replies = [agent.choose(Board.from_moves([column]), UNLIMITED).column for column in range(7)]
    assert " ".join(map(str, replies)) == FIRST_REPLIES[depth]


@pytest.mark.parametrize("line", GAMES.splitlines())
def test_a_game_of_the_original(line: str) -> None:
    depth, human, replies = line.replace(":", " ->").split(" -> ")
    *expected, winner = replies.split()
    agent = make_paper_agent(f"rmarcus:{depth}")
    board, played = Board(), []
    for column in map(int, human.split()):
        board = board.play(column)
        if not board.is_over:
            played.append(str(agent.choose(board, UNLIMITED).column))
            board = board.play(int(played[-1]))
    assert played == expected
    assert board.has_winner
    assert winner == ("human" if board.ply % 2 else "computer")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=7))
def test_equal_items_end_where_smoothsort_leaves_them(keys: list[int]) -> None:
    items = np.array([key * 8 + place for place, key in enumerate(keys)], dtype=np.int64)
    kernels.smoothsort(items, np.zeros(7, dtype=np.int64), len(keys))
    assert [int(item) & 7 for item in items] == reference.smoothsort(keys)
    assert [int(item) >> 3 for item in items] == sorted(keys)


@settings(max_examples=25, deadline=None)
@given(board=boards(), depth=st.integers(1, 3))
def test_the_column_equals_the_plain_python_column(board: Board, depth: int) -> None:
    grid, _ = reference.grid_of(board)
    decision = make_paper_agent(f"rmarcus:{depth}").choose(board, UNLIMITED)
    assert decision.column == reference.web_column(grid, depth)


def test_the_bin_is_the_low_word_of_the_hash() -> None:
    board = Board.from_moves([3, 3, 4])
    cells = {(3, 0): 2, (3, 1): 1, (4, 0): 2}
    hashed = 14695981039346656037
    for x in range(7):
        for y in range(6):
            hashed ^= cells.get((x, y), -1) % (1 << 64)
            hashed = hashed * 1099511628211 % (1 << 64)
    assert kernels.bin_of(board.opponent, board.current) == hashed % (1 << 32) % 32000


def test_a_full_bin_stays_as_it_is_and_a_known_board_is_appended_again() -> None:
    table = np.zeros((1, 1 + 2 * kernels.ENTRIES), dtype=np.int64)
    for _ in range(4):
        kernels.store(table, 0, 77, 5)
    for board in range(100, 110):
        kernels.store(table, 0, board, board)
    assert table[0, 0] == 10
    assert kernels.find(table, 0, 77) == 0
    assert kernels.find(table, 0, 105) == 9
    assert kernels.find(table, 0, 106) == -1


def test_four_in_a_row_by_the_last_disc_counts_0() -> None:
    full_with_four = (1 << 49) - 1 & FULL
    from bot.agents.papers.rmarcus import PROGRAM

    assert kernels.static_value(full_with_four, 0, PROGRAM.evaluate, PROGRAM.rules) == 0
    assert kernels.static_value(0b1111, 0, PROGRAM.evaluate, PROGRAM.rules) == 1000
    assert kernels.static_value(0, 0b1111, PROGRAM.evaluate, PROGRAM.rules) == -1000
