"""The EDAP01 report: cells that no chance changes, and what they decide."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.game import Board
from bot.lab.experiments.compare import Judged, judge
from bot.lab.experiments.frame import Frame
from bot.lab.experiments.paper import all_runs, papers
from bot.lab.experiments.plan import rows_of
from bot.lab.experiments.run import run_experiment, saved

RUNS = ("edap01-ends", "edap01-orders")
ORDERS = {"published": (24036, 36366), "list": (16398, 22891), "left": (35410, 47303), "edge": (55855, 71592)}
"""Leaves and nodes of each role in the positions of a quick run."""


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Frame]:
    """Return the results of the runs without chance: one in full, the other quick."""
    folder = tmp_path_factory.mktemp("edap01")
    found = {}
    for name in RUNS:
        run_experiment(name, folder, quick=name == "edap01-orders")
        frame = saved(name, Path(folder))
        assert frame is not None
        found[name] = frame
    return found


@pytest.fixture(scope="module")
def judged(frames: dict[str, Frame]) -> dict[str, Judged]:
    return {each.statement.id: each for each in judge([papers()["edap01"]], frames)}


def test_the_published_search_visits_nodes_below_a_won_position(frames: dict[str, Frame]) -> None:
    ends = frames["edap01-ends"]
    parts = [part for _, part in ends.groups(["position"])]
    assert [part.evaluate("published.nodes") for part in parts] == [3, 3, 3, 3]
    assert [part.evaluate("intended.nodes") for part in parts] == [2, 2, 2, 2]


def test_the_only_column_of_those_positions_wins_and_leaves_empty_cells() -> None:
    for row in rows_of(all_runs()["edap01-ends"], quick=False):
        board = Board.from_moves(map(int, str(row["position"])))
        (column,) = board.legal_columns()
        assert board.wins_with(column) and board.ply <= 40


def test_the_counts_of_the_orders_are_those_of_before(frames: dict[str, Frame]) -> None:
    orders = frames["edap01-orders"]
    counts = {role: (orders.evaluate(f"{role}.leaves"), orders.evaluate(f"{role}.nodes")) for role in ORDERS}
    assert counts == ORDERS


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("edap01-first-player", "supported"),
        ("edap01-move-41", "supported"),
        ("edap01-outer", "supported"),
        ("edap01-draw", "refuted"),
        ("edap01-search", "refuted"),
        ("edap01-limit", "supported"),
    ],
)
def test_what_no_chance_decides(judged: dict[str, Judged], name: str, verdict: str) -> None:
    assert judged[name].verdict == verdict


def test_the_second_player_has_no_draw_and_the_first_has_one(judged: dict[str, Judged]) -> None:
    first, second = judged["edap01-draw"].readings[0].comparisons
    assert (first.estimate.value, first.is_inside) == (1, True)
    assert (second.estimate.value, second.is_inside) == (-1, False)


def test_the_assumed_constants_are_varied_over_twelve_sets() -> None:
    run = all_runs()["edap01-games"]
    rows = list(rows_of(run, quick=False))
    sets = {(row["streaks"], row["columns"]) for row in rows}
    assert len(sets) == 12 and ("10+100+100000", "6+3+1") in sets
    games = [row for row in rows if (row["streaks"], row["columns"], row["bot"]) == ("1+10+100", "3+2+1", "random")]
    assert len(games) == 200 and sum(row["first"] == "agent" for row in games) == 100
