"""What the engine promises: exact scores, bounds that are never wrong, and a good legal move in time.

The tests stand in the order of the room's README: what a score means, what is refused, what is played. The files
beside this one check scores, book, analyses and reviews, against other solvers and plain Python.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.engine.agent import Limit, StopFlag
from bot.engine.analysis import Analyst
from bot.engine.minimax import Minimax
from bot.engine.perfect import Perfect, shipped_book
from bot.engine.score import Solved, explain, finished_score
from bot.engine.simple import Scripted
from bot.engine.solver import Solver
from bot.engine.timed import TimedSearch
from bot.engine.traps import trap_strength
from bot.game import Board
from tests.positions import BEYOND_BOOK, DRAWN, FIRST_WON, SECOND_WON

EMPTY = Board()
STOPPED = StopFlag()
STOPPED.set()
LATE = Board.from_moves(BEYOND_BOOK)
WIN_IN_4, THREAT_IN_4 = Board.from_moves("414141"), Board.from_moves("41414")
"""Three discs above each other in column 4: of the side to move, and of its opponent."""


@pytest.mark.parametrize(("moves", "score"), [(FIRST_WON, -18), (SECOND_WON, -18), (DRAWN, 0)])
def test_a_win_scores_22_minus_the_winners_discs_and_a_draw_nothing(moves, score):
    assert finished_score(Board.from_moves(moves)) == score


@pytest.mark.parametrize("how", [{"deadline_s": 0.05}, {"deadline_s": 2.0, "stop": STOPPED}])
def test_where_time_runs_out_or_a_stop_is_set_the_bounds_enclose_the_score(how):
    """The empty board takes minutes."""
    told = Analyst().analyse(EMPTY, **how)
    assert told.lower <= 1 <= told.upper
    assert (told.best, explain(told, 0)) == ((), "not solved")
    assert told.nodes < 10_000 or "stop" not in how


@pytest.mark.parametrize("moves", [FIRST_WON, DRAWN])
def test_a_finished_game_is_refused(moves):
    for ask in (Solver().solve, Solver().solve_columns, Analyst().analyse):
        with pytest.raises(ValueError, match="over"):
            ask(Board.from_moves(moves))


def test_the_bot_plays_by_the_book_then_by_proof_then_by_search():
    by_book, by_proof = Perfect().choose(EMPTY, Limit()), Perfect(unhurried=True).choose(LATE, Limit())
    assert (by_book.column, by_book.score, by_book.source) == (3, 1, "book")
    assert (by_proof.score, by_proof.proven, by_proof.source) == (Solver().solve(LATE).score, True, "solver")
    assert Perfect().choose(LATE, Limit(nodes=1000)).source == "search"
    assert Perfect().choose(Board.from_moves(BEYOND_BOOK[:9]), Limit(depth=4)).source == "search"


def test_a_choice_by_the_book_needs_no_compiler_and_is_the_same_with_it():
    cold, warm = Perfect(), Perfect()
    warm.warm_up()
    for moves in ("4", "4453", "44444", "4141", BEYOND_BOOK[:7]):
        board = Board.from_moves(moves)
        assert replace(cold.choose(board, Limit()), seconds=0.0) == replace(warm.choose(board, Limit()), seconds=0.0)
    assert "solver" not in vars(cold._analyst), "the solver is not loaded"
    ready = [Perfect().is_ready(Board.from_moves(BEYOND_BOOK[:ply])) for ply in range(11)]
    assert ready == [True] * 8 + [False] * 3
    deepest = Board.from_moves(BEYOND_BOOK[:9])
    assert [Analyst(shipped_book()).is_ready(deepest, columns=columns) for columns in (False, True)] == [True, False]


def test_a_search_does_not_play_what_the_solver_has_proven_worse(monkeypatch):
    perfect, open_ = Perfect(), Solved(-2, 3)
    as_good = [open_, open_, Solved(-2, 5), open_, Solved(5, 6), open_, open_]
    proven = [[open_] * 7, as_good, [open_, open_, Solved(-5, -4), *as_good[3:]]]
    monkeypatch.setattr(perfect._analyst, "columns", lambda *_, **__: proven.pop(0))
    monkeypatch.setattr(perfect._search, "choose", lambda *_: Scripted("3").choose(EMPTY, Limit()))
    assert [perfect.choose(LATE, Limit()).column for _ in range(3)] == [2, 2, 4]


def test_among_equal_moves_it_sets_the_trap_that_a_minimax_bot_walks_into():
    for moves, column in (("35", 4), ("43655", 3), ("676", 5)):  # drawn, lost, lost
        assert Perfect().choose(Board.from_moves(moves), Limit()).column == column
    assert trap_strength([0, -1, None, 0], 0, likely=[1]) == (1.0, 1 / 3, 1.0, 1 / 3)


def test_a_stop_ends_the_comparison_of_traps_too(monkeypatch):
    asked, columns, stop = list[Any](), Analyst.columns, StopFlag()

    def noted(self, board, **options):
        asked.append(options.get("stop"))
        return columns(self, board, **options)

    monkeypatch.setattr(Analyst, "columns", noted)
    Perfect().choose(Board.from_moves("35"), Limit(), stop)
    assert len(asked) > 1 and all(given is stop for given in asked)


@pytest.mark.parametrize("agent", [Perfect(), TimedSearch(), TimedSearch("alphabeta"), Minimax(2), Minimax(8)])
def test_every_engine_takes_a_win_stops_one_and_answers_after_a_stop(agent):
    win = agent.choose(WIN_IN_4, Limit())
    assert (win.column, win.score, win.proven) == (3, 18, True)
    assert agent.choose(THREAT_IN_4, Limit()).column == 3
    hurried = agent.choose(LATE, Limit(1e5, 1e5), STOPPED)
    assert LATE.can_play(hurried.column) and (hurried.nodes or 0) < 100


@pytest.mark.parametrize("opening", ["", "1"])
def test_a_script_is_played_from_its_beginning_by_either_side_and_then_the_leftmost_column(opening):
    boards = [Board.from_moves(opening + moves) for moves in ("", "41", "4141")]
    assert [Scripted("45").choose(board, Limit()).column for board in boards] == [3, 4, 0]
