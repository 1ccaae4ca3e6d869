"""What the integrations promise: the engine behind the function signatures of other environments.

Each function takes a position of its environment with us to move, and returns a column 0 to 6; anything else is
refused in a sentence.
"""

from __future__ import annotations

from contextlib import suppress
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from bot.adapters import shared_engine
from bot.adapters.course import student_move
from bot.adapters.kaggle import agent
from bot.adapters.openspiel import board_of_state, choose_action, make_bot
from bot.adapters.pettingzoo import policy
from bot.agents.external import course_env
from bot.engine.agent import Decision
from bot.errors import UsageError
from bot.game import Board

BLOCK, WIN = "41414", "414147"
"""Positions in which the side to move must play the middle: to block a four, and to make one."""


def kaggles(board: Board, kind: Any = dict) -> Any:
    """Return the position as Kaggle's observation."""
    second = board.ply % 2
    return kind(board=[cell % 3 for row in board.to_grid(1 - 2 * second) for cell in row], mark=1 + second)


def observed(board: Board) -> dict[str, Any]:
    """Return the position as PettingZoo's observation: plane 0 holds the discs of the side to move."""
    grid = np.array(board.to_grid())
    mask = np.array([board.can_play(column) for column in range(7)], dtype=np.int8)
    return {"observation": np.stack([grid == 1, grid == -1], axis=2).astype(np.int8), "action_mask": mask}


@pytest.mark.parametrize("moves", [BLOCK, WIN])
def test_every_integration_blocks_a_four_and_makes_one(moves):
    board = Board.from_moves(moves)
    env = course_env.make(course_env.NAME)
    env.reset(board=np.array(board.to_grid()))
    assert student_move(env) == policy(observed(board)) == agent(kaggles(board), {}) == 3


def test_kaggle_may_give_attributes_in_place_of_keys():
    configuration = SimpleNamespace(rows=6, columns=7, inarow=4, actTimeout=2)
    assert agent(kaggles(Board.from_moves(BLOCK), SimpleNamespace), configuration) == 3


def test_the_course_may_give_the_environment_an_array_of_any_type_or_lists():
    grid = Board.from_moves(WIN).to_grid()
    assert {student_move(given) for given in (grid, *(np.array(grid, dtype=kind) for kind in (np.int8, float)))} == {3}


def test_the_time_limit_comes_from_the_environment_less_a_margin(monkeypatch):
    for name in ("course", "kaggle"):
        monkeypatch.setattr(f"bot.adapters.{name}.choose_column", lambda _board, limit_s, margin_s: limit_s - margin_s)
    position = kaggles(Board())
    given = [agent(position, {"actTimeout": seconds}) for seconds in (2, 8, "soon", None)]
    assert [*given, student_move(Board().to_grid(), 5.0)] == pytest.approx([1.7, 7.7, 1.7, 1.7, 4.5])
    monkeypatch.setattr("bot.adapters.pettingzoo.choose_column", lambda _board, limit_s: {0.5: 3, 5.0: 2}[limit_s])
    assert (policy(observed(Board()), 0.5), policy(observed(Board()))) == (3, 2)


def test_the_engine_gets_the_limit_less_the_margin(monkeypatch):
    engine = Mock(choose=Mock(return_value=Decision(3)))
    monkeypatch.setattr(shared_engine, "_engine", lambda: engine)
    monkeypatch.setattr(shared_engine, "_warming", Mock())
    for limit_s, hard_s in ((5.0, 4.5), (0.1, shared_engine.SHORTEST_S)):
        assert shared_engine.choose_column(Board(), limit_s, 0.5) == 3
        assert engine.choose.call_args.args[1].hard_s == hard_s


def test_openspiel_gives_a_state_or_describes_one(monkeypatch):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install '.[openspiel]')")
    state = pyspiel.load_game("connect_four").new_initial_state()
    for action in (3, 0, 3, 0, 3):
        state.apply_action(action)
    states = [state]
    with suppress(pyspiel.SpielError):  # OpenSpiel 1, the newest for Python 3.10, makes no state from JSON
        states.append(state.get_game().new_initial_state(state.to_json()))
    for given in states:
        assert board_of_state(given) == Board.from_moves(BLOCK) and choose_action(given) == 3
    for other in ("tic_tac_toe", "connect_four(rows=5)", "connect_four(x_in_row=3)"):
        with pytest.raises(UsageError, match="is not connect_four on 6 x 7"):
            choose_action(pyspiel.load_game(other).new_initial_state())
    with monkeypatch.context() as patched:
        patched.setattr("bot.adapters.openspiel.choose_column", lambda _board, limit_s: limit_s)
        assert (make_bot(0.5).step(state), choose_action(state, 0.5)) == (0.5, 0.5)
    for action in (1, 3):
        state.apply_action(action)
    with pytest.raises(UsageError, match="terminal"):
        choose_action(state)


EMPTY = [0] * 42
SEEN = observed(Board.from_moves(BLOCK))
REFUSED = {
    "not 6 rows of 7 cells": lambda: student_move(EMPTY),
    "over": lambda: student_move(Board.from_moves("1212121").to_grid()),
    "shape": lambda: policy({"observation": np.zeros((8, 8, 2))}),
    "both players": lambda: policy({"observation": np.ones((6, 7, 2))}),
    "mask allows no action": lambda: policy({**SEEN, "action_mask": [0] * 7}),
    "forbids column 3": lambda: policy({**SEEN, "action_mask": [1, 1, 1, 0, 1, 1, 1]}),
    "not an observation of connect_four_v3": lambda: policy(SEEN["observation"]),
    "not an observation of ConnectX": lambda: agent({"board": 5, "mark": 1}, {}),
    "6 x 8": lambda: agent({"board": EMPTY, "mark": 1}, {"columns": 8}),
    "neither 1 nor 2": lambda: agent({"board": EMPTY, "mark": 3}, {}),
    "not the turn of player 2": lambda: agent({"board": EMPTY, "mark": 2}, {}),
    "0 cells": lambda: agent({"mark": 1}, {}),
}


@pytest.mark.parametrize("said", REFUSED)
def test_what_is_no_position_on_our_turn_is_refused(said):
    with pytest.raises(UsageError, match=said):
        REFUSED[said]()
