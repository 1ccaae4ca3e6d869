"""Every kind of comparison on rows of both signs, and every verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from bot.lab.experiments import paper as paper_module
from bot.lab.experiments.compare import VERDICTS, Judged, Verdict, compare, estimate_of, judge
from bot.lab.experiments.frame import Frame
from bot.lab.experiments.paper import Paper, Run, Statement, Table, papers

RUN = "run"
RISING = [1.0, 2.0, 4.0]


def frame_of(labels: dict[str, Sequence[Any]], numbers: dict[str, Sequence[float]]) -> Frame:
    """Return rows with the given columns."""
    size = len(next(iter(numbers.values())))
    columns = {name: np.array(values, dtype=object) for name, values in labels.items()}
    cells = {"n": np.ones(size)} | {name: np.array(values, dtype=np.float64) for name, values in numbers.items()}
    return Frame(columns, cells, {})


def sample(values: Sequence[float]) -> Frame:
    """Return one row a position."""
    return frame_of({"position": [str(number) for number in range(len(values))]}, {"value": values})


def verdict_of(frame: Frame | None, **what: Any) -> Judged:
    statement = Statement.model_validate({"id": "s", "at": "1", "text": "t", "run": RUN, **what})
    source = Paper(name="toy", source="Toy", cite="", run={RUN: Run(title="")}, says=[statement])
    return judge([source], {} if frame is None else {RUN: frame})[0]


FAR, NEAR = [5.0, 6.0, 7.0, 6.0], [-1.0, 1.0, 0.5, -0.4]
EXACT: list[tuple[dict[str, Any], float, float]] = [
    ({"equal": [6]}, 6, 7),
    ({"equal": [1]}, 1, 0.6),
    ({"equal": [6.25]}, 6.253, 6.26),
    ({"equal": ["2 * n + 1"]}, 3, 4),
    ({"equal": [6], "margin": 1, "why": "a margin"}, 6.9, 7.1),
    ({"above": 6}, 6.1, 6),
    ({"below": 6}, 5.9, 6),
    ({"between": [1, 2]}, 2, 2.1),
    ({"differs": 1}, 1.01, 1),
]
"""Comparisons with a number for which they hold, and one for which they fail."""


@pytest.mark.parametrize(("what", "good", "bad"), EXACT)
def test_a_result_without_chance_decides_alone(what: dict[str, Any], good: float, bad: float) -> None:
    for value, verdict in ((good, "supported"), (bad, "refuted")):
        judged = verdict_of(frame_of({}, {"value": [value]}), values=["value"], **what)
        assert judged.verdict == verdict
        assert judged.readings[0].comparisons[0].estimate.is_exact


SAMPLED: list[tuple[dict[str, Any], list[float], list[float]]] = [
    ({"above": 0}, FAR, [-each for each in FAR]),
    ({"below": 0}, [-each for each in FAR], FAR),
    ({"between": [4, 8]}, FAR, [each + 5 for each in FAR]),
    ({"between": [4, 8]}, FAR, [each - 5 for each in FAR]),
    ({"equal": [6], "margin": 2, "why": "a margin"}, FAR, [each + 5 for each in FAR]),
]
"""Comparisons with a sample for which they hold, and one for which they fail."""


@pytest.mark.parametrize(("what", "good", "bad"), SAMPLED)
def test_a_sample_decides_where_it_is_clear(what: dict[str, Any], good: list[float], bad: list[float]) -> None:
    for values, verdict in ((good, "supported"), (bad, "refuted")):
        judged = verdict_of(sample(values), values=["value / n"], unit="position", **what)
        assert judged.verdict == verdict
        assert judged.p_values[0] < 0.05 and judged.readings[0].comparisons[0].estimate.size == 4


@pytest.mark.parametrize("what", [{"above": 0}, {"below": 0}, {"between": [0, 1]}, {"differs": 0}])
def test_a_sample_that_is_not_clear_decides_nothing(what: dict[str, Any]) -> None:
    assert verdict_of(sample(NEAR), values=["value / n"], unit="position", **what).verdict == "undecided"


def test_a_difference_is_shown_by_a_sample_and_never_refuted_by_one() -> None:
    assert verdict_of(sample(FAR), values=["value / n"], unit="position", differs=0).verdict == "supported"
    assert verdict_of(sample(NEAR), values=["value / n"], unit="position", differs=0).verdict == "undecided"


def test_a_seeded_game_is_a_draw() -> None:
    won = frame_of({"game": range(200)}, {"X.won": [1] * 195 + [0] * 5})
    judged = verdict_of(won, values=["X.won / n"], above=0.9)
    assert judged.verdict == "supported"
    estimate = judged.readings[0].comparisons[0].estimate
    assert estimate.is_share and (estimate.size, estimate.unit) == (200, "games")
    assert verdict_of(won, values=["X.won / n"], above=0.96).verdict == "undecided"
    repeated = frame_of({"repeat": range(200)}, {"X.won": [1] * 195 + [0] * 5})
    assert verdict_of(repeated, values=["X.won / n"], above=0.96).verdict == "supported", "no chance, no error"


def test_a_share_over_groups_of_games_is_no_share_of_rows() -> None:
    frame = frame_of({"game": [0, 1] * 20, "side": ["a"] * 20 + ["b"] * 20}, {"won": [1, 0] * 20})
    estimate = estimate_of(frame, "by('side', 'a').won / by('side', 'a').n", [])
    assert not estimate.is_share and estimate.value == 0.5


def steps(values: Sequence[float], spread: float) -> Frame:
    """Return eight positions at each of three depths, around these values."""
    noise = [spread * (-1) ** number for number in range(16)]
    rows = [
        (depth, place, value + noise[place * (depth % 2 + 1)])
        for depth, value in enumerate(values)
        for place in range(8)
    ]
    depths, positions, numbers = zip(*rows, strict=True)
    return frame_of({"depth": depths, "position": [str(place) for place in positions]}, {"value": numbers})


@pytest.mark.parametrize(
    ("values", "verdict"), [(RISING, "supported"), (RISING[::-1], "refuted"), ([1.0, 2.0, 1.5], "refuted")]
)
def test_a_value_rises_with_every_step(values: list[float], verdict: Verdict) -> None:
    judged = verdict_of(steps(values, 0.0), values=["value / n"], rises="depth")
    assert judged.verdict == verdict and len(judged.readings[0].comparisons) == 2
    assert verdict_of(steps(values, 0.1), values=["value / n"], rises="depth", unit="position").verdict == verdict


def test_one_step_that_is_not_clear_leaves_a_rise_undecided() -> None:
    rows = [(depth, place, depth * (place - 3.5)) for depth in range(3) for place in range(8)]
    depths, positions, numbers = zip(*rows, strict=True)
    frame = frame_of({"depth": depths, "position": positions}, {"value": numbers})
    assert verdict_of(frame, values=["value"], rises="depth", unit="position").verdict == "undecided"


def test_a_comparison_for_each_value_of_a_label_or_of_several() -> None:
    frame = frame_of({"depth": [1, 1, 2, 2], "side": ["a", "b"] * 2}, {"value": [1, 2, 3, 0]})
    assert verdict_of(frame, values=["value"], above=0, each="depth").verdict == "supported"
    judged = verdict_of(frame, values=["value"], above=0, each=["depth", "side"])
    assert judged.verdict == "refuted"
    assert [each.label for each in judged.readings[0].comparisons][3] == "value, depth 2, side b"
    assert verdict_of(frame, values=["value"], above=0, each="colour").readings[0].comparisons[0].label == "value"


def test_only_the_rows_of_where_count() -> None:
    frame = frame_of({"depth": [1, 2]}, {"value": [1, -1]})
    assert verdict_of(frame, values=["value"], above=0, where={"depth": 1}).verdict == "supported"
    assert verdict_of(frame, values=["value"], above=0, where={"depth": 9}).verdict == "undecided", "nothing was played"


def test_with_exists_one_comparison_is_enough() -> None:
    frame = frame_of({"depth": [1, 2]}, {"value": [1, -1]})
    assert verdict_of(frame, values=["value"], above=0, each="depth").verdict == "refuted"
    assert verdict_of(frame, values=["value"], above=0, each="depth", exists=True).verdict == "supported"
    assert verdict_of(frame, values=["value"], above=2, each="depth", exists=True).verdict == "not reproduced"


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ([1.0, 2.0, 3.0], "supported"),
        ([-1.0, -2.0, -3.0], "not reproduced"),
        ([1.0, -2.0, 3.0], "depends on the reading"),
    ],
)
def test_a_statement_in_every_reading(values: list[float], verdict: Verdict) -> None:
    frame = frame_of({"ties": ["lowest", "centre", "random"]}, {"value": values})
    judged = verdict_of(frame, values=["value"], above=0, readings=["ties"])
    assert judged.verdict == verdict
    assert [each == "holds" for each in judged.findings] == [value > 0 for value in values]


def test_readings_that_are_not_clear_decide_nothing() -> None:
    frame = frame_of({"ties": ["a"] * 4 + ["b"] * 4, "position": [*"0123"] * 2}, {"value": FAR + NEAR})
    judged = verdict_of(frame, values=["value / n"], above=0, readings=["ties"], unit="position")
    assert judged.findings == ("holds", "open") and judged.verdict == "undecided"


def test_a_reading_that_did_not_play_all_cells_is_left_out() -> None:
    frame = frame_of({"ties": ["a", "a", "b"], "cell": [1, 2, 1]}, {"value": [1, 1, -5]})
    judged = verdict_of(frame, values=["value"], above=0, readings=["ties"])
    assert len(judged.readings) == 1 and judged.verdict == "supported"


def test_the_p_values_of_all_samples_are_adjusted_together() -> None:
    def alone(count: int) -> float:
        says = [
            Statement.model_validate(
                {"id": f"s{number}", "at": "1", "text": "t", "run": RUN, "unit": "position", "values": ["value / n"]}
                | {"above": 0}
            )
            for number in range(count)
        ]
        source = Paper(name="toy", source="Toy", cite="", says=says)
        return judge([source], {RUN: sample([1.0, 2.0, 3.0, 1.0])})[0].p_values[0]

    assert alone(3) == pytest.approx(3 * alone(1)) and alone(1) < 0.05 < alone(3)


def test_what_cannot_be_tested_and_what_was_not_run() -> None:
    assert verdict_of(None, untestable="Another game.").verdict == "not testable"
    judged = verdict_of(None, values=["value"], above=0)
    assert judged.verdict == "undecided" and judged.missing == (RUN,)


def test_every_verdict_is_reached_above() -> None:
    reached = {"supported", "refuted", "undecided", "not reproduced", "depends on the reading", "not testable"}
    assert set(VERDICTS) == reached


TABLE = Table(
    title="Table",
    run=RUN,
    rows=["depth"],
    columns={"won": "won / n", "word": "'W9' if won > lost else 'L9'"},
    printed="1 0.50 L9\n2 0.75 W9\n3 - -",
)


@pytest.fixture(autouse=True)
def tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the sources be one with a printed table."""
    across = Table(
        title="Across", run=RUN, rows=["depth"], across="other", columns={"won": "won / n"}, printed="1 2\n5 0.5 0.7"
    )
    likely = Table(
        title="Likely", run=RUN, rows=["depth"], columns={"won": "'W1' if won else 'L1'"}, printed="1 W1\n2 W1"
    )
    known = {RUN: TABLE, "across": across, "likely": likely}
    toy = Paper(name="toy", source="Toy", cite="", run={RUN: Run(title="")}, table=known)
    monkeypatch.setattr(paper_module, "papers", lambda: {"toy": toy})


