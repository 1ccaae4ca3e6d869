"""Analyses against a plain solver, and against themselves along their own best line."""

from __future__ import annotations

import random
import threading
import time
from array import array

import pytest

from bot.engine.agent import Stop
from bot.engine.analysis import Analysis, Analyst
from bot.engine.book.lookup import Book, book_key
from bot.engine.perfect import shipped_book
from bot.engine.score import Solved, finished_score, plies_to_end
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
    assert score is not None
    line = analyst.line(board, score)
    assert line[0] in told.best
    end = board
    for column in line:
        assert not end.is_over
        end = end.play(column)
    assert end.is_over
    assert len(line) == plies_to_end(score, board.ply)
    assert end.has_winner == (score != 0)
    assert ((end.ply - board.ply) % 2 == 1) == (score > 0) or score == 0


@pytest.mark.parametrize("board", LATE + positions([14, 18], 4, 7), ids=lambda board: f"ply {board.ply}")
def test_outcomes_alone_agree_with_scores(analyst, board):
    exact, weak = analyst.analyse(board), analyst.analyse(board, weak=True)
    assert [told and told.outcome for told in weak.columns] == [told and told.outcome for told in exact.columns]
    assert weak.bounds.outcome == exact.bounds.outcome
    assert set(weak.best) >= set(exact.best)
    assert analyst.analyse(board, columns=False).bounds.score == exact.bounds.score


def test_a_proven_win_is_best_even_where_other_columns_are_not_solved():
    win, either, loss = Solved(1, 21), Solved(-21, 21), Solved(-21, -1)
    assert Analysis(Board(), win, (loss, win, either, None), 0, 0.0).best == (1,)
    assert Analysis(Board(), either, (loss, Solved(0, 0), either), 0, 0.0).best == ()


def test_without_time_bounds_enclose_the_score(analyst):
    board = Board.from_moves([3, 3, 2])
    told = analyst.analyse(board, deadline_s=0.02)
    assert not told.bounds.exact and told.bounds.lower < told.bounds.upper
    assert told.best == ()


def test_a_book_answers_and_the_solver_goes_on_where_it_ends():
    board = positions([30], 1, 11)[0]
    children = [board.play(column) for column in board.legal_columns()]
    known = {book_key(board): score_of(board)} | {
        book_key(child): score_of(child) for child in children if not child.is_over
    }
    keys = sorted(known)
    book = Book(31, array("q", keys), array("b", [known[key] for key in keys]))
    with_book, without = Analyst(book).analyse(board), Analyst().analyse(board)
    assert with_book.columns and [told and told.score for told in with_book.columns] == [
        told and told.score for told in without.columns
    ]
    score = without.bounds.score
    assert with_book.nodes == 0 and with_book.bounds.score == score is not None
    assert len(Analyst(book).line(board, score)) == len(Analyst().line(board, score))


def test_a_stop_returns_true_bounds(analyst):
    stop = Stop()
    stop.set()
    told = analyst.analyse(Board.from_moves([3, 3, 2]), stop=stop)
    assert told.bounds.lower <= 2 <= told.bounds.upper and not told.bounds.exact
    assert len(told.columns) == 7
    assert analyst.line(Board.from_moves([3, 3, 2]), 2, stop=stop) == ()


def test_the_rules_give_the_score_of_a_finished_board(analyst):
    over = Board.from_moves([0, 1, 0, 1, 0, 1, 0])
    assert analyst.bounds(over).score == -18


def test_a_finished_game_is_refused(analyst):
    over = Board.from_moves([0, 1, 0, 1, 0, 1, 0])
    with pytest.raises(ValueError):
        analyst.analyse(over)
    with pytest.raises(ValueError):
        analyst.analyse(over, columns=False)


def test_the_book_needs_no_solver_as_far_as_it_reaches():
    for plies in range(11):
        board = Board.from_moves("3117537462"[:plies])
        for columns in (False, True):
            analyst = Analyst(shipped_book())
            assert analyst.is_ready(board, columns=columns) == (plies <= 9 - columns)
            if plies <= 9 - columns:
                told = analyst.analyse(board, columns=columns)
                assert told.bounds.exact and "solver" not in vars(analyst)
            analyst.is_warm = True
            assert analyst.is_ready(board, columns=columns)


def test_bounds_shown_during_a_search_are_those_of_this_search():
    """The kernel wrote its bounds at its end only: until then, those of the search before were shown."""
    analyst, stop = Analyst(), Stop()
    analyst.warm_up()
    assert analyst.analyse(Board.from_moves("445566"), columns=False).bounds.lower > 5
    search = threading.Thread(target=analyst.analyse, args=(Board(),), kwargs={"columns": False, "stop": stop})
    search.start()
    time.sleep(0.2)
    shown = analyst.proven
    stop.set()
    search.join()
    assert shown.lower <= 1 <= shown.upper and shown.lower < shown.upper
