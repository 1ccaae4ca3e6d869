"""The solver's benchmark: files of positions, what is counted, how results are checked, and other solvers beside it."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from tests.bench.__main__ import random_positions, solver

MIDDLE, LATE = "2252576253462244111", "1643164664443333222243266725"
APP = typer.Typer()
APP.command()(solver)


def rows(folder: Path, peer: str, *options: object, exit_code: int = 0) -> list[dict[str, Any]]:
    """Return the rows of a command beside a peer with this source."""
    (folder / "peer.py").write_text(peer, encoding="utf-8")
    command = shlex.join([sys.executable, str(folder / "peer.py")])
    done = CliRunner().invoke(APP, [*map(str, options), "--peer", command, "--json"], catch_exceptions=False)
    assert done.exit_code == exit_code, done.output
    found: list[dict[str, Any]] = json.loads(done.stdout)["rows"]
    return found


def test_scores_of_a_file_and_of_a_peer_are_checked_and_its_own_seconds_count_as_positions_do(tmp_path):
    peer = "print('peer 1 machine', flush=True)\nfor _ in open(0): print('2 7 0.25 2.5', flush=True)\n"
    (tmp_path / "set").write_text(f"# by hand\n{MIDDLE} 2 # random\n\n{MIDDLE} -3\n{LATE}\n")
    (tmp_path / "again").write_text(f"{MIDDLE} 2\n{MIDDLE} 2\n{LATE}\n")
    files = ("--file", tmp_path / "set", "--file", tmp_path / "again")
    exact, weak, again, _ = rows(tmp_path, peer, *files, exit_code=1)
    assert exact["positions"] == weak["positions"] == 3
    assert (exact["wrong"], again["wrong"]) == (f"{MIDDLE} {LATE}", LATE), "only the first one has the score 2"
    assert exact["nodes"] == again["nodes"] > weak["nodes"], "the table is cold for every position"
    assert (exact["peer nodes"], exact["peer ms"]) == (21, 250) and exact["from"] <= exact["ratio"] <= exact["to"]


def test_a_peer_that_breaks_the_protocol_ends_the_benchmark(tmp_path):
    with pytest.raises(ValueError):
        rows(tmp_path, "print('peer 2 new')", "--plies", 33)


def test_random_positions_have_their_discs_and_the_adapter_of_the_readme_agrees_on_them(tmp_path):
    positions = random_positions(26, 9, 1)
    assert {len(moves) for moves, _score in positions} == {26} and len(set(positions)) == 9
    assert positions == random_positions(26, 9, 1) != random_positions(26, 9, 2)
    pytest.importorskip("bitbully")
    readme = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)
    assert rows(tmp_path, script, "--plies", 26, "--positions", 9)[0]["peer nodes"] >= 0
