"""van der Schee 2014: the calls of the published program, and the effect of its defects."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.agents.family import make_paper_agent
from bot.agents.papers.van_der_schee import schee_score
from bot.engine.agent import Limit
from bot.game import Board
from tests.agents import reference
from tests.engine.positions import boards, sample

UNLIMITED = Limit(hard_s=math.inf)
VECTORS = """\
3 | 22,0,10 | -36,3,497 | 22,0,967 | -25,3,10276
0 | 0,6,32 | -21,3,230 | 0,0,459 | -17,3,7144
2 | 12,0,10 | -28,2,369 | 12,0,740 | -27,3,14645
32 | -18,0,176 | 2,2,366 | -24,0,6654 | -23,0,1917
323 | 44,0,10 | -39,3,696 | 38,0,1287 | -51,3,30714
33 | -7,0,88 | -2,3,111 | -7,0,564 | -5,3,768"""


def search(name: str, board: Board) -> tuple[float | None, int, int | None]:
    decision = make_paper_agent(name).choose(board, UNLIMITED)
    return decision.score, decision.column, decision.nodes


def won_published(_grid: reference.Grid, winner: int, _depth: int) -> int:
    return 999 * winner


def won_intended(_grid: reference.Grid, winner: int, _depth: int) -> int:
    return 1_000_000 * winner


@pytest.mark.parametrize("line", VECTORS.splitlines())
def test_value_column_and_calls_of_the_published_program(line: str) -> None:
    moves, *vectors = line.split(" | ")
    board = Board.from_moves(map(int, moves))
    for depth, vector in enumerate(vectors, start=1):
        assert search(f"vds:{depth}", board) == tuple(map(int, vector.split(",")))


@settings(max_examples=15, deadline=None)
@given(board=boards(), depth=st.integers(1, 3))
def test_the_published_search_is_the_plain_python_one_call_for_call(board: Board, depth: int) -> None:
    grid, _ = reference.grid_of(board)
    value, column, calls = reference.PublishedSchee().search(grid, depth)[-1]
    fallback = board.legal_columns()[0]
    assert search(f"vds:{depth}", board) == (value, fallback if column is None else column, calls)


@settings(max_examples=20, deadline=None)
@given(board=boards(8), depth=st.integers(1, 3))
def test_the_intended_search_finds_the_minimax_value(board: Board, depth: int) -> None:
    grid, _ = reference.grid_of(board)
    value = reference.minimax(grid, 1, depth, reference.schee_intended, won_intended, 0)
    assert search(f"vds-intended:{depth}", board)[0] == value


@settings(max_examples=30, deadline=None)
@given(board=boards())
def test_the_published_search_finds_the_minimax_value_at_depth_1(board: Board) -> None:
    grid, _ = reference.grid_of(board)
    value = reference.minimax(grid, 1, 1, reference.schee, won_published, 0)
    if abs(value) < 1000:  # beyond the bounds that the driver starts from, the value cannot be found
        assert search("vds:1", board)[0] == value


def test_the_published_table_is_unsound() -> None:
    """Its own vector after "32" at depth 4 is -23, where minimax with the same leaves finds 6."""
    board = Board.from_moves([3, 2])
    grid, _ = reference.grid_of(board)
    assert search("vds:4", board)[0] == -23
    assert reference.minimax(grid, 1, 4, reference.schee, won_published, 0) == 6


def test_the_published_leaf_changes_its_sign_with_the_parity_of_the_depth() -> None:
    for board in sample(10, 2, 20):
        grid, _ = reference.grid_of(board)
        assert reference.schee(grid, 1) == -reference.schee(grid, -1)
    assert search("vds:1", Board.from_moves([3]))[1] == 0, "it plays the move that it considers worst"
    assert search("vds-intended:1", Board.from_moves([3]))[1] == 3


def test_the_table_outlives_a_move_but_not_the_agent() -> None:
    board = Board.from_moves([3])
    agent = make_paper_agent("vds:4")
    first, again = (agent.choose(board, UNLIMITED).nodes for _ in range(2))
    assert first == 10276
    assert again is not None and again < first


def test_a_table_shared_by_both_sides_keeps_their_entries_apart() -> None:
    agent = make_paper_agent("vds-intended:4")
    for moves in ("3", "32", "323"):
        board = Board.from_moves(map(int, moves))
        assert agent.choose(board, UNLIMITED).score == search("vds-intended:4", board)[0]


@settings(max_examples=15, deadline=None)
@given(board=boards(8), depth=st.integers(1, 3), search_name=st.sampled_from(["mtdf", "alpha-beta", "minimax"]))
def test_other_searches_find_the_minimax_value_of_the_published_leaves(
    board: Board, depth: int, search_name: str
) -> None:
    grid, _ = reference.grid_of(board)
    value = reference.minimax(grid, 1, depth, reference.schee, won_published, 0)
    assert search(f"vds:{depth},search={search_name}", board)[0] == value


def test_a_clock_counts_the_nodes_of_all_depths_and_finishes_the_last_one() -> None:
    board = Board.from_moves([3])
    one, two = (search(f"vds-intended:{depth},clock=1000000", board)[2] or 0 for depth in (1, 2))
    assert search("vds-intended:9,clock=1", board)[2] == one
    assert search(f"vds-intended:9,clock={one + 1}", board)[2] == two > one


def test_without_mirrored_boards_the_value_is_the_same_and_the_work_is_not_less() -> None:
    for moves in ([], [3], [3, 3]):
        board = Board.from_moves(moves)
        with_mirror, without = (search(f"vds-intended:5{option}", board) for option in ("", ",mirror=0"))
        assert with_mirror[:2] == without[:2]
        assert (without[2] or 0) > (with_mirror[2] or 0)


def test_stacked_threats_cost_as_published_and_earn_as_intended() -> None:
    """The owner's score after 46656254475 (columns 1 to 7)."""
    board = Board.from_moves(int(column) - 1 for column in "46656254475")
    assert [int(schee_score(board.opponent, board.current, intended)) for intended in (0, 1)] == [-199, 395]
