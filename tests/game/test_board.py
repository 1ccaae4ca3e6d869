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

DRAWN = "257771314744647214154617633623313656555222"
"""A full game of 42 discs without a four."""

EMPTY_ROW = [0] * 7


def grid_of(*bottom_rows: str) -> list[list[int]]:
    """Return a grid from its lowest rows, top first, in the characters X (1), O (-1) and full stop."""
    rows = [[{"X": 1, "O": -1, ".": 0}[cell] for cell in row] for row in bottom_rows]
    return [EMPTY_ROW] * (6 - len(rows)) + rows


@st.composite
def games(draw: st.DrawFn) -> list[int]:
    """Return the legal columns of a game, finished or not."""
    board, columns = Board(), []
    for choice in draw(st.lists(st.integers(0, 6), max_size=42)):
        legal = board.legal_columns()
        if board.is_over:
            break
        columns.append(legal[choice % len(legal)])
        board = board.play(columns[-1])
    return columns


def bit(column: int, row: int) -> int:
    return 1 << (7 * column + row)


@given(games())
def test_the_bitboard_is_the_plain_grid(columns):
    board, grid, player = Board(), rules.empty_grid(), 1
    for column in columns:
        assert list(board.legal_columns()) == rules.playable(grid)
        board = board.play(column)
        rules.drop(grid, column, player)
        player = -player
        assert board.to_grid(to_move=player) == grid
        assert board.has_winner == rules.has_four(grid, -player)
        assert not four_cells(board.current)
    assert board.ply == len(columns) == sum(cell != 0 for row in grid for cell in row)
    assert board.is_full == (not rules.playable(grid))
    assert board == Board.from_moves(columns)


@given(games(), st.sampled_from((1, -1)))
def test_a_grid_becomes_a_board_and_the_same_grid_again(columns, to_move):
    board = Board.from_moves(columns)
    grid = board.to_grid(to_move)
    assert Board.from_grid(grid, to_move) == board
    assert Board.from_grid(grid, to_move).to_grid(to_move) == grid


@given(games())
def test_mirroring_turns_the_columns_round(columns):
    board = Board.from_moves(columns)
    assert board.mirror() == Board.from_moves(6 - column for column in columns)
    assert board.mirror().mirror() == board
    assert board.mirror().to_grid() == [row[::-1] for row in board.to_grid()]


@given(games())
def test_completing_cells_are_those_that_a_disc_would_turn_into_four(columns):
    board = Board.from_moves(columns)
    expected = 0
    for column in range(7):
        for row in range(6):
            cell = bit(column, row)
            if not board.mask & cell and not four_cells(board.current) and four_cells(board.current | cell):
                expected |= cell
    assert completing_cells(board.current, board.mask) == expected
    for column in board.legal_columns():
        assert board.wins_with(column) == board.play(column).has_winner


def test_a_new_board_is_empty_and_the_first_player_moves():
    board = Board()
    assert board.to_grid() == [EMPTY_ROW] * 6
    assert (board.ply, board.is_over, board.legal_columns()) == (0, False, (0, 1, 2, 3, 4, 5, 6))


@pytest.mark.parametrize(
    ("moves", "cells"),
    [
        ("1122334", [(0, 0), (1, 0), (2, 0), (3, 0)]),
        ("1212121", [(0, 0), (0, 1), (0, 2), (0, 3)]),
        ("12233434474", [(0, 0), (1, 1), (2, 2), (3, 3)]),
        ("76655454414", [(6, 0), (5, 1), (4, 2), (3, 3)]),
    ],
)
def test_a_four_is_seen_in_every_direction(moves, cells):
    board = Board.from_moves(int(move) - 1 for move in moves)
    assert board.has_winner
    assert board.is_over
    assert board.winning_cells == sum(bit(*cell) for cell in cells)
    assert board.legal_columns() == ()


def test_four_cells_do_not_wrap_from_one_column_into_the_next():
    assert four_cells(bit(0, 4) | bit(0, 5) | bit(1, 0) | bit(1, 1)) == 0
    assert four_cells(bit(3, 0) | bit(4, 0) | bit(5, 0) | bit(0, 1)) == 0


def test_a_full_board_without_a_four_is_a_draw():
    board = Board.from_moves(int(move) - 1 for move in DRAWN)
    assert (board.ply, board.is_full, board.is_over, board.has_winner) == (42, True, True, False)
    assert board.legal_columns() == ()
    assert Board.from_grid(board.to_grid()) == board


@pytest.mark.parametrize("column", [-1, 7, 100])
def test_a_column_that_is_not_there_is_refused(column):
    assert not Board().can_play(column)
    with pytest.raises(BoardError, match="no column"):
        Board().play(column)


