"""The integrations in the environments themselves: no game is lost, within the time, and by the same rules."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bot.adapters import shared_engine, warm_up
from bot.adapters.course import student_move
from bot.adapters.kaggle import agent
from bot.adapters.openspiel import board_of_state, make_bot
from bot.adapters.pettingzoo import policy
from bot.engine.agent import Decision, Limit
from bot.engine.perfect import Perfect
from bot.game import Board
from tests.adapters import kaggle_arena

NO_OPENSPIEL = "OpenSpiel is not installed (pip install '.[openspiel]')"


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    warm_up()
    monkeypatch.setattr(shared_engine, "THINK_S", 0.02)


def test_pettingzoos_random_player_never_wins():
    connect_four_v3 = pytest.importorskip("pettingzoo.classic.connect_four_v3", reason="pettingzoo is not installed")
    chance = random.Random(5)
    for number in range(4):
        env = connect_four_v3.env()
        env.reset(seed=number)
        us, rewards = f"player_{number % 2}", {}
        for name in env.agent_iter():
            observation, rewards[name], termination, truncation, _ = env.last()
            move = policy(observation) if name == us and not termination else None
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if termination or truncation else move if name == us else int(chance.choice(legal)))
        assert rewards[us] >= 0


def test_a_stand_in_for_kaggle_is_beaten():
    for we_start in (True, False):
        assert kaggle_arena.game(agent, we_start, 2.0, random.Random(11), [])[0] == 1.0


def test_the_time_limit_comes_from_the_environment_less_a_margin(monkeypatch):
    limits: list[Limit] = []

    def choose(_engine: Perfect, _board: Board, limit: Limit) -> Decision:
        limits.append(limit)
        return Decision(3)

    monkeypatch.setattr(Perfect, "choose", choose)
    for seconds in (2, 8, 0.1, "soon", None):
        agent({"board": [0] * 42, "mark": 1}, {"actTimeout": seconds})
    student_move(np.zeros((6, 7)))
    assert [round(limit.hard_s, 1) for limit in limits] == [1.7, 7.7, 0.2, 1.7, 1.7, 4.5]
    assert all(limit.think_s <= limit.hard_s for limit in limits)


def test_openspiel_plays_by_the_same_rules():
    pyspiel = pytest.importorskip("pyspiel", reason=NO_OPENSPIEL)
    rng = random.Random(20261122)
    for _ in range(100):
        state, board = pyspiel.load_game("connect_four").new_initial_state(), Board()
        while not state.is_terminal():
            assert list(board.legal_columns()) == state.legal_actions() and state.current_player() == board.ply % 2
            state.apply_action(rng.choice(state.legal_actions()))
            board = board.play(state.history()[-1])
        assert board.is_over and board_of_state(state) == board
        assert state.returns() == {1: [1.0, -1.0], 2: [-1.0, 1.0], None: [0.0, 0.0]}[board.winner]


def test_the_bot_plays_both_sides_in_openspiel_s_own_arena():
    pyspiel = pytest.importorskip("pyspiel", reason=NO_OPENSPIEL)
    bot = make_bot(limit_s=5.0)
    for seed in range(4):
        ours = seed % 2
        bots = [pyspiel.make_uniform_random_bot(player, seed) for player in (0, 1)]
        bots[ours] = bot
        state = pyspiel.load_game("connect_four").new_initial_state()
        assert pyspiel.evaluate_bots(state, bots, seed)[ours] == 1.0
