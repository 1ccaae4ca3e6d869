"""What the server's bot will answer: learned from its answers, whatever bot it is."""

from __future__ import annotations

import random

import pytest

from bot.engine import Limit
from bot.engine.registry import make_agent
from bot.engine.traps import likely_replies
from bot.game import Board
from bot.match.opponent_model import OpponentModel


def answers(name: str, count: int, seed: int = 1) -> list[tuple[Board, int]]:
    """So many positions before an answer, and the answer of the agent ``name``, against random play."""
    agent, chance, board, told = make_agent(name, seed=seed), random.Random(seed), Board(), []
    while len(told) < count:
        if board.is_over:
            board = Board()
        if board.ply % 2:
            column = agent.choose(board, Limit(1.0)).column
            told.append((board, column))
        else:
            column = chance.choice(board.legal_columns())
        board = board.play(column)
    return told


def taught(name: str, count: int = 60) -> OpponentModel:
    model = OpponentModel()
    for board, column in answers(name, count):
        model.observe(board.play(column), column)
    return model


def test_the_odds_of_the_legal_answers_add_up_to_one() -> None:
    for board, _ in answers("random", 40):
        odds = OpponentModel().odds(board)
        assert set(odds) == set(board.legal_columns())
        assert sum(odds.values()) == pytest.approx(1.0)
        assert min(odds.values()) > 0


def test_before_any_answer_the_bot_of_the_course_is_expected() -> None:
    board = Board.from_moves((3, 3, 2))
    odds = OpponentModel().odds(board)
    assert max(odds, key=odds.__getitem__) in likely_replies(board, 3)


@pytest.mark.parametrize(("name", "depth"), [("depth1", 1), ("depth2", 2), ("depth3", 3), ("depth4", 4)])
def test_a_minimax_bot_of_any_depth_is_soon_known(name: str, depth: int) -> None:
    model = taught(name)
    for board, _ in answers(name, 40, seed=2):
        odds, best = model.odds(board), likely_replies(board, depth)
        assert sum(odds[column] for column in best) > 0.95


def test_a_random_bot_is_soon_known() -> None:
    model = taught("random")
    for board, _ in answers("random", 40, seed=2):
        legal = board.legal_columns()
        assert model.odds(board) == pytest.approx(dict.fromkeys(legal, 1 / len(legal)), abs=0.1)


def test_a_bot_that_changes_is_known_again() -> None:
    model = taught("depth3", 200)
    for board, column in answers("depth1", 60):
        model.observe(board.play(column), column)
    for board, _ in answers("depth1", 20, seed=2):
        odds = model.odds(board)
        assert sum(odds[column] for column in likely_replies(board, 1)) > 0.9


def test_what_rests_on_the_model_can_tell_when_it_has_changed() -> None:
    assert taught("depth1").version != OpponentModel().version
    assert taught("depth3").version == taught("depth3", 61).version
