"""The exact solver: known scores, every question, and nothing false where it is cut off."""

from __future__ import annotations

import random

import pytest

from bot.engine import solver as solver_module
from bot.engine.agent import StopFlag
from bot.engine.score import Solved, finished_score, sign
from bot.engine.solver import Solver
from bot.game import Board, format_moves
from tests.positions import SolvedPosition, solved, some

SOLVER = Solver()


@pytest.mark.parametrize(("least", "most", "nodes"), [(8, 11, 12_298_228), (12, 15, 5_425_494), (16, 40, 847_663)])
def test_every_known_score_and_outcome_is_proven_with_no_more_nodes_than_before(least, most, nodes):
    """The limits are the sums when the search last changed; a better order of moves may lower them."""
    wrong, visited = [], 0
    for known in solved(least, most):
        exact, weak = SOLVER.solve(known.board), SOLVER.solve(known.board, weak=True)
        visited += exact.nodes + weak.nodes
        is_enclosed = weak.lower <= known.score <= weak.upper
        if exact.score != known.score or weak.outcome != sign(known.score) or not is_enclosed:
            wrong.append(format_moves(known.columns))
    assert not wrong
    assert visited <= nodes


@pytest.mark.parametrize("words", [1 << 8, 1 << 17, 1 << 23])
def test_neither_window_nor_guess_nor_kept_table_changes_what_is_proven(words, monkeypatch):
    monkeypatch.setattr(solver_module, "TABLE_WORDS", words)
    solver, chance = Solver(), random.Random(words)
    for known in some(150, 12, seed=words):
        low, high = sorted(chance.sample(range(-22, 23), 2))
        guess, keep = chance.randint(-100, 100), chance.random() < 0.8
        told = solver.solve(known.board, window=(low, high), guess=guess, keep=keep)
        assert told.lower <= known.score <= told.upper
        assert told.exact or told.upper <= low or told.lower >= high


def child_scores(board: Board) -> list[int | None]:
    """Return every column's score, each child solved with an empty table."""
    children = [board.play(column) if board.can_play(column) else None for column in range(7)]
    return [
        None if child is None else -(finished_score(child) if child.is_over else SOLVER.solve(child).lower)
        for child in children
    ]


@pytest.mark.parametrize(("moves", "score"), [("22645754467226275", 3), ("241671113731345", -4)])
def test_a_search_with_a_deadline_goes_on_beyond_a_forced_reply_as_one_without(moves, score):
    for limit_s in (None, 600.0):
        assert Solver().solve(Board.from_moves(moves), deadline_s=limit_s).score == score


@pytest.mark.parametrize("how", [{}, {"best_only": True}])
@pytest.mark.parametrize("is_known", [False, True])
def test_columns_have_the_scores_of_their_children_and_each_node_is_counted_once(how, is_known, monkeypatch):
    solve, visited = Solver().solve, list[int]()

    def counted(*position, **options):
        found = solve(*position, **options)
        visited.append(found.nodes)
        return found

    solver = Solver()
    monkeypatch.setattr(solver, "solve", counted)
    for known in [*some(2, 11, 12), *some(30, 13, seed=12)]:
        visited.clear()
        told = solver.solve_columns(known.board, score=known.score if is_known else None, **how)
        assert sum(each.nodes for each in told if each is not None) == sum(visited)
        for column, (bounds, score) in enumerate(zip(told, child_scores(known.board), strict=True)):
            assert (bounds is None) == (score is None) == (not known.board.can_play(column))
            if bounds is not None and score is not None:
                assert bounds.exact or how
                assert bounds.lower <= score <= bounds.upper
                assert bounds.exact if score == known.score else bounds.upper < known.score


STOPPED = StopFlag()
STOPPED.set()


def check(told: Solved, known: SolvedPosition) -> None:
    """Check that everything told of a position is true."""
    assert -22 < told.lower <= known.score <= told.upper < 22
    assert told.outcome in (None, sign(known.score))


@pytest.mark.parametrize("nodes", [0, 7, 200, 4000])
@pytest.mark.parametrize("how", [{"deadline_s": 0.0}, {"deadline_s": 1e9, "stop": STOPPED}])
def test_a_search_cut_off_at_any_node_proves_nothing_false(monkeypatch, nodes, how):
    solver = Solver()
    for known in some(8, 11, 16, seed=9):
        with monkeypatch.context() as patch:
            patch.setattr(solver_module, "_QUICK_NODES", nodes)
            told = solver.solve(known.board, **how)
            check(told, known)
            assert told.nodes <= nodes + 2, "each is counted once"
            check(solver.solve(known.board, weak=True, **how), known)
            for options in (how, {**how, "best_only": True}):
                columns = solver.solve_columns(known.board, **options)
                lowest = max(each.lower for each in columns if each is not None)
                assert lowest <= known.score <= max(each.upper for each in columns if each is not None)
        assert solver.solve(known.board, keep=True).score == known.score, "the table holds nothing false either"
