"""The bounds without search: never wrong, against scores that were found without them."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from bot.engine.jit.bits import playable_cells, winning_cells
from bot.engine.jit.compiling import kernel
from bot.engine.jit.vectors import STEPS, affordable_3, affordable_4
from bot.engine.kernels.bounds import NONE, first_has_odd_threat, second_follows_up, second_is_too_slow
from bot.game import Board, parse_moves
from tests.engine.positions import sample
from tests.engine.solved import fixture

CELLS = [column * 7 + row for column in range(7) for row in range(6)]


def fours() -> list[list[int]]:
    """Return the cells of each of the board's 69 fours."""
    lines = [[cell + place * step for place in range(4)] for cell in CELLS for step in STEPS]
    return [line for line in lines if all(cell in CELLS for cell in line)]


def is_too_slow(board: Board, moves: int) -> bool:
    """Ask the kernel; the second player is to move and cannot win at once."""
    first = board.current ^ board.mask
    threats = winning_cells(first, board.mask)
    return second_is_too_slow(first, board.current, playable_cells(board.mask), threats, moves)


def can_win_at_once(board: Board) -> bool:
    return bool(winning_cells(board.current, board.mask) & playable_cells(board.mask))


def may_be_asked(board: Board) -> bool:
    return board.ply % 2 == 1 and not can_win_at_once(board)


def bound_by_following_up(board: Board) -> int:
    """Return the upper bound of the score that the one who is not to move proves by following up, or NONE."""
    current, other = board.current, board.current ^ board.mask
    cells = playable_cells(board.mask), winning_cells(other, board.mask)
    if board.ply % 2:
        return -first_has_odd_threat(current, board.mask, *cells)
    return second_follows_up(current, other, board.mask, *cells)


@cache
def wins_within(board: Board, moves: int) -> bool:
    """Return whether the side to move can win with so many discs, by trying everything."""
    if can_win_at_once(board):
        return True
    return moves > 1 and any(
        all(not (reply := child.play(answer)).is_over and wins_within(reply, moves - 1) for answer in answers)
        for child in map(board.play, board.legal_columns())
        if (answers := child.legal_columns())
    )


def test_the_board_has_69_fours():
    assert len(fours()) == 69


@kernel()
def affordable(boards: Any) -> tuple[int, int]:
    return affordable_3(boards), affordable_4(boards)


@pytest.mark.parametrize("seed", range(20))
def test_a_four_is_affordable_where_its_cells_cost_that_much_in_sum(seed):
    chance = random.Random(seed)
    cost = {cell: chance.choices(range(5), (5, 3, 2, 1, 9))[0] for cell in CELLS}
    boards = tuple(sum(1 << cell for cell in CELLS if cost[cell] <= most) for most in range(4))
    for found, total in zip(affordable(boards), (3, 4), strict=True):
        costs = [(line[0], [cost[cell] for cell in line]) for line in fours()]
        assert found == sum({1 << start for start, each in costs if max(each) < 4 and sum(each) <= total})


@pytest.mark.parametrize(("first_to_move", "least"), [(True, 150), (False, 40)])
def test_no_score_of_a_solved_position_is_above_the_bound_by_following_up(first_to_move, least):
    boards = [found for found in fixture() if (found.board.ply % 2 == 0) is first_to_move]
    quiet = [found for found in boards if not can_win_at_once(found.board)]
    bounded = [found for found in quiet if bound_by_following_up(found.board) != NONE]
    assert len(bounded) > least
    for found in bounded:
        assert found.score <= bound_by_following_up(found.board), found


@pytest.mark.parametrize("moves", [3, 4])
def test_on_every_solved_position_the_score_is_lower_than_such_a_win(moves):
    asked = [found for found in fixture() if may_be_asked(found.board)]
    slow = [found for found in asked if is_too_slow(found.board, moves)]
    assert len(slow) > 90
    for found in slow:
        assert found.score <= max(0, 21 - found.board.ply // 2 - moves), found


@pytest.mark.parametrize(("moves", "count"), [(3, 1200), (4, 3000)])
def test_trying_everything_finds_no_such_win(moves, count):
    slow = [board for board in sample(count, 13, 24, seed=moves) if may_be_asked(board) and is_too_slow(board, moves)]
    assert len(slow) > 60
    for board in slow[:120]:
        assert not wins_within(board, moves), board


@pytest.mark.parametrize("moves", [3, 4])
def test_a_win_above_a_threat_in_the_column_set_apart_is_not_excluded(moves):
    board = Board.from_moves(parse_moves("6115156677776256761555473122132"))
    assert may_be_asked(board)
    assert wins_within(board, moves)
    assert not is_too_slow(board, moves)


def test_it_says_nothing_where_the_win_comes_in_time():
    quick = [board for board in sample(1500, 13, 33) if may_be_asked(board) and wins_within(board, 3)]
    assert len(quick) > 20
    assert not any(is_too_slow(board, 3) for board in quick)
