"""Leaf values: against plain Python on random positions, and against values taken from the sources."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.agents.family import make_paper_agent
from bot.agents.kernels.windows import window_counts
from bot.agents.papers import kang, rmarcus, tommy
from bot.agents.papers.kang import connected_value, lone_value
from bot.agents.papers.van_der_schee import AS_INTENDED, PUBLISHED, schee_score
from bot.agents.program import WINDOW_MATRIX
from bot.game import Board
from tests.agents import reference
from tests.engine.positions import boards

EVALUATIONS = {
    "tommy": (tommy.PROGRAM, reference.tommy),
    "halim": (make_paper_agent("halim:1").program, reference.halim),
    "rmarcus": (rmarcus.PROGRAM, reference.web),
    "edap01": (make_paper_agent("edap01").program, reference.edap01),
    "kang-h2": (kang.SECOND, reference.squares),
    "schee": (PUBLISHED, reference.schee),
    "schee-intended": (AS_INTENDED, reference.schee_intended),
}
STATIC = {
    "tommy": "3=7 33=-3 332=26 3324=-5 0=3 06=0 3333=-2 3323=6 33241=87",
    "kang-h2": "3=7 33=-3 332=2 3324=-3 0=3 06=0 3333=-3 3323=-11 33241=1",
    "rmarcus": "3=7 33=-3 332=-1 3324=-5 0=3 06=0 3323=-12 33241=-3",
}


@pytest.mark.parametrize("name", EVALUATIONS)
@settings(max_examples=60, deadline=None)
@given(board=boards(), side=st.sampled_from([1, -1]))
def test_a_leaf_value_equals_the_plain_python_value(name: str, board: Board, side: int) -> None:
    program, leaf = EVALUATIONS[name]
    grid, _ = reference.grid_of(board)
    assert program.evaluate(board.current, board.opponent, side, program.rules) == leaf(grid, side)


@pytest.mark.parametrize("features", [{1}, {2}, {3}, {4}, {1, 2}, {1, 2, 3}, {1, 2, 3, 4}, {3, 4}])
@settings(max_examples=80, deadline=None)
@given(board=boards(4))
def test_kangs_features_equal_the_plain_python_features(features: set[int], board: Board) -> None:
    grid, _ = reference.grid_of(board)
    program = kang.first(frozenset(features))
    assert program.static_value(board) == reference.kang(features)(grid, 1)


@settings(max_examples=150, deadline=None)
@given(board=boards(4), readings=st.tuples(*[st.sampled_from([0, 1])] * 3, st.sampled_from([0, 5_000])))
def test_kangs_readings_equal_the_plain_python_readings(board: Board, readings: tuple[int, ...]) -> None:
    grid, _ = reference.grid_of(board)
    every, playable, now, rest = readings
    words = f"runs={('maximal', 'every')[every]},gap={('empty', 'playable')[playable]},column={('room', 'now')[now]}"
    program = make_paper_agent(f"kang-h1:1,{words},rest={rest}").program
    assert program.static_value(board) == reference.kang({1, 2, 3, 4}, readings=readings)(grid, 1)


@pytest.mark.parametrize(
    ("moves", "value", "why"),
    [
        ("3", 200, "one disc in column d"),
        ("60", 0, "lone discs in a and g"),
        ("2030", 50_000 - 30_000, "a pair open at both ends; a column of two with four cells above"),
        ("20304", 100_000_000 - 30_000, "three open at both ends"),
        ("06162", 900_000 - 30_000, "three at the edge"),
        ("20305", 900_000 + 70 - 30_000, "two, a gap and a third, which is also a lone disc in f"),
        ("001", 40_000 - 40, "a pair at the edge with five playable cells beyond; a lone disc in a"),
        ("061", 30_000 - 40, "the same with four"),
        ("06160", 30_000 + 30_000 - 30_000, "pairs along the bottom and up column a; a column of two"),
    ],
)
def test_kangs_features_on_the_papers_own_cases(moves: str, value: int, why: str) -> None:
    board = Board.from_moves(map(int, moves))
    first = Board(board.opponent, board.mask) if board.ply % 2 else board
    assert make_paper_agent("kang-h1:1").program.static_value(first) == value, why


def cells(*names: str) -> int:
    """Discs by the paper's names: column a-g and row 1-6."""
    return sum(1 << ("abcdefg".index(name[0]) * 7 + int(name[1]) - 1) for name in names)


