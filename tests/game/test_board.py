"""The board against the plain grid of the embedded server, and every kind of impossible board."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.course.server import rules
from bot.errors import BoardError
from bot.game import Board
from bot.game.board import completing_cells, four_cells


def grid_of(text: str) -> list[list[int]]:
    """Return a grid from its rows, the top one first, in the characters X (1), O (-1) and full stop."""
    rows = [[{"X": 1, "O": -1, ".": 0}[cell] for cell in row] for row in text.split()]
    return [[0] * 7] * (6 - len(rows)) + rows


def bit(column: int, row: int) -> int:
    return 1 << (7 * column + row)


@given(st.lists(st.integers(0, 6), max_size=60), st.sampled_from((1, -1)))
def test_the_bitboard_is_the_plain_grid(choices, to_move):
    board, grid, player = Board(), rules.empty_grid(), 1
    for column in choices:
        if board.is_over or column not in rules.playable(grid):
            continue
        wins = board.wins_with(column)
        board = board.play(column)
        rules.drop(grid, column, player)
        assert wins == board.has_winner == rules.has_four(grid, player)
        player = -player
        assert board.to_grid(player) == grid
        assert board.has_winner or list(board.legal_columns()) == rules.playable(grid)
    assert board.ply == sum(cell != 0 for row in grid for cell in row)
    assert [column for column in range(-1, 8) if board.can_play(column)] == rules.playable(grid)
    assert Board.from_grid(board.to_grid(to_move), to_move) == board
    assert board.mirror().to_grid() == [row[::-1] for row in board.to_grid()]
    cells = [bit(column, row) for column in range(7) for row in range(6)]
    completing = sum(cell for cell in cells if not board.mask & cell and four_cells(board.current | cell))
    assert completing_cells(board.current, board.mask) == completing


def test_four_cells_do_not_wrap_from_one_column_into_the_next_and_one_disc_may_complete_two_fours():
    assert Board.from_grid(grid_of("...X... OOXOXOO OXXOXXO XXOOOXX"), -1).winning_cells.bit_count() == 7
    assert four_cells(bit(0, 4) | bit(0, 5) | bit(1, 0) | bit(1, 1)) == 0
    assert not Board.from_moves("213121151615").wins_with(0), "three in a row below the top end of a full column"
    assert four_cells(bit(3, 0) | bit(4, 0) | bit(5, 0) | bit(0, 1)) == 0


def test_what_is_not_the_number_of_a_column_or_not_within_the_columns_is_refused():
    for column in (None, 3.0, [3], np.zeros(2, int), np.zeros((2, 2), int)):
        with pytest.raises(BoardError, match="not the number of a column"):
            Board().play(column)  # type: ignore[arg-type]
    for current, mask in ((0, bit(0, 6)), (bit(1, 0), 0), (0, bit(0, 1)), (0, 1 << 49)):
        with pytest.raises(BoardError, match="outside its columns"):
            Board(current, mask).validate()


EMPTY = grid_of("")


@pytest.mark.parametrize(
    ("grid", "to_move", "why"),
    [
        (None, 1, "not 6 rows of 7"),
        ([*EMPTY[:5], [0] * 6], 1, "not 6 rows of 7"),
        *(([*EMPTY[:5], [cell] * 7], 1, f"contains {cell!r}") for cell in (2, None, 0.5)),
        (grid_of("...X... ....... ...O..."), 1, "column 4 floats"),
        (grid_of("X......"), 1, "counts do not fit"),
        (grid_of("OOOO... XXXX..."), 1, "both sides have four"),
        (grid_of("OOO.... XXXX..O"), 1, "side to move already has four"),
        (grid_of("XXXX... OOOX... XXXO... OOOX... XXXXO.. OOOXOO."), -1, "no single last disc"),
    ],
    ids=str,
)
def test_an_impossible_grid_is_refused_with_a_next_step(grid, to_move, why):
    with pytest.raises(BoardError, match=why) as refused:
        Board.from_grid(grid, to_move)
    assert refused.value.hint.endswith(".")
