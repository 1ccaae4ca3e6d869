"""The agent `proof`: it wins without search, and rejects positions that the proof does not cover."""

from __future__ import annotations

import random

import pytest

from bot.agents.catalogue import make_agent
from bot.engine.agent import Limit
from bot.engine.warmup import warm_up
from bot.errors import BotError
from bot.game import Board, parse_moves
from bot.proof.plan import shipped_guides
from bot.proof.player import NoPlanError, ProofPlayer

LIMIT = Limit()


def play(opponent, *, first: bool) -> Board:
    """Play a game of the agent `proof` against ``opponent``, a function of the board; return the final board."""
    agent = make_agent("proof")
    board = Board()
    while not board.is_over:
        if (board.ply % 2 == 0) == first:
            decision = agent.choose(board, LIMIT)
            assert decision.nodes == 0
            assert decision.source == "proof"
            board = board.play(decision.column)
        else:
            board = board.play(opponent(board))
    return board


@pytest.mark.parametrize("seed", range(20))
def test_it_wins_as_first_player_against_random_moves(seed):
    rng = random.Random(seed)
    board = play(lambda board: rng.choice(board.legal_columns()), first=True)
    assert board.has_winner
    assert board.ply % 2 == 1


@pytest.mark.parametrize("name", ["depth5", "depth8"])
def test_it_wins_as_first_player_against_engines(name):
    for seed in range(3):
        agent = make_agent(name, seed=seed)
        board = play(lambda board, agent=agent: agent.choose(board, LIMIT).column, first=True)
        assert board.has_winner
        assert board.ply % 2 == 1


@pytest.mark.parametrize("moves", ["4", "12", "444433", "4441414"])
def test_it_rejects_positions_outside_its_proof(moves):
    """The centre opening; moves that the proof would not have played."""
    board = Board.from_moves(parse_moves(moves))
    with pytest.raises(NoPlanError) as caught:
        ProofPlayer().choose(board, LIMIT)
    assert isinstance(caught.value, BotError)
    assert "does not cover" in caught.value.message
    assert "proof+perfect" in caught.value.hint


def test_with_a_fallback_it_plays_everywhere():
    agent = make_agent("proof+perfect")
    assert agent.name == "proof+perfect"
    assert agent.choose(Board.from_moves([3]), LIMIT).source == "book"
    assert agent.choose(Board(), LIMIT).source == "proof"


def test_the_rules_of_play_are_compiled_before_the_first_game(monkeypatch):
    calls = []
    monkeypatch.setattr("bot.proof.player.step", lambda *arguments: calls.append(arguments))
    warm_up(make_agent("proof"))
    assert len(calls) == 1


def test_a_finished_board_is_rejected():
    with pytest.raises(ValueError, match="over"):
        make_agent("proof").choose(Board.from_moves(parse_moves("1212121")), LIMIT)


def test_the_plan_depends_on_the_position_alone_and_turns_with_it():
    guide = shipped_guides()[0]
    rng = random.Random(4)
    for _ in range(15):
        board = Board()
        while not board.is_over:
            plan = guide.plan(board)
            turned = guide.plan(board.mirror())
            assert plan is not None
            assert turned is not None
            if board != board.mirror():
                assert (plan.order is None) == (turned.order is None)
            board = board.play(plan.column)
            if not board.is_over:
                board = board.play(rng.choice(board.legal_columns()))
        assert board.ply % 2 == 1
