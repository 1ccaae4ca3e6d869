"""Rows as columns, and expressions over their sums."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bot.errors import UsageError
from bot.lab.experiments.frame import Frame, frame_of
from bot.lab.experiments.paper import Where
from bot.lab.experiments.plan import Row

CHOSEN: list[Where] = [{"depth": 2}, {"first": ["X"]}, {"plies": 4}, {"depth": [2, 3], "colour": "red"}, {"depth": 9}]
ROWS: list[Row] = [{"depth": depth, "first": first} for depth in (2, 3) for first in ("X", "O")]
GAMES = (
    # moves, X's points, leaves of X and of O, seconds of X
    ("3333", 1.0, 10, 1, 0.5),
    ("3344", 0.0, 30, 1, 0.5),
    ("33445", 0.5, 100, 4, 1.0),
    ("33445", 1.0, 300, 4, 1.0),
)


def games() -> Frame:
    """Return two games at each of two depths."""
    results = [
        {
            **{"moves": moves, "plies": len(moves), "result": "LDW"[int(2 * points)]},
            **{"X.points": points, "X.won": points == 1, "X.lost": points == 0, "O.won": points == 0},
            **{"X.leaves": leaves, "O.leaves": theirs, "X.seconds": seconds},
        }
        for moves, points, leaves, theirs, seconds in GAMES
    ]
    return frame_of(ROWS, results)


EXPRESSIONS = {
    "n": 4,
    "X.leaves": 440,
    "X.leaves / O.leaves": 44,
    "100 * X.won / n": 50,
    "X.points": 2.5,
    "X.seconds / n": 0.75,
    "plies": 18,
    "by('depth', 3).X.leaves / by('depth', 2).X.leaves": 10,
    "by('result', 'W').plies": 9,
    "by('depth', 2).value('X.leaves / n')": 20,
    "by('depth', 3).by('first', 'O').X.leaves": 300,
    "rows('X.leaves > 20').n": 3,
    "rows('depth == 2').X.leaves": 40,
    "slope('depth', 'X.leaves / n')": 180,
    "agree('first')": 0.5,
    "rank('X.leaves', 'plies')": 2 / math.sqrt(5),
    "across('depth', 'X.leaves', 'O.leaves')": 1,
    "across('depth', 'X.leaves', '-plies')": -1,
    "max(1, 2) + min(1, 2) + abs(-3) + floor(1.5) + log(1) + comb(4, 2)": 13,
}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_over_games(expression: str) -> None:
    assert games().evaluate(expression) == pytest.approx(EXPRESSIONS[expression])


def test_the_outcome_of_one_game_and_of_no_other_number_of_games() -> None:
    outcomes = [part.evaluate("outcome(X)") for _, part in games().groups(["depth", "first"])]
    assert outcomes == ["W4", "L4", "D5", "W5"] and games().evaluate("outcome(X)") == ""


@pytest.mark.parametrize(
    "expression", ["Y.leaves", "X.beauty", "leafs", "by('size', 3).n", "X.leaves +", "n()", "depth", "__import__('os')"]
)
def test_what_the_rows_do_not_have_is_an_error(expression: str) -> None:
    with pytest.raises(UsageError, match="cannot be computed"):
        games().evaluate(expression)


def test_rows_are_chosen_by_one_value_or_by_several_and_unknown_labels_match_all() -> None:
    frame = games()
    assert [frame.where(each).size for each in CHOSEN] == [2, 2, 2, 4, 0]
    assert frame.where({"depth": 3}).evaluate("depth") == 3, "a label that all rows share has a value"
    assert [row for row, _ in frame.groups(["depth", "first"])] == ROWS
    assert frame.values("depth") == [2, 3] and frame.values("colour") == []
    assert math.isnan(frame.evaluate("by('depth', 9).X.leaves / by('depth', 9).n")), "no rows give no number"


def test_rows_count_by_their_weights_and_some_expressions_for_each_alone() -> None:
    frame = games()
    assert frame.evaluate("X.leaves / n", np.array([0.0, 2, 0, 0])) == 30
    each = frame.each_row("X.won / n")
    assert each is not None and list(each) == [1, 0, 0, 1]
    for expression in ("agree('first')", "by('depth', 2).X.won / by('depth', 2).n", "max(X.won, O.won)", "0.5"):
        assert frame.each_row(expression) is None, expression


def test_a_run_of_moves_has_a_row_for_each() -> None:
    frame = frame_of([{"depth": 2}, {"depth": 3}], [{"ply": [2, 3], "nodes": [5, 3]}] * 2)
    found = [frame.evaluate(text) for text in ("n", "nodes", "ply", "rank('nodes', 'ply')")]
    assert found == pytest.approx([4, 16, 10, -1]) and frame.values("moved") == [0, 1]


def test_positions_have_each_agents_answer_and_an_exact_score() -> None:
    frame = frame_of([{}, {}], [{"A.column": 3, "B.column": 2}, {"A.column": 3, "B.column": 3}])
    expressions = ("same(A, B)", "score('')", "score('4')", "score('1')")
    assert [frame.evaluate(each) for each in expressions] == [0.5, 1, -1, 2]
