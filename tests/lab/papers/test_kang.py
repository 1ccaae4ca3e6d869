"""Kang 2019 as data: the printed tables, the cells without chance, and the readings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from bot.lab.experiments.compare import Judged, judge
from bot.lab.experiments.frame import Frame, frame_of
from bot.lab.experiments.paper import Statement, all_runs, all_tables, papers
from bot.lab.experiments.plan import is_held, rows_of
from bot.lab.experiments.printed import measured_cells, ours, printed_cells
from bot.lab.experiments.run import run_experiment, saved
from bot.lab.experiments.statistics import same_shares

FIRST_NODES = {4: (815, 834, 919, 1439, 1263), 6: (15_199, 15_439, 15_801, 31_531, 39_279)}
"""Nodes of the moves before the first random one, by depth; the former laboratory counted the same."""


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Frame]:
    out: Path = tmp_path_factory.mktemp("kang")
    found = {}
    for name in ("kang-figures", "kang-moves"):
        run_experiment(name, out, quick=True)
        frame = saved(name, out)
        assert frame is not None
        found[name] = frame
    return found


def judged(frames: dict[str, Frame]) -> dict[str, Judged]:
    return {each.statement.id: each for each in judge([papers()["kang"]], frames)}


def test_nodes_before_the_first_random_move_are_the_same_in_every_game(frames: dict[str, Frame]) -> None:
    for depth, expected in FIRST_NODES.items():
        for ply, nodes in enumerate(expected):
            found = frames["kang-figures"].where({"depth": depth, "ply": ply}).numbers["nodes"]
            assert set(found) == {nodes}


def test_statements_on_positions_are_decided_without_a_sample(frames: dict[str, Frame]) -> None:
    found = judged(frames)
    assert found["kang-early"].verdict == "refuted"
    assert found["kang-neither-alone"].verdict == "supported"
    assert found["kang-pruning"].verdict == "supported"
    assert found["kang-table6"].missing == ("kang-table6",)


def test_the_unit_of_the_figures_is_a_game(frames: dict[str, Frame]) -> None:
    (reading,) = judged(frames)["kang-nodes-time"].readings
    assert [each.estimate.size for each in reading.comparisons] == [10, 10]


def test_the_printed_tables_are_whole() -> None:
    cells = {name: printed_cells(table) for name, table in all_tables().items() if name.startswith("kang")}
    assert {name: len(found) for name, found in cells.items()} == {
        "kang-table6": 32,
        "kang-table7": 4,
        "kang-table8": 3,
        "kang-table9": 8,
    }
    points = []
    for one, other in zip(cells["kang-table6"][::2], cells["kang-table6"][1::2], strict=True):
        place = dict(one.row)
        score = 0.5 + (float(one.printed or 0) - float(other.printed or 0)) / 2
        if place["one"] != place["two"]:
            points.append(score if int(place["one"]) > int(place["two"]) else 1 - score)
    assert np.mean(points) == pytest.approx(0.746, abs=0.001), "the deeper side's points"


def games(shares: dict[int, tuple[float, float]], count: int) -> Frame:
    """Return games of Table 9 whose shares are given by depth, in the reading that the table shows."""
    run = all_runs()["kang-table9"]
    rows = [(depth, game < won * count) for depth, (won, _) in shares.items() for game in range(count)]
    labels = {
        label: np.array([values[0]] * len(rows), dtype=object)
        for label, values in run.grid.items()
        if isinstance(values, list)
    }
    labels["depth"] = np.array([depth for depth, _ in rows], dtype=object)
    labels["game"] = np.arange(len(rows)).astype(object)
    won = np.array([float(is_won) for _, is_won in rows])
    return Frame(labels, {"n": np.ones(len(rows)), "H1.won": won, "H2.won": 1 - won, "H1.points": won}, {})


@pytest.mark.parametrize(
    ("shares", "verdicts"),
    [
        ({2: (0.24, 0.76), 4: (0.6, 0.4), 6: (0.76, 0.24), 8: (0.81, 0.19)}, ("supported", "supported", "supported")),
        (
            {2: (0.9, 0.1), 4: (0.5, 0.5), 6: (0.3, 0.7), 8: (0.1, 0.9)},
            ("not reproduced", "not reproduced", "not reproduced"),
        ),
    ],
)
def test_statements_on_table_9_follow_the_games(
    shares: dict[int, tuple[float, float]], verdicts: tuple[str, ...]
) -> None:
    found = judged({"kang-table9": games(shares, 200)})
    assert tuple(found[name].verdict for name in ("kang-table9", "kang-weak-at-2", "kang-grows")) == verdicts


@pytest.mark.parametrize(
    ("won", "verdict"), [(100, "not reproduced"), (38, "undecided"), (10, "depends on the reading")]
)
def test_a_reading_that_chance_gives_decides_nothing(won: int, verdict: str) -> None:
    """Of 40 readings one wins 38 of 100 games: so few come once in 60 times where it is not weaker."""
    frame = games({2: (0.5, 0.5)}, 4000)
    game = np.arange(4000)
    frame.labels["ties"][:] = (game // 100).astype(object)
    frame.numbers["H1.points"][:] = game >= 100 - won
    found = judged({"kang-table9": frame})["kang-weak-at-2"]
    assert found.verdict == verdict and found.findings.count("holds") == (won < 100)


def test_all_readings_play_the_cheap_depths_and_only_those() -> None:
    run = all_runs()["kang-table9"]
    rows = [row for row in rows_of(run, quick=True) if not is_held(run, row)]
    readings = {tuple(row[label] for label in run.readings) for row in rows}
    assert (len(readings), len(rows)) == (2 * 3 * 2**5, 2 * 384)
    assert all(is_held(run, row) == (row["depth"] in (6, 8)) for row in rows_of(run, quick=False))


def test_a_table_shows_the_reading_of_the_first_values() -> None:
    run, table = all_runs()["kang-features"], all_tables()["kang-table8"]
    first: dict[str, object] = {label: values[0] for label, values in run.grid.items() if isinstance(values, list)}
    rows = [{**first, "features": "1+2", "ties": ties} for ties in ("lowest", "centre")]
    frame = frame_of(rows, [{"H1.won": 1}, {"H1.won": 0}])  # type: ignore[arg-type]
    assert [cell.measured for cell in measured_cells(table, frame)] == [0.5]
    assert [cell.measured for cell in ours(table, frame)[0]] == [1]


def test_counts_are_compared_as_scipy_does_where_they_are_large() -> None:
    one, other = np.array([[200.0, 120, 80]]), np.array([[180.0, 152, 68]])
    chance = chi2_contingency(np.vstack([one, other]), lambda_="log-likelihood").pvalue
    assert same_shares(one, other) == pytest.approx(chance, abs=0.03)


def test_equal_shares_are_rarely_called_different() -> None:
    random = np.random.default_rng(1)
    shares = np.array([[0.05, 0.9, 0.05], [0.5, 0.5, 0.0], [0.3, 0.6, 0.1]])
    low = 0
    for _ in range(200):
        one, other = (random.multinomial(size, shares, 3).astype(np.float64) for size in (10, 40))
        low += same_shares(one, other) < 0.05
    assert low / 200 < 0.1


def test_an_existence_is_not_refuted_by_trials_that_fail() -> None:
    (statement,) = [each for each in papers()["kang"].says if each.id == "kang-weaker-deeper"]
    assert isinstance(statement, Statement) and statement.exists
    losing = games({2: (0.0, 1.0)}, 100)
    labels = {**losing.labels, "features": losing.labels["rest"], "depths": losing.labels["rest"]}
    numbers = {**losing.numbers, "weaker.points": losing.numbers["H1.points"]}
    found = judged({"kang-weaker": Frame(labels, numbers, {})})
    assert found["kang-weaker-deeper"].verdict == "not reproduced"