@pytest.mark.parametrize(
    ("own", "other", "value", "why"),
    [
        ("c2 d2 e2", "b1 c1 d1 e1 f1", 100_000_000, "feature 2, both ends available: infinity"),
        ("c2 d2 e2", "b1 c1 d1 e1", 900_000, "feature 2, only (b,2) available"),
        ("c2 d2 e2", "c1 d1 e1", 0, "feature 2, (b,2) and (f,2) are not supported"),
        ("c2 d2 e2", "b1 c1 d1 e1 b2 f1 f2", 0, "feature 2, both ends occupied"),
        ("b1 c2 e4", "c1 e1 e2 e3", 900_000, "(b,1)-(c,2)-gap-(e,4), the gap square (d,3) is in the air"),
        ("c1 d2 f4", "d1 f1 f2 f3", 900_000, "(c,1)-(d,2)-gap-(f,4)"),
        ("b1 c1 e1", "", 900_000, "a gap in a row"),
        ("b1 c1 e1", "d1", 0, "no gap: the square is occupied and (a,1) leads nowhere"),
        ("b1 c1", "", 50_000, "feature 3, both sides available"),
        ("a1 b1", "", 40_000, "five available squares in that direction"),
        ("a1 b1", "g1", 30_000, "four"),
        ("a1 b1", "f1", 20_000, "three"),
        ("a1 b1", "e1", 10_000, "two"),
        ("a1 b1", "d1", 0, "one"),
        ("a1 b1", "c1", 0, "none"),
        ("a2 b2", "a1 b1 c1 d1 e1", 20_000, "until an unavailable one is met: (f,2) is not supported"),
        ("d1 d2", "", 30_000, "a column of two with four squares above"),
        ("d2 d3", "d1", 20_000, "with three"),
        ("d3 d4", "d1 d2", 10_000, "with two"),
        ("d5 d6", "d1 d2 d3 d4", 0, "with none"),
        ("d1 d2 d3", "", 900_000, "three in a column"),
        ("d4 d5 d6", "d1 d2 d3", 0, "three in a column, no room"),
    ],
)
def test_kangs_features_2_and_3_as_the_paper_defines_them(own: str, other: str, value: int, why: str) -> None:
    mine, theirs = cells(*own.split()), cells(*other.split())
    assert connected_value(mine, mine | theirs, kang.first(frozenset({2, 3})).rules) == value, why


@pytest.mark.parametrize(
    ("own", "other", "reading", "value", "why"),
    [
        ("d1 d2 d3", "", "runs=every", 900_000 + 20_000, "the upper pair has three squares above"),
        ("b1 c1 d1", "", "runs=every", 100_000_000 + 20_000, "c1-d1 has e1, f1 and g1; b1-c1 has a1 alone"),
        ("b1 c2 e4", "c1 e1 e2 e3", "gap=playable", 0, "(d,3) is in the air, and so is every end"),
        ("b1 c1 e1", "", "gap=playable", 900_000, "(d,1) is playable"),
        ("d1 d2", "", "column=now", 0, "one square is playable"),
        ("a1 b1", "d1", "rest=5000", 5_000, "one square"),
        ("a1 b1", "c1", "rest=5000", 5_000, "none"),
        ("a1 b1", "e1", "rest=5000", 10_000, "two, as printed"),
    ],
)
def test_kangs_readings_on_single_cases(own: str, other: str, reading: str, value: int, why: str) -> None:
    mine, theirs = cells(*own.split()), cells(*other.split())
    program = make_paper_agent(f"kang-h1:1,features=2+3,{reading}").program
    assert connected_value(mine, mine | theirs, program.rules) == value, why


@pytest.mark.parametrize(("column", "value"), [*zip("abcdefg", (40, 70, 120, 200, 120, 70, 40), strict=True)])
def test_kangs_feature_4_by_column(column: str, value: int) -> None:
    assert lone_value(cells(f"{column}1")) == value
    assert lone_value(cells(f"{column}1", f"{column}2")) == 0, "it has a neighbour"


def test_halims_terms() -> None:
    """x1 = open windows, 200 a disc in them, less 100 a disc in the opponent's: one disc d1 lies in 7 windows."""

    def value(mine: int, theirs: int, option: str = "") -> int:
        program = make_paper_agent(f"halim:1{option}").program
        return int(program.evaluate(mine, theirs, 1, program.rules))

    assert value(cells("d1"), 0) == 69 + 200 * 7
    assert value(0, cells("d1")) == (69 - 7) - 100 * 7
    assert value(cells("d1"), 0, ",lines=1") == 7 + 200 * 7
    assert value(0, cells("d1"), ",difference=1") == (69 - 7) - 69 - 100 * 7


@pytest.mark.parametrize("name", STATIC)
def test_the_static_values_of_the_sources(name: str) -> None:
    for entry in STATIC[name].split():
        moves, value = entry.split("=")
        board = Board.from_moves(map(int, moves))
        first = Board(board.opponent, board.mask) if board.ply % 2 else board
        assert EVALUATIONS[name][0].static_value(first) == int(value), moves


def test_the_scores_of_both_sides_in_van_der_schees_program() -> None:
    vectors = "3=36/0 33=32/39 0=14/0 334=54/34 3322=46/60 33221=62/55 3344=46/60 334422=60/81"
    for entry in vectors.split():
        moves, scores = entry.split("=")
        board = Board.from_moves(map(int, moves))
        discs = (board.opponent, board.current) if board.ply % 2 else (board.current, board.opponent)
        assert f"{schee_score(*discs, 0)}/{schee_score(*discs[::-1], 0)}" == scores


def test_there_are_69_windows_and_the_matrix_counts_them() -> None:
    assert sum(window_counts(0, 0)) == len(reference.WINDOWS) == 69
    for column in range(7):
        for row in range(6):
            through = sum((column, row) in window for window in reference.WINDOWS)
            assert window_counts(1 << column * 7 + row, 0)[1] == through == WINDOW_MATRIX[row][column]
