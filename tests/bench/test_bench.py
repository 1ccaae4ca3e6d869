"""The solver's benchmark: files of positions, what is counted, and how results are checked."""

from __future__ import annotations

import json

import typer
from typer.testing import CliRunner

from tests.bench.__main__ import random_positions, solver

MIDDLE, LATE = "2252576253462244111", "1643164664443333222243266725"
APP = typer.Typer()
APP.command()(solver)


def test_scores_of_a_file_are_checked_and_the_table_is_cold_for_every_position(tmp_path):
    (tmp_path / "set").write_text(f"# by hand\n{MIDDLE} 2 # random\n\n{MIDDLE} -3\n{LATE}\n")
    (tmp_path / "again").write_text(f"{MIDDLE} 2\n{MIDDLE} 2\n{LATE}\n")
    done = CliRunner().invoke(APP, ["--file", tmp_path / "set", "--file", tmp_path / "again", "--json"])
    exact, outcome, again, _ = json.loads(done.stdout)
    assert (exact["positions"], exact["wrong"], again["wrong"], done.exit_code) == (3, MIDDLE, "", 1)
    assert exact["nodes"] == again["nodes"] > outcome["nodes"]


def test_random_positions_have_their_discs_and_are_the_same_for_the_same_seed():
    positions = random_positions(26, 9, 1)
    assert {len(moves) for moves, _score in positions} == {26} and len(set(positions)) == 9
    assert positions == random_positions(26, 9, 1) != random_positions(26, 9, 2)
