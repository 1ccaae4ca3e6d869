"""Analyses against a plain solver, and against themselves along their own best line."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bot.engine.agent import Stop
from bot.engine.analysis import Analyst
from bot.engine.book.lookup import Book, book_key
from bot.engine.score import finished_score, plies_to_end
from bot.game import Board
from tests.engine.reference_solve import columns_of, solve


def score_of(board: Board) -> int:
    """Return the score by plain Python; a finished position's for the side that would move next."""
    if board.is_over:
        return finished_score(board)
    first_player = 1 if board.ply % 2 == 0 else -1
    return solve(columns_of(board.to_grid(), first_player))


def positions(plies: list[int], each: int, seed: int) -> list[Board]:
    """Unfinished positions of random play."""
    chance, found = random.Random(seed), []
    for ply in plies * each:
        while True:
            board = Board()
            while board.ply < ply and not board.is_over:
                board = board.play(chance.choice(board.legal_columns()))
            if not board.is_over:
                found.append(board)
                break
    return found


LATE = positions([28, 30, 33, 36, 39, 41], 5, 3)


@pytest.fixture(scope="module")
def analyst() -> Analyst:
    return Analyst()


@pytest.mark.parametrize("board", LATE, ids=lambda board: f"ply {board.ply}")
def test_score_columns_and_best_agree_with_a_plain_solver(analyst, board):
    told = analyst.analyse(board)
    scores = [-score_of(board.play(column)) if board.can_play(column) else None for column in range(7)]
    assert [known and known.score for known in told.columns] == scores
    best = max(score for score in scores if score is not None)
    assert told.bounds.score == best
    assert told.best == tuple(column for column, score in enumerate(scores) if score == best)


@pytest.mark.parametrize("board", LATE + positions([16, 20, 24], 4, 5), ids=lambda board: f"ply {board.ply}")
def test_the_line_is_as_long_and_ends_as_the_score_says(analyst, board):
    told = analyst.analyse(board)
    score = told.bounds.score
    assert score is not None and told.line[0] in told.best
    end = board
    for column in told.line:
        assert not end.is_over
        end = end.play(column)
    assert end.is_over
    assert len(told.line) == plies_to_end(score, board.ply)
    assert end.has_winner == (score != 0)
    assert ((end.ply - board.ply) % 2 == 1) == (score > 0) or score == 0


@pytest.mark.parametrize("board", LATE + positions([14, 18], 4, 7), ids=lambda board: f"ply {board.ply}")
def test_outcomes_alone_agree_with_scores(analyst, board):
    exact, weak = analyst.analyse(board), analyst.analyse(board, weak=True)
    assert [told and told.outcome for told in weak.columns] == [told and told.outcome for told in exact.columns]
    assert weak.bounds.outcome == exact.bounds.outcome
    assert set(weak.best) >= set(exact.best)
    assert analyst.score(board).bounds.score == exact.bounds.score


def test_without_time_bounds_enclose_the_score(analyst):
    board = Board.from_moves([3, 3, 2])
    told = analyst.analyse(board, deadline_s=0.02)
    assert not told.bounds.exact and told.bounds.lower < told.bounds.upper
    assert told.best == () and told.line == ()


def test_a_book_answers_and_the_solver_goes_on_where_it_ends():
    board = positions([30], 1, 11)[0]
    children = [board.play(column) for column in board.legal_columns()]
    known = {book_key(board): score_of(board)} | {
        book_key(child): score_of(child) for child in children if not child.is_over
    }
    keys = sorted(known)
    book = Book(31, np.array(keys, dtype=np.int64), np.array([known[key] for key in keys], dtype=np.int8))
    with_book, without = Analyst(book).analyse(board), Analyst().analyse(board)
    assert with_book.columns and [told and told.score for told in with_book.columns] == [
        told and told.score for told in without.columns
    ]
    assert with_book.nodes == 0 and with_book.bounds.score == without.bounds.score
    assert len(with_book.line) == len(without.line)


def test_a_stop_returns_true_bounds(analyst):
    stop = Stop()
    stop.set()
    told = analyst.analyse(Board.from_moves([3, 3, 2]), stop=stop)
    assert told.bounds.lower <= 2 <= told.bounds.upper and not told.bounds.exact
    assert told.line == () and len(told.columns) == 7


def test_the_rules_give_the_score_of_a_finished_board(analyst):
    over = Board.from_moves([0, 1, 0, 1, 0, 1, 0])
    assert analyst.bounds(over).score == -18


def test_a_finished_game_is_refused(analyst):
    over = Board.from_moves([0, 1, 0, 1, 0, 1, 0])
    with pytest.raises(ValueError):
        analyst.analyse(over)
    with pytest.raises(ValueError):
        analyst.score(over)
