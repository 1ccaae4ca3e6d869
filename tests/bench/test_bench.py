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

from tests.bench.__main__ import solver

APP = typer.Typer()
APP.command()(solver)


def rows(*options: object, exit_code: int = 0) -> list[dict[str, Any]]:
    """Return the rows of a command."""
    done = CliRunner().invoke(APP, [*map(str, options), "--json"], catch_exceptions=False)
    assert done.exit_code == exit_code, done.output
    found: list[dict[str, Any]] = json.loads(done.stdout)["rows"]
    return found


def command(folder: Path, script: str) -> str:
    """Return the command of a peer with this source."""
    (folder / "peer.py").write_text(script, encoding="utf-8")
    return shlex.join([sys.executable, str(folder / "peer.py")])


def test_rows_count_what_was_asked_and_a_wrong_score_is_named(tmp_path: Path) -> None:
    (tmp_path / "set").write_text("# by hand\n2252576253462244111 2 # random\n\n2252576253462244111 -3\n414141\n")
    exact, weak = rows("--file", tmp_path / "set", exit_code=1)
    assert exact["positions"] == weak["positions"] == 3 and exact["wrong"] == "2252576253462244111"
    assert rows("--file", tmp_path / "set", "--positions", 1)[0]["wrong"] == ""


SAYS = "print('peer 1 machine', flush=True)\nfor _ in open(0): print({!r}, flush=True)\n"


@pytest.mark.parametrize("script", ["print('peer 2 new')", SAYS.format("error no exact scores")])
def test_a_peer_that_breaks_the_protocol_ends_the_benchmark(tmp_path: Path, script: str) -> None:
    with pytest.raises(ValueError):
        rows("--plies", 33, "--peer", command(tmp_path, script))


def test_a_peers_values_are_checked_and_its_own_seconds_count(tmp_path: Path) -> None:
    peer = command(tmp_path, SAYS.format("21 7 0.25 2.5"))
    options = ("--plies", "33,34", "--positions", 3, "--peer", peer)
    first, _weak, second, _ = rows(*options, exit_code=1)
    assert rows(*options, exit_code=1)[0]["nodes"] == first["nodes"], "the same random positions, and a cold table"
    assert (first["set"], second["set"], first["peer nodes"], first["peer ms"]) == ("ply 33", "ply 34", 21, 250)
    assert len(first["wrong"].split()) == 3 and first["from"] <= first["ratio"] <= first["to"]


def test_the_adapter_of_the_readme_agrees(tmp_path: Path) -> None:
    pytest.importorskip("bitbully")
    readme = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)
    assert rows("--plies", 26, "--positions", 9, "--peer", command(tmp_path, script))[0]["peer nodes"] >= 0
