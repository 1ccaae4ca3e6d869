"""The solver's benchmark: files of positions, what is counted, how results are checked, and other solvers beside it."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from bot.errors import ExitCode
from bot.game import Board, format_moves, parse_moves
from bot.trials.bench.ours import Ours
from bot.trials.bench.peer import CommandPeer
from bot.trials.bench.positions import BenchPosition, random_positions, read_positions
from bot.trials.bench.solver import trials
from tests.processes import ROOT, bot_here


def bench(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return bot_here("bench", "solver", *arguments, cwd=folder)


def test_a_file_of_positions_is_read_in_order_with_or_without_scores(tmp_path: Path) -> None:
    path = tmp_path / "set"
    path.write_text("# made by hand\n44 2 random\n\nddc\n 1\n123\t\n", encoding="utf-8")
    found = [(format_moves(position.columns), position.score) for position in read_positions(path)]
    assert found == [("44", 2), ("443", None), ("", 1), ("123", None)]
    assert len(read_positions(path, 2)) == 2


REFUSED = {
    b"44 2\n48 1\n": "line 2: '8' at place 2 is not a column.",
    b"4444444 0\n": "line 1: Move 7 is not legal: Column 4 is full.",
    b"4141414 0\n": "line 1: The game is over in this position.",
    b"44 two\n": "line 1: 'two' is not a score.",
    b"# nothing\n": "contains no position",
    b"\xff\xfe\x00": "cannot be read",
}
OPTIONS = "--peer x|--ask all|--plies 42|--plies 8-50|--plies x|--plies ,|--plies 12-8|--positions 0|--file missing"


def test_impossible_files_and_senseless_options_are_refused(tmp_path: Path) -> None:
    for content, complaint in REFUSED.items():
        (tmp_path / "set").write_bytes(content)
        done = bench(tmp_path, "--file", "set")
        assert (done.returncode, done.stdout, complaint in done.stderr) == (ExitCode.USAGE, "", True), done.stderr
    for options in OPTIONS.split("|"):
        done = bench(tmp_path, *options.split())
        assert (done.returncode, done.stdout, done.stderr != "") == (ExitCode.USAGE, "", True), options


def test_rows_count_what_was_asked(tmp_path: Path) -> None:
    rows = json.loads(bench(tmp_path, "--plies", "24,30-31", "--positions", "3", "--json").stdout)["rows"]
    assert [row["name"] for row in rows] == ["ply 24", "ply 30", "ply 31"]
    for row in rows:
        assert 0 < row["weak_median_s"] <= row["weak_p99_s"] <= row["weak_worst_s"] <= row["weak_s"]
    again = json.loads(bench(tmp_path, "--plies", "24", "--positions", "3", "--json").stdout)["rows"]
    assert again[0]["exact_nodes"] == rows[0]["exact_nodes"], "the same random positions, and a cold table"
    (row,) = json.loads(bench(tmp_path, "--plies", "30", "--seed", "2", "--ask", "weak", "--json").stdout)["rows"]
    assert row["exact_s"] is row["exact_nodes"] is row["weak_ratio"] is None and row["positions"] == 20


def test_a_wrong_score_in_the_file_is_counted_and_shown(tmp_path: Path) -> None:
    (tmp_path / "set").write_text("2252576253462244111 2\n2252576253462244111 -3\n414141\n")
    done = bench(tmp_path, "--file", "set")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (ExitCode.BUG, "wrong: set: 2252576253462244111")
    assert bench(tmp_path, "--file", "set", "--positions", "1").returncode == ExitCode.DONE


SAYS = "import sys\nprint('peer 1 machine', flush=True)\nfor line in sys.stdin: print({!r}, flush=True)\n"
HANGS = "import time\nprint('peer 1 sleeper', flush=True)\ntime.sleep(600)\n"
DIES = "print('peer 1 mortal', flush=True)\ninput()\nraise SystemExit(3)"
FAULTS = {
    DIES: r"ended \(exit code 3\) before the answer to 'exact ",
    HANGS: "did not write .* within 1 s",
    "": r"ended \(exit code 0\) before its first line",
    "print('peer 2 new')": "speaks version 2",
    "print('Hello')": "begins with 'Hello'",
    SAYS.format("1 2"): "with '1 2', not with a score, nodes and seconds",
    SAYS.format("1 2 nan"): "with '1 2 nan', not",
    SAYS.format("1 -2 3"): "with '1 -2 3', not",
    SAYS.format("error no exact scores"): "refuses 'exact .*': no exact scores",
}


def command(tmp_path: Path, script: str) -> str:
    """Return the command of a peer with this source."""
    path = tmp_path / "peer.py"
    path.write_text(script, encoding="utf-8")
    return f"command:{shlex.join([sys.executable, str(path)])}"


@pytest.mark.parametrize("script", FAULTS, ids=FAULTS.values())
def test_what_a_peer_does_wrong_is_one_sentence(tmp_path: Path, script: str) -> None:
    wait_s = "1" if script == HANGS else "60"
    done = bench(tmp_path, "--plies", "33", "--peer", command(tmp_path, script), "--peer-wait", wait_s)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (ExitCode.USAGE, "", 1)
    assert re.search(FAULTS[script], done.stderr), done.stderr


def test_a_peers_values_are_checked_and_its_own_seconds_count(tmp_path: Path) -> None:
    options = ("--plies", "33", "--positions", "3", "--peer", command(tmp_path, SAYS.format("21 7 0.25 2.5")))
    done = bench(tmp_path, *options)
    assert done.returncode == ExitCode.BUG and "ply 33  win/draw/loss" in done.stdout and "peer ms" in done.stdout
    assert done.stdout.count("wrong: ply 33: ") == 3
    assert "machine is not part of its time: 2500.000 ms of processor time each." in done.stdout
    (row,) = json.loads(bench(tmp_path, *options, "--json").stdout)["rows"]
    assert (row["wrong"], row["exact_peer_nodes"], row["exact_peer_s"]) == (3, 21, 0.75)
    assert row["exact_ratio_low"] <= row["exact_ratio"] == pytest.approx(0.75 / row["exact_s"])


@pytest.mark.parametrize("number", [0, 1], ids=["this program", "BitBully"])
def test_the_adapters_of_the_readme_agree(tmp_path: Path, number: int) -> None:
    if number == 1:
        pytest.importorskip("bitbully")
    readme = (ROOT / "bot" / "trials" / "bench" / "README.md").read_text(encoding="utf-8")
    script = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)[number]
    won = parse_moves("414141")
    positions = [*random_positions(26, 9, 1), BenchPosition(won, Board.from_moves(won), 18)]
    peer = CommandPeer(f"{command(tmp_path, script).removeprefix('command:')} {shlex.quote(str(ROOT))}")
    try:
        done = list(trials(positions, Ours(), peer))
    finally:
        peer.close()
    assert all(trial.agrees for trial in done)
    assert {answer.value for trial in done for answer in trial.peers.values()} >= {-1, 1, 18}
