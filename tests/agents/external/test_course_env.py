"""The environment that stands in for the course's: every member as there."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import numpy as np
import pytest

from bot.agents.external import course_env
from bot.game import Board


def made(moves: str = "") -> Any:
    """Return an environment with a position, in which player 1 is to move."""
    env = course_env.make(course_env.NAME)
    env.reset(board=np.array(Board.from_moves(moves).to_grid()))
    return env


def test_boards_are_copies_but_for_the_one_that_reset_is_given():
    env, given = made(), np.zeros((6, 7), dtype=int)
    env.board[5, 0] = 1
    assert not env.board.any() and env.board.dtype == int and env.board_shape == (6, 7)
    returned = env.reset(board=given)
    board, *rest = env.step(0)
    assert given[5, 0] == 1 and not returned.any() and rest == [0, False, {}]
    board[5, 1] = 1
    other = copy.deepcopy(env)
    other.change_player()
    other.step(0)
    assert env.board.sum() == 1 and other.board.sum() == 0 and other.board[4, 0] == -1
    assert not env.reset().any()


def test_columns_are_checked_as_by_python_and_a_full_one_is_a_plain_exception():
    env = made("111111")
    assert env.available_moves() == frozenset(range(1, 7)) and isinstance(env.available_moves(), frozenset)
    assert not env.is_valid_action(0) and env.is_valid_action(-1) and not env.is_valid_action(-7)
    with pytest.raises(IndexError):
        env.is_valid_action(7)
    with pytest.raises(Exception, match="full") as full:
        env.step(0)
    assert type(full.value) is Exception


def test_the_mover_is_rewarded_and_a_full_top_row_comes_before_a_four():
    env = made("414141")
    assert not env.is_win_state() and env.step(3)[1:] == (1, True, {}) and env.is_win_state()
    last = made("55735375635726216472116646325347344742111")
    assert last.step(1)[1:] == (0.5, True, {}) and last.is_win_state()


def test_each_of_the_69_fours_of_either_side_is_a_win_and_three_of_it_are_none():
    places = [(row, column) for row in range(6) for column in range(7)]
    lines = 0
    for (row, column), (up, right) in itertools.product(places, ((0, 1), (1, 0), (1, 1), (1, -1))):
        cells = [(row + up * step, column + right * step) for step in range(4)]
        if not {*cells} <= {*places}:
            continue
        lines += 1
        for player, count in itertools.product((1, -1), (3, 4)):
            board = np.zeros((6, 7), dtype=int)
            for cell in cells[:count]:
                board[cell] = player
            env = course_env.make(course_env.NAME)
            env.reset(board=board)
            assert env.is_win_state() == (count == 4), cells
    assert lines == 69


def test_a_file_sees_what_gym_shows(capsys):
    env = made("4")
    assert (env.WIN_REWARD, env.DRAW_REWARD, env.DEF_REWARD, env.LOSS_REWARD) == (1, 0.5, 0, -1)
    assert env.action_space.n == 7 and env.action_space.sample() in env.action_space
    assert env.board in env.observation_space and env.board + 2 not in env.observation_space
    env.render()
    assert capsys.readouterr().out.splitlines()[-1] == "|   |   |   | B |   |   |   |"
    env.close()
    with pytest.raises(course_env.Error, match="reset"):
        course_env.make(course_env.NAME).step(0)
