"""OpenSpiel's connect_four: the same rules game for game, and a bot that plays in its arena."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.adapters import shared_engine
from bot.adapters.openspiel import board_of_state, choose_action, make_bot
from bot.errors import UsageError
from bot.game import Board

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install '.[openspiel]')")

GAMES = 400


def new_state(parameters: str = "") -> Any:
    return pyspiel.load_game(f"connect_four{parameters}").new_initial_state()


def picture(board: Board) -> str:
    """Return the position as OpenSpiel prints it."""
    first = 1 if board.ply % 2 == 0 else -1
    return "".join("".join(".xo"[cell] for cell in row) + "\n" for row in board.to_grid(first))


def test_random_games_agree_at_every_ply() -> None:
    """Legal actions, end, winner, side to move and the whole board, over 400 games to their ends."""
    rng, plies, ends = random.Random(20261122), 0, set()
    for _ in range(GAMES):
        state, board = new_state(), Board()
        while not state.is_terminal():
            assert not board.is_over and list(board.legal_columns()) == state.legal_actions()
            assert state.current_player() == board.ply % 2
            assert str(state) == picture(board)
            action = rng.choice(state.legal_actions())
            state.apply_action(action)
            board = board.play(action)
            plies += 1
        assert board.is_over and str(state) == picture(board)
        expected = {1: [1.0, -1.0], 2: [-1.0, 1.0], None: [0.0, 0.0]}[board.winner]
        assert state.returns() == expected
        assert board_of_state(state) == board
        ends.add(board.winner)
    assert ends >= {1, 2} and plies > 15 * GAMES


def test_a_drawn_game_agrees_too() -> None:
    """A full board without four in a row: random games hardly ever end so."""
    moves = drawn_game()
    state = new_state()
    for column in moves:
        assert not state.is_terminal()
        state.apply_action(column)
    assert state.is_terminal() and len(moves) == 42
    assert state.returns() == [0.0, 0.0] and Board.from_moves(moves).winner is None


def drawn_game() -> list[int]:
    """Return the first game, among random ones of a fixed seed, that fills the board."""
    rng = random.Random(1)
    while True:
        board, moves = Board(), []
        while not board.is_over:
            quiet = [column for column in board.legal_columns() if not board.play(column).has_winner]
            moves.append(rng.choice(quiet or board.legal_columns()))
            board = board.play(moves[-1])
        if not board.has_winner:
            return moves


def test_the_bot_plays_both_sides_in_openspiel_s_own_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_engine, "THINK_S", 0.02)
    bot = make_bot(limit_s=5.0)
    for seed in range(3):
        for ours in (0, 1):
            other = pyspiel.make_uniform_random_bot(1 - ours, seed)
            bots = [bot, other] if ours == 0 else [other, bot]
            assert pyspiel.evaluate_bots(new_state(), bots, seed)[ours] == 1.0


@pytest.mark.slow
def test_the_bot_does_not_lose_against_openspiel_s_tree_search() -> None:
    """10 games against MCTS with 1,000 simulations a move, each side starting 5."""
    game = pyspiel.load_game("connect_four")
    bot = make_bot()
    for seed in range(10):
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        other = pyspiel.MCTSBot(game, evaluator, 2.0, 1000, 100, True, seed, False)
        bots = [bot, other] if seed % 2 == 0 else [other, bot]
        assert pyspiel.evaluate_bots(new_state(), bots, seed)[seed % 2] >= 0


def test_other_games_are_refused() -> None:
    for state in (pyspiel.load_game("tic_tac_toe").new_initial_state(), new_state("(rows=5)")):
        with pytest.raises(UsageError, match="is not connect_four"):
            choose_action(state)
    state = new_state()
    for action in (0, 1, 0, 1, 0, 1, 0):
        state.apply_action(action)
    with pytest.raises(UsageError, match="terminal"):
        choose_action(state)
