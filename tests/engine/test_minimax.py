"""The course's bot against plain Python, and the bitboards' move generation by perft."""

from __future__ import annotations

import random

import pytest

from bot.agents.catalogue import make_agent
from bot.course.server import rules
from bot.engine.agent import Limit
from bot.game import Board, parse_moves
from tests.engine import reference_search as reference
from tests.engine.jit.perft import perft
from tests.engine.positions import sample

WORTH = (1, 10, 100)
COUNTS = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


def grid_perft(grid: rules.Grid, player: int, depth: int) -> int:
    if depth == 0:
        return 1
    if rules.has_four(grid, -player):
        return 0
    count = 0
    for column in rules.playable(grid):
        child = [row[:] for row in grid]
        rules.drop(child, column, player)
        count += grid_perft(child, -player, depth - 1)
    return count


def board_perft(board: Board, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(board_perft(board.play(column), depth - 1) for column in board.legal_columns())


@pytest.mark.parametrize("depth", range(1, 9))
def test_perft_of_the_kernel(depth):
    assert perft(0, 0, depth) == COUNTS[depth]


@pytest.mark.parametrize("depth", range(1, 5))
def test_perft_of_the_board_and_the_plain_grid(depth):
    assert board_perft(Board(), depth) == grid_perft(rules.empty_grid(), 1, depth) == COUNTS[depth]


@pytest.mark.parametrize("board", sample(12, 12, 40, seed=3), ids=lambda board: f"ply{board.ply}")
def test_perft_from_the_middle_of_games(board):
    counts = {perft(board.current, board.mask, 3), board_perft(board, 3), grid_perft(board.to_grid(), 1, 3)}
    assert len(counts) == 1


def best_columns(board: Board, depth: int) -> tuple[int, set[int]]:
    values = {
        column: -reference.minimax_value(reference.cells_of(board.play(column)), depth - 1, WORTH)
        for column in board.legal_columns()
    }
    best = max(values.values())
    return best, {column for column, value in values.items() if value == best}


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_it_plays_a_best_move_of_plain_minimax_and_any_of_them(depth):
    for board in [Board(), *sample(8, 2, 41, seed=depth)]:
        value, columns = best_columns(board, depth)
        decisions = [make_agent(f"depth{depth}", seed=seed).choose(board, Limit()) for seed in range(40)]
        assert {decision.column for decision in decisions} == columns
        score = value if abs(value) < reference.WIN else (abs(value) - reference.WIN) * (1 if value > 0 else -1)
        assert {decision.score for decision in decisions} == {score}
        assert {decision.proven for decision in decisions} == {abs(value) > reference.WIN}


def moves_of_a_game(seed: int) -> list[int]:
    board, columns, chance = Board(), [], random.Random(7)
    agent = make_agent("depth2", seed=seed)
    while not board.is_over:
        column = agent.choose(board, Limit()).column if board.ply % 2 else chance.choice(board.legal_columns())
        columns.append(column)
        board = board.play(column)
    return columns


def test_equal_seeds_play_equal_games_and_others_differ():
    assert moves_of_a_game(5) == moves_of_a_game(5)
    assert len({tuple(moves_of_a_game(seed)) for seed in range(10)}) > 1


@pytest.mark.parametrize("depth", range(1, 9))
def test_every_depth_takes_a_win_and_from_two_plies_on_stops_one(depth):
    agent = make_agent(f"depth{depth}", seed=0)
    win = agent.choose(Board.from_moves(parse_moves("414141")), Limit())
    assert (win.column, win.score, win.proven, win.depth) == (3, 18.0, True, depth)
    if depth >= 2:
        assert agent.choose(Board.from_moves(parse_moves("41414")), Limit()).column == 3
