"""The integrations in the environments themselves: no game is lost, within the time, and by the same rules."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bot.adapters import shared_engine, warm_up
from bot.adapters.openspiel import board_of_state, make_bot
from bot.adapters.pettingzoo import policy
from bot.game import Board

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


def test_the_bot_wins_as_either_side_in_openspiel_s_own_arena_by_the_same_rules():
    pyspiel = pytest.importorskip("pyspiel", reason=NO_OPENSPIEL)
    bot = make_bot(limit_s=5.0)
    for seed in range(4):
        ours = seed % 2
        bots = [pyspiel.make_uniform_random_bot(player, seed) for player in (0, 1)]
        bots[ours] = bot
        state = pyspiel.load_game("connect_four").new_initial_state()
        assert pyspiel.evaluate_bots(state, bots, seed)[ours] == 1.0
        assert board_of_state(state) == Board.from_moves(state.history()) and board_of_state(state).winner == ours + 1
