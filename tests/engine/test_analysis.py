"""Analyses and reviews: what book and solver prove together of a position, a line, a game."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise
from unittest.mock import Mock

import pytest

from bot.engine import solver as solver_module
from bot.engine.agent import StopFlag
from bot.engine.analysis import Analyst, PositionAnalysis
from bot.engine.perfect import shipped_book
from bot.engine.review import Move, judge_bounds, review
from bot.engine.score import Bounds, Solved, finished_score, plies_to_end
from bot.engine.solver import Solver
from bot.game import Board, parse_moves
from tests.engine.virtual_time import virtual_time
from tests.positions import DRAWN, sample, some

ANALYST = Analyst()


def score_of(board: Board) -> int:
    """Return the score, solved on its own."""
    return finished_score(board) if board.is_over else Solver().solve(board).lower


@pytest.mark.parametrize("board", sample(20, 28, 41))
def test_scores_and_best_columns_are_those_of_each_child_solved_on_its_own(board):
    told = ANALYST.analyse(board)
    scores = [-score_of(board.play(column)) if board.can_play(column) else None for column in range(7)]
    best = max(score for score in scores if score is not None)
    assert [known and known.score for known in told.columns] == scores
    assert told.score == best == ANALYST.analyse(board, columns=False).score
    assert told.best == tuple(column for column, score in enumerate(scores) if score == best)


def test_a_line_is_as_long_as_the_score_says_and_keeps_it_also_where_time_runs_out(monkeypatch):
    for known in some(20, 12):
        with monkeypatch.context() as patch:
            patch.setattr(solver_module, "_QUICK_NODES", 50)
            short = ANALYST.line(known.board, known.score, deadline_s=0.0)
        line = ANALYST.line(known.board, known.score)
        assert len(line) == plies_to_end(known.score, known.board.ply) >= len(short)
        for each in (line, short):
            board, score = known.board, known.score
            for column in each:
                board, score = board.play(column), -score
            assert ANALYST.bounds(board).score == score


def test_a_proven_win_is_best_even_where_other_columns_are_not_solved_and_it_is_said_what_is_proven():
    win, either, loss, won = Solved(1, 21), Solved(-21, 21), Solved(-21, -1), Solved(5, 5)
    by_outcome = "best: 2 (by outcome; which of them has the best score is not proven)"
    for columns, best, best_by, said in (
        ((loss, win, either, None), (1,), "outcome", by_outcome),
        ((loss, won, Solved(-3, 9)), (1,), "outcome", by_outcome),
        ((loss, won, Solved(-3, 4)), (1,), "score", "best: 2"),
        ((loss, Solved(0, 0), either), (), None, ""),
    ):
        told = PositionAnalysis(-21, 21, board=Board(), columns=columns)
        assert (told.best, told.best_by) == (best, best_by)
        assert str(told).splitlines()[-1].startswith("best: ") == bool(best) and str(told).endswith(said)


def test_a_position_is_at_least_as_good_as_its_best_column_and_no_better_than_all(monkeypatch):
    analyst, own = Analyst(), Solved(-5, 9, nodes=7)
    columns = [Solved(-3, 4, nodes=1), None, Solved(2, 6, nodes=2), Solved(-9, -4, nodes=3)]
    each = Mock(return_value=columns)
    monkeypatch.setattr(analyst, "columns", each)
    shown: list[int] = []
    with virtual_time() as clock:

        def solved(*_: object, **_options: object) -> Solved:
            clock.now += 3.0
            shown.append(analyst.proven.lower)
            return own

        monkeypatch.setattr(analyst, "bounds", solved)
        _, told = (analyst.analyse(Board(), deadline_s=5.0) for _ in range(2))
    assert shown == [-21, -21], "not the bounds of the position before"
    assert (told.lower, told.upper, told.nodes) == (2, 6, 13)
    assert each.call_args.kwargs["deadline_s"] == pytest.approx(2.0), "what the score has left of the time"


VERDICTS = """\
 1  5 -3  0  blunder  turned a won position into a drawn one
 5  5 -2 -2  blunder  turned a won position into a lost one
 0  0 -2 -2  blunder  turned a drawn position into a lost one
 4  5  1  2  slower   made the win 2 moves longer
-2 -1 -5 -3  sooner   brought the loss 1 move closer
-3 -3 -3 -3  best     was best, but every move lost
 0  0  0  3  best     was best
 1  5  1  4  kept     kept the outcome
-5 -2 -5 -2 kept     kept the outcome
 1  5 -3  4  none     .
-1  5 -3 -2  none     ."""
"""Bounds of the best column and of the one that was played, and the verdict with its words."""


@pytest.mark.parametrize("line", VERDICTS.splitlines())
def test_a_verdict_says_only_what_the_bounds_prove(line):
    *bounds, kind, words = line.split(maxsplit=5)
    best_lower, best_upper, lower, upper = map(int, bounds)
    verdict = judge_bounds(Bounds(best_lower, best_upper), Bounds(lower, upper))
    found = ("none", ".", False) if verdict is None else (verdict.kind, verdict.text, verdict.grave)
    assert found == (kind, words, kind == "blunder")


def test_a_review_has_the_score_of_every_position_and_the_verdict_on_every_move():
    columns = parse_moves(DRAWN)
    reviewed = review(columns, Analyst(shipped_book()), deadline_s=600.0)
    late = [score_of(Board.from_moves(columns[:ply])) for ply in range(30, 43)]
    assert list(reviewed.positions[30:]) == late and len(reviewed.positions) == 43
    for ply, (before, after) in enumerate(pairwise(reviewed.positions)):
        assert before is not None and after is not None
        verdict = judge_bounds(Bounds.of(before), Bounds.of(-after))
        assert verdict is not None
        moved = {**asdict(verdict), "column": columns[ply], "score": -after, "best": before}
        assert reviewed.moves[ply] == Move(**moved)
        assert reviewed.scores[ply] == (before if ply % 2 == 0 else -before)


def test_a_review_gives_no_position_more_than_half_of_its_time_and_stops(monkeypatch):
    given, stop = list[float](), StopFlag()

    def bounds(_board: Board, deadline_s: float, **_how: object) -> Solved:
        given.append(deadline_s)
        stop.set()
        return Solved(0, 0)

    monkeypatch.setattr(ANALYST, "bounds", bounds)
    reviewed = review((3, 3), ANALYST, deadline_s=60.0, stop=stop)
    assert (reviewed.positions, reviewed.moves) == ((None, None, 0), (None,) * 2)
    assert [each <= 30 for each in given] == [True]
