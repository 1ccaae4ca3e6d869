"""The timed search: its evaluation and values against recorded ones, and the moves that it returns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.engine.agent import Limit
from bot.engine.deadline import Deadline
from bot.engine.forced import forced_decision, safe_columns
from bot.engine.jit.addresses import address
from bot.engine.kernels import search as kernels
from bot.engine.kernels.evaluate import evaluate
from bot.engine.minimax import Minimax
from bot.engine.solver import Solver
from bot.engine.timed import IterativeDeepening, TimedSearch
from bot.engine.traps import MODEL_DEPTH, likely_replies
from bot.game import Board
from tests.positions import boards, sample, some

RECORDED = Path(__file__).parent.joinpath("data", "searches.txt").read_text().splitlines()[2:]
TABLE = np.zeros(kernels.TABLE_SIZE, dtype=np.int64)
FLAG = np.zeros(1, dtype=np.uint8)


def search(board: Board, horizon: int) -> int:
    """Return the value with an empty table."""
    TABLE.fill(0)
    work = np.zeros(kernels.WORKSPACE_WORDS, dtype=np.int64)
    arrays = [address(array) for array in (TABLE, work, FLAG, FLAG)]
    window = -kernels.INFINITY, kernels.INFINITY
    return kernels.search(board.current, board.mask, board.ply, *window, horizon, *arrays)


def test_evaluation_and_values_are_those_of_a_second_implementation_in_plain_python():
    """The search is minimax that sees two plies further than its horizon."""
    for line in RECORDED:
        moves, *values = line.split()
        board = Board.from_moves(moves.strip("-"))
        found = [search(board, board.ply + depth) for depth in range(3)]
        assert [evaluate(board.current, board.mask, board.ply), *found] == [*map(int, values)], line


@settings(max_examples=60)
@given(boards(), st.integers(1, 7), st.integers(-300, 300))
def test_both_agents_find_the_value_at_every_depth_from_any_guess(board, depth, guess):
    """Each keeps its table from horizon to horizon."""
    assume(forced_decision(board) is None)
    searches = IterativeDeepening(board), IterativeDeepening(board, by_null_windows=False)
    for horizon in range(board.ply + 1, min(board.ply + depth, kernels.LAST_HORIZON) + 1):
        exact = search(board, horizon)
        for each in searches:
            value, column = each.search_to(horizon, guess)
            assert value == exact == -search(board.play(column), horizon)


@pytest.mark.parametrize("name", ["mtdf", "alphabeta"])
def test_late_positions_are_proven_with_the_right_distance(name):
    for known in some(25, 30):
        decision = TimedSearch(name).choose(known.board, Limit(hard_s=1e5, think_s=1e5))
        assert decision.score == (known.score if decision.proven else None)
        assert decision.proven or decision.source == "forced"
        child = known.board.play(decision.column)
        assert child.is_over or -Solver().solve(child).lower == known.score


@settings(max_examples=60)
@given(boards(), st.integers(1, 10), st.sampled_from(("mtdf", "alphabeta")))
def test_a_decision_keeps_its_depth_and_repeats(board, depth, name):
    decision, again = (TimedSearch(name).choose(board, Limit(1e5, 1e5, depth=depth)) for _ in range(2))
    assert (decision.nodes, decision.score, decision.column) == (again.nodes, again.score, again.column)
    assert board.can_play(decision.column) and (decision.depth or 0) <= max(depth, 2)


@settings(max_examples=200)
@given(boards())
def test_a_forced_move_wins_at_once_or_leaves_no_choice(board):
    wins = [column for column in range(7) if board.wins_with(column)]
    safe = [c for c in board.legal_columns() if wins or not any(map(board.play(c).wins_with, range(7)))]
    decision = forced_decision(board)
    assert wins or sorted(safe_columns(board)) == safe
    if decision is None:
        assert not wins and len(safe) > 1
    elif wins:
        assert decision.column in wins and decision.score == 21 - board.ply // 2
    else:
        assert board.can_play(decision.column) and len(safe) < 2
        assert decision.proven == (not safe or board.ply == 41)
        assert decision.score == (None if not decision.proven else 0 if safe else (board.ply + 1) // 2 - 21)
        legal = board.legal_columns()
        fours = {
            column for column in legal for other in legal if other != column if board.play(other).wins_with(column)
        }
        assert not fours or decision.column in fours, "a lost side blocks one of them"


def test_it_finds_all_of_the_best_moves_of_minimax_in_plain_python():
    for board in [Board(), *sample(400, 2, 41, seed=3)]:
        _, columns, _ = Minimax.best_columns(board, MODEL_DEPTH, Deadline())
        assert columns == [*likely_replies(board)]


def test_it_plays_any_of_the_best_moves():
    for board in [Board(), *sample(12, 2, 41, seed=3)]:
        decisions = [Minimax(8, seed).choose(board, Limit(depth=MODEL_DEPTH)) for seed in range(40)]
        assert {decision.column for decision in decisions} == {*likely_replies(board)}
        assert decisions[7].column == Minimax(MODEL_DEPTH, 7).choose(board, Limit(depth=8)).column, (
            "equal seeds, equal moves"
        )
        told = {(each.score, each.proven, each.depth) for each in decisions}
        ((score, proven, depth),) = told
        assert depth == MODEL_DEPTH and (not proven or score == Solver().solve(board).lower)