def played(shares: dict[int, float], games: int) -> Frame:
    rows = [(depth, game, float(game < share * games)) for depth, share in shares.items() for game in range(games)]
    depths, numbers, won = zip(*rows, strict=True)
    return frame_of({"depth": depths, "game": numbers}, {"won": won, "lost": [1 - each for each in won]})


def test_all_cells_of_a_printed_table() -> None:
    judged = verdict_of(played({1: 0.5, 2: 0.75, 3: 0.1}, 4), run=[], table=RUN, equal="all cells")
    assert judged.verdict == "supported"
    assert judged.readings[0].comparisons[0].shown == "4 of 4 cells"
    judged = verdict_of(played({1: 0.5, 2: 0.25}, 4), run=[], table=RUN, equal="all cells")
    assert judged.verdict == "refuted" and judged.readings[0].comparisons[0].shown == "2 of 4 cells"


def test_a_printed_table_is_tested_itself() -> None:
    for bound, verdict in ((0.55, "supported"), (0.65, "refuted")):
        judged = verdict_of(None, run=[], table="across", printed=True, values=["won / n"], above=bound)
        assert judged.verdict == verdict


@pytest.mark.parametrize(("share", "verdict"), [(0.9, "supported"), (0.0, "refuted")])
def test_a_printed_table_is_as_likely_as_tables_of_the_same_draws(share: float, verdict: Verdict) -> None:
    frame = played({1: share, 2: share}, 40)
    judged = verdict_of(frame, run=[], table="likely", likely="game")
    assert judged.verdict == verdict


def test_every_statement_of_every_source_compares_something(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without results nothing is decided but exact scores and printed tables, and nothing fails."""
    monkeypatch.undo()
    for judged in judge(list(papers().values()), {}):
        statement = judged.statement
        if statement.untestable:
            assert judged.verdict == "not testable"
        elif judged.missing:
            assert judged.verdict == "undecided"
        else:
            assert judged.verdict in ("supported", "refuted"), statement.id


def test_a_comparison_says_what_it_compares() -> None:
    statement = Statement(id="s", at="1", text="t", run=[RUN], values=["value"], above=3)
    found = next(compare(statement, frame_of({}, {"value": [4.0]})))
    assert (found.label, found.allowed, found.estimate.value) == ("value", "above 3", 4)