@pytest.mark.parametrize("column", [None, "4", 3.0, [3], np.zeros(2, int), np.zeros((2, 2), int)], ids=repr)
def test_what_is_not_the_number_of_a_column_is_refused(column):
    with pytest.raises(BoardError, match="not the number of a column"):
        Board().play(column)
    with pytest.raises(BoardError, match="not the number of a column"):
        Board.from_moves([3, column])


def test_a_full_column_is_refused():
    board = Board.from_moves([2] * 6)
    assert not board.can_play(2)
    with pytest.raises(BoardError, match="Column 3 is full"):
        board.play(2)


def test_moves_after_the_end_are_refused_by_number():
    with pytest.raises(BoardError, match="Move 8 comes after"):
        Board.from_moves([0, 1, 0, 1, 0, 1, 0, 1])


@pytest.mark.parametrize(
    ("grid", "to_move", "why"),
    [
        pytest.param([], 1, "not 6 rows of 7", id="nothing"),
        pytest.param([EMPTY_ROW] * 7, 1, "not 6 rows of 7", id="seven rows"),
        pytest.param([[0] * 6] * 7, 1, "not 6 rows of 7", id="turned"),
        pytest.param([EMPTY_ROW] * 5 + [[0] * 6], 1, "not 6 rows of 7", id="short row"),
        pytest.param([EMPTY_ROW] * 5 + [[2, 0, 0, 0, 0, 0, 0]], 1, "contains 2", id="wrong number"),
        pytest.param([EMPTY_ROW] * 5 + [["X", 0, 0, 0, 0, 0, 0]], 1, "contains 'X'", id="letter"),
        pytest.param([EMPTY_ROW] * 5 + [[None, 0, 0, 0, 0, 0, 0]], 1, "contains None", id="null"),
        pytest.param([EMPTY_ROW] * 5 + [[0.5, 0, 0, 0, 0, 0, 0]], 1, "contains 0.5", id="fraction"),
        pytest.param(grid_of("X......", "......O"), 1, "column 1 floats", id="floating"),
        pytest.param(grid_of("...X...", ".......", "...O..."), 1, "column 4 floats", id="gap"),
        pytest.param(grid_of("XX....."), -1, "counts do not fit", id="imbalance"),
        pytest.param(grid_of("X......"), 1, "counts do not fit", id="wrong side to move"),
        pytest.param(grid_of("OX....."), -1, None, id="equal counts, either side may have begun"),
        pytest.param(grid_of("OOOO...", "XXXX..."), 1, "both sides have four", id="two winners"),
        pytest.param(grid_of("OOO....", "XXXX..O"), 1, "side to move already has four", id="winner to move"),
    ],
)
def test_a_malformed_grid_is_refused_in_one_sentence(grid, to_move, why):
    if why is None:
        assert Board.from_grid(grid, to_move).to_grid(to_move) == grid
        return
    with pytest.raises(BoardError, match=why) as caught:
        Board.from_grid(grid, to_move)
    assert caught.value.message.endswith(".")
    assert "\n" not in str(caught.value)


def test_two_fours_that_no_single_last_disc_completes_are_refused():
    grid = grid_of("XXXX...", "OOOX...", "XXXO...", "OOOX...", "XXXXO..", "OOOXOO.")
    with pytest.raises(BoardError, match="no single last disc"):
        Board.from_grid(grid, to_move=-1)


def test_two_fours_with_one_last_disc_are_possible():
    board = Board.from_grid(grid_of("...X...", "OOXOXOO", "OXXOXXO", "XXOOOXX"), to_move=-1)
    assert board.has_winner
    assert board.winning_cells.bit_count() == 7


@pytest.mark.parametrize(
    ("current", "mask"),
    [
        pytest.param(0, bit(0, 6), id="above the top"),
        pytest.param(bit(1, 0), 0, id="disc outside the mask"),
        pytest.param(0, bit(0, 1), id="floating"),
        pytest.param(0, 1 << 49, id="beyond the last column"),
    ],
)
def test_bits_outside_the_columns_are_refused(current, mask):
    with pytest.raises(BoardError, match="outside its columns"):
        Board(current, mask).validate()


def test_boards_are_values():
    assert Board.from_moves([3, 2]) == Board.from_moves([3, 2])
    assert len({Board.from_moves([0, 1, 2]), Board.from_moves([2, 1, 0])}) == 1
    with pytest.raises(AttributeError):
        Board().mask = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    "grid",
    [
        [EMPTY_ROW] * 5,
        grid_of("X......", "......."),
        grid_of("XX....."),
        grid_of("XXXX...", "OOO...."),
    ],
    ids=["size", "floating", "counts", "four"],
)
def test_a_grid_that_is_refused_comes_with_a_next_step(grid):
    with pytest.raises(BoardError) as refused:
        Board.from_grid(grid)
    assert refused.value.hint
