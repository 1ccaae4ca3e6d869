"""Halim as data: games that must stay equal, the printed table, and a quick run with its held-out part."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.engine.agent import Stop
from bot.lab.experiments.compare import judge
from bot.lab.experiments.frame import Frame, frame_of
from bot.lab.experiments.paper import all_tables, find_run, papers
from bot.lab.experiments.plan import is_held, pieces, rows_of, tasks_of
from bot.lab.experiments.play import perform
from bot.lab.experiments.printed import printed_cells, printed_frame, screening
from bot.lab.experiments.run import run_experiment, saved

RUN = "halim-readings"
RECOMMENDED = {
    "lines": 0,
    "discs": 1,
    "difference": 0,
    "distinct": 0,
    "plus": 0,
    "ends": "dominant",
    "view": "own",
    "first": "S",
    "defend": 0,
}
TABLE = """\
D42 D42 W11 W11
D42 D42 D42 W15
L20 W27 W31 W15
L22 L36 L18 W41
L18 W39 L18 W39"""


def games(rows: list[dict[str, Any]]) -> Frame:
    return frame_of(
        rows, [found for task in pieces(RUN, find_run(RUN), rows, seed=0) for found in perform(task, Stop())]
    )


def test_the_recommended_reading_plays_the_games_of_the_first_edition() -> None:
    rows = [{**RECOMMENDED, "opponent": o, "system": s} for o in range(1, 6) for s in range(1, 5)]
    frame = games(rows)
    ours = [game.evaluate("outcome(S)") for _, game in frame.groups(["opponent", "system"])]
    assert ours == TABLE.split()


def test_the_system_moves_second_where_the_opponent_is_first() -> None:
    frame = games([{**RECOMMENDED, "first": "O", "opponent": 2, "system": 1}])
    result, plies = frame.evaluate("outcome(S)")[0], int(frame.numbers["plies"][0])
    assert plies == 42 or (plies % 2 == 0) == (result == "W")


def test_the_printed_table_has_the_totals_that_its_text_states() -> None:
    table = all_tables()["halim1"]
    assert len(printed_cells(table)) == 64
    frame = printed_frame(table)
    assert [frame.evaluate(f"S.{name}") for name in ("won", "lost", "drawn")] == [36, 23, 5]
    assert frame.evaluate("by('result', 'W').plies / S.won") == pytest.approx(23.89, abs=0.005)
    assert frame.evaluate("rows('opponent > system').S.won") == 9
    assert frame.evaluate("rows('opponent < system').S.lost") == 5


def test_all_readings_play_the_same_30_cells_and_no_left_out_one() -> None:
    run = find_run(RUN)
    rows = list(rows_of(run, quick=False))
    training = [row for row in rows if not is_held(run, row)]
    assert len(training) == 1152 * 30
    assert {(row["first"], row["defend"]) for row in rows} == {("S", 0), ("S", 1), ("O", 0)}
    assert run.screen is not None
    reading: dict[str, Any] = {label: RECOMMENDED[label] for label in run.readings}
    held = [row for task in tasks_of(RUN, run, quick=False, seed=0, chosen=[reading]) for row in task["rows"]]
    assert len(held) == 34 + 48 + 48
    assert all(reading.items() <= row.items() for row in held)


def test_a_quick_run_keeps_the_recommended_reading_and_says_what_the_choice_is_worth(tmp_path: Path) -> None:
    run_experiment(RUN, tmp_path, quick=True)
    run, frame = find_run(RUN), saved(RUN, tmp_path)
    assert frame is not None
    best, text = screening(run, frame)
    assert best.size < frame.size
    assert "of the 6 held-out ones" in text
    assert "shuffled" in text
    judged = {each.statement.id: each for each in judge([papers()["halim"]], {RUN: frame})}
    assert judged["halim-table"].verdict == "not reproduced"
    assert judged["halim-totals"].verdict == "supported"
    assert judged["halim-loss-length"].verdict == "refuted"
    assert judged["halim-ways"].verdict == "refuted"
    assert len(judged["halim-consistent"].readings) == 8
    assert judged["halim-consistent-printed"].readings[0].labels == {}


def test_a_reading_fails_by_an_exception_in_the_part_that_it_played(tmp_path: Path) -> None:
    run_experiment("halim-row", tmp_path, quick=True)
    frame = saved("halim-row", tmp_path)
    assert frame is not None
    run = find_run("halim-row")
    assert run.players["S"] == find_run(RUN).players["S"].replace(",defend={defend}", ""), "the same readings"
    assert run.readings == find_run(RUN).readings
    sevens = {each.statement.id: each for each in judge([papers()["halim"]], {"halim-row": frame})}["halim-seven-moves"]
    first = frame.where({"system": [1, 2, 3]}).groups(run.readings)
    failing = sum(part.evaluate("rows('S.won * plies != 7').n") > 0 for _, part in first)
    assert sevens.findings.count("fails") >= failing > 0
