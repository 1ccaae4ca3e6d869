"""Rows as columns, and expressions over their sums."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from bot.errors import UsageError
from bot.lab.experiments.frame import Frame, frame_of
from bot.lab.experiments.plan import Row


def game(first: str, moves: str, points: float, x: list[float], o: list[float]) -> dict[str, Any]:
    """Return a game: points of the side that starts; leaves, nodes, seconds and moves of either side."""
    found: dict[str, Any] = {"moves": moves, "plies": len(moves)}
    for role, counts in (("X", x), ("O", o), ("first", x if first == "X" else o)):
        mine = points if role in (first, "first") else 1 - points
        ends = {"won": int(mine == 1), "drawn": int(mine == 0.5), "lost": int(mine == 0)}
        numbers = {**dict(zip(("leaves", "nodes", "seconds", "moves"), counts, strict=True)), "points": mine, **ends}
        found |= {f"{role}.{name}": number for name, number in numbers.items()}
    return {**found, "result": "LDW"[int(2 * found["X.points"])]}


def games() -> Frame:
    rows: list[Row] = [{"depth": depth, "first": first} for depth in (2, 3) for first in ("X", "O")]
    results = [
        game("X", "3333", 1, [10, 20, 0.5, 2], [1, 1, 0.1, 2]),
        game("O", "3344", 1, [30, 40, 0.5, 2], [1, 1, 0.1, 2]),
        game("X", "33445", 0.5, [100, 200, 1.0, 3], [4, 5, 0.1, 2]),
        game("O", "33445", 0, [300, 400, 1.0, 3], [4, 5, 0.1, 2]),
    ]
    return frame_of(rows, results)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("n", 4),
        ("X.leaves", 440),
        ("X.leaves / O.leaves", 44),
        ("100 * X.won / n", 50),
        ("X.drawn", 1),
        ("X.lost + X.won + X.drawn", 4),
        ("X.points + O.points", 4),
        ("first.points", 2.5),
        ("X.seconds / X.moves", 0.3),
        ("plies", 18),
        ("by('depth', 3).X.leaves", 400),
        ("by('depth', 3).X.leaves / by('depth', 2).X.leaves", 10),
        ("by('first', 'O').n", 2),
        ("by('result', 'W').plies", 9),
        ("by('depth', 2).value('X.nodes / n')", 30),
        ("by('depth', 3).by('first', 'O').X.nodes", 400),
        ("rows('X.leaves > 20').n", 3),
        ("rows('depth == 2').X.leaves", 40),
        ("slope('depth', 'X.leaves / n')", 180),
        ("agree('first')", 0.5),
        ("max(1, 2) + min(1, 2) + abs(-3) + floor(1.5)", 7),
        ("log(1)", 0),
    ],
)
def test_expressions_over_games(expression: str, value: float) -> None:
    assert games().evaluate(expression) == pytest.approx(value)


def test_a_label_has_a_value_only_where_all_rows_share_it() -> None:
    frame = games()
    assert frame.where({"depth": 3}).evaluate("depth") == 3
    with pytest.raises(UsageError, match="depth has 2 values"):
        frame.evaluate("depth")


def test_an_unknown_name_is_an_error() -> None:
    for expression in ("Y.leaves", "X.beauty", "leafs", "by('size', 3).n", "X.leaves +", "n()"):
        with pytest.raises(UsageError, match="cannot be computed"):
            games().evaluate(expression)


def test_an_expression_reaches_nothing_but_the_rows() -> None:
    with pytest.raises(UsageError, match="__import__"):
        games().evaluate("__import__('os').getcwd()")


def test_rows_that_do_not_exist_give_no_number() -> None:
    assert math.isnan(games().evaluate("by('depth', 9).X.leaves / by('depth', 9).n"))


def test_rows_are_chosen_by_one_value_or_by_several_and_unknown_labels_match_all() -> None:
    frame = games()
    assert frame.where({"depth": 2}).size == frame.where({"first": ["X"]}).size == 2
    assert frame.where({"depth": [2, 3], "colour": "red"}).size == 4
    assert [row for row, _ in frame.groups(["depth", "first"])][1] == {"depth": 2, "first": "O"}
    assert frame.values("depth") == [2, 3] and frame.values("colour") == []


def test_weights_count_rows() -> None:
    assert games().evaluate("X.leaves / n", np.array([0.0, 2, 0, 0])) == 30


def test_an_expression_by_row_and_one_that_needs_several() -> None:
    frame = games()
    by_row = frame.each_row("X.won / n")
    assert by_row is not None and list(by_row) == [1, 0, 0, 1]
    for expression in ("agree('first')", "by('depth', 2).X.won / by('depth', 2).n", "max(X.won, O.won)", "0.5"):
        assert frame.each_row(expression) is None, expression


def test_the_outcome_of_one_game() -> None:
    outcomes = [part.evaluate("outcome(X)") for _, part in games().groups(["depth", "first"])]
    assert outcomes == ["W4", "L4", "D5", "W5"]


def test_a_run_of_moves_has_a_row_for_each() -> None:
    counts = {"ply": [2, 3], "leaves": [1, 2], "nodes": [5, 3], "passes": [0, 0], "seconds": [0.1, 0.2]}
    frame = frame_of([{"depth": 2}, {"depth": 3}], [counts, {**counts, "nodes": [5, 3]}])
    assert frame.size == 4
    assert (frame.evaluate("nodes"), frame.evaluate("ply"), frame.values("moved")) == (16, 10, [0, 1])
    assert frame.evaluate("rank('nodes', 'ply')") == pytest.approx(-1)


def test_positions_have_each_agents_answer() -> None:
    answer = {"A.column": 3, "A.nodes": 2, "A.kept": 1, "B.nodes": 9}
    answers = [
        {**answer, "B.column": 2, "B.kept": 0, "B.regret": 0.5},
        {**answer, "B.column": 3, "B.kept": 1, "B.regret": 0.0},
    ]
    frame = frame_of([{"position": ""}, {"position": "3"}], answers)
    assert frame.evaluate("same(A, B)") == 0.5
    assert frame.evaluate("B.regret / n") == 0.25 and frame.evaluate("A.kept / n") == 1
    assert frame.evaluate("B.nodes / A.nodes") == 4.5


def test_the_exact_score_of_a_position() -> None:
    assert [games().evaluate(f"score('{moves}')") for moves in ("", "4", "1")] == [1, -1, 2]
