"""The EDAP01 report of 2021: its listing in plain Python, its figures, and its recommended reading."""

from __future__ import annotations

import numpy as np
import pytest

from bot.agents.catalogue import make_agent
from bot.engine.agent import NO_LIMIT_S, Decision, Limit, StopFlag
from bot.game import Board
from tests.positions import sample

UNLIMITED = Limit(hard_s=NO_LIMIT_S)
WON = Board.from_moves(map(int, "515605026026015666041444124154105222"))
"""Its one free column wins."""


def choose(name: str, board: Board) -> Decision:
    return make_agent(name).choose(board, UNLIMITED)


def test_listing_1_in_python_finds_value_column_and_nodes_of_the_compiled_program():
    for board in [*sample(10, 2, 34, seed=53), WON]:
        printed, compiled = (choose(name, board) for name in ("edap01-listing:3", "edap01:3"))
        assert (printed.score, printed.column, printed.nodes) == (compiled.score, compiled.column, compiled.nodes)


def test_listing_1_in_python_ends_when_it_is_stopped():
    stop = StopFlag()
    stop.set()
    found = make_agent("edap01-listing:9").choose(Board(), UNLIMITED, stop)
    assert found.depth == 3, "the search that replaces an interrupted one"


def test_the_default_is_the_recommended_reading():
    for family in ("edap01", "edap01-intended"):
        default, runs = (vars(make_agent(name))["program"] for name in (f"{family}:5", f"{family}:5,form=runs"))
        assert default.evaluate is runs.evaluate and np.array_equal(default.rules, runs.rules)


@pytest.mark.parametrize("board", sample(8, 2, 30, seed=3))
def test_figure_4_finds_what_minimax_finds_with_fewer_nodes(board):
    pruned, full = (choose(f"edap01:4,search={search}", board) for search in ("figure4", "minimax"))
    assert (pruned.score, pruned.column) == (full.score, full.column) and (pruned.nodes or 0) < (full.nodes or 0)


def test_figure_4_ends_below_a_win_of_the_student_where_the_listing_goes_on():
    assert [choose(f"edap01:5,search={search}", WON).nodes for search in ("figure4", "listing")] == [2, 3]
