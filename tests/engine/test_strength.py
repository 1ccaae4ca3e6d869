"""No game is lost to the course's bot, at any depth, moving first or second.

Two games a side by default; ``BOT_STRENGTH_GAMES=50 BOT_STRENGTH_THINK_S=0.2`` plays the full match.
"""

from __future__ import annotations

import os

import pytest

from bot.agents.catalogue import make_agent
from bot.engine.agent import Agent, Limit
from bot.engine.warmup import warm_up
from bot.game import Board, format_moves

pytestmark = pytest.mark.slow

GAMES = int(os.environ.get("BOT_STRENGTH_GAMES", "2"))
THINK_S = float(os.environ.get("BOT_STRENGTH_THINK_S", "0.02"))


def play(first: Agent, second: Agent) -> tuple[int, list[int]]:
    """Return 1, 0 or -1 for the first player, and the columns."""
    board, columns = Board(), []
    while not board.is_over:
        mover = second if board.ply % 2 else first
        columns.append(mover.choose(board, Limit(think_s=THINK_S)).column)
        board = board.play(columns[-1])
    return (0 if not board.has_winner else 1 if board.ply % 2 else -1), columns


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("starts", [True, False], ids=["starts", "follows"])
@pytest.mark.parametrize("opponent", ["random", "depth3", "depth5", "depth8"])
@pytest.mark.parametrize("name", ["mtdf", "alphabeta"])
def test_no_game_is_lost(name, opponent, starts):
    agent = make_agent(name)
    warm_up(agent, make_agent(opponent))
    lost = []
    for seed in range(GAMES):
        other = make_agent(opponent, seed=seed)
        result, columns = play(agent, other) if starts else play(other, agent)
        if result == (-1 if starts else 1):
            lost.append(format_moves(columns))
    assert not lost
