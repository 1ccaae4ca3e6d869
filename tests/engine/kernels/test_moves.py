"""What a move is worth by role, beside the same in plain Python."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bot.engine.jit.bits import EVEN_ROWS, FULL, playable_cells
from bot.engine.jit.vectors import STEPS
from bot.engine.kernels import moves
from bot.engine.kernels.moves import MOVE_WORDS, MOVES, counted_lines
from bot.game import Board
from tests.engine.kernels.test_bounds import fours
from tests.engine.positions import sample


def lines_through(board: Board, cell: int) -> int:
    """Return the directions in which a cell lies on a four with a disc of the side to move and none of the other."""
    opponent = board.current ^ board.mask
    found = 0
    for step in STEPS:
        lines = [line for line in fours() if line[1] - line[0] == step and cell in line]
        discs = [sum(1 << place for place in line) for line in lines]
        found += any(line & opponent == 0 and line & board.current for line in discs)
    return found


@pytest.mark.parametrize("board", sample(10, 4, 30))
def test_lines_are_counted_by_direction(board):
    digits = counted_lines(board.current, board.mask)
    for cell in (column * 7 + row for column in range(7) for row in range(6)):
        count = sum((digit >> cell & 1) << place for place, digit in enumerate(digits))
        assert count == lines_through(board, cell)


@pytest.mark.parametrize("beta", [0, 1])
@pytest.mark.parametrize("board", sample(10, 9, 34, seed=2))
def test_a_rating_is_the_sum_of_what_counts(board, beta):
    chance = random.Random(board.mask)
    workspace = np.zeros(moves.WORKSPACE_WORDS, dtype=np.int64)
    moves.reset_history(workspace, 0)
    expected = []
    end = MOVES
    for column in board.legal_columns():
        after = board.play(column).mask
        cell = after ^ board.mask
        made, threats = (chance.getrandbits(49) & FULL & ~after for _ in range(2))
        sign = chance.choice([-1, 1])
        workspace[end : end + MOVE_WORDS] = made, cell, 0, after, threats, 0, 0, sign
        end += MOVE_WORDS
        above = playable_cells(after) << 1
        rating = moves.THREAT * made.bit_count() + moves.NEXT_THREAT * (made & above).bit_count()
        rating -= moves.CENTRE * abs(3 - column)
        is_even = board.ply % 2 == 1 and cell & EVEN_ROWS != 0
        if beta < 1 or board.ply > moves.LAST_PLY_OF_LINES:
            rating += moves.DEFENDERS_TEMPO * (sign > 0) + moves.DEFENDERS_EVEN_ROW * is_even
        else:
            safe = playable_cells(after) & ~(threats >> 1)
            rating += moves.TEMPO * (sign > 0) + moves.EVEN_ROW * is_even
            rating += moves.LINE * lines_through(board, cell.bit_length() - 1) - moves.REPLY * safe.bit_count()
        expected.append(rating)
    moves.rate_moves(workspace, MOVES, end, board.current, board.mask, board.ply, beta)
    assert workspace[MOVES:end:MOVE_WORDS].tolist() == expected


def test_a_searched_move_keeps_its_place_behind_all_others():
    workspace = np.zeros(moves.WORKSPACE_WORDS, dtype=np.int64)
    workspace[MOVES] = moves.SEARCHED
    moves.rate_moves(workspace, MOVES, MOVES + MOVE_WORDS, 0, 0, 0, 1)
    assert workspace[MOVES] == moves.SEARCHED
