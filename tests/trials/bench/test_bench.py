"""The solver's benchmark: its positions, what it counts, how results are checked, and other solvers beside ours."""

from __future__ import annotations

import itertools
import json
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cli.app import run
from bot.errors import ExitCode, UsageError
from bot.game import Board, format_moves, parse_moves
from bot.trials.bench.ours import Ours
from bot.trials.bench.peer import Answer, CommandPeer
from bot.trials.bench.positions import WAKING, Position, random_positions, read_positions
from bot.trials.bench.solver import ratio_interval, trials
from tests.processes import ROOT

Bench = Callable[..., tuple[int, str, str]]


@pytest.fixture
def bench(capsys: pytest.CaptureFixture[str]) -> Bench:
    def measured(*arguments: str) -> tuple[int, str, str]:
        code = run(["bench", "solver", *arguments])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return measured


@settings(max_examples=20)
@given(st.integers(0, 41), st.integers(0, 10**6))
def test_random_positions_are_unfinished_and_repeat(ply: int, seed: int) -> None:
    positions = random_positions(ply, 2, seed)
    assert positions == random_positions(ply, 3, seed)[:2]
    for position in positions:
        assert Board.from_moves(position.columns) == position.board
        assert position.board.ply == ply and not position.board.is_over


def test_another_seed_gives_other_positions() -> None:
    assert len({each.board for seed in (1, 2) for each in random_positions(12, 25, seed)}) == 50
    assert Board.from_moves(WAKING).ply >= 26 and not Board.from_moves(WAKING).is_over


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
    b"41414144 0\n": "line 1: Move 8 comes after the game has ended.",
    b"44 two\n": "line 1: 'two' is not a score.",
    b"# nothing\n": "contains no position",
    b"\xff\xfe\x00": "cannot be read",
}


@pytest.mark.parametrize("content", REFUSED)
def test_impossible_files_are_refused_with_the_line(bench: Bench, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "set"
    path.write_bytes(content)
    code, out, err = bench("--file", str(path))
    assert (code, out) == (ExitCode.USAGE, "") and REFUSED[content] in err
    with pytest.raises(UsageError, match="cannot be read"):
        read_positions(tmp_path / "missing")


@pytest.mark.parametrize(
    "options",
    ["--peer x", "--ask all", "--plies 42", "--plies 8-50", "--plies x", "--plies ,", "--plies 12-8", "--positions 0"],
)
def test_senseless_options_are_refused(bench: Bench, options: str) -> None:
    code, out, err = bench(*options.split())
    assert (code, out) == (ExitCode.USAGE, "") and err


def test_rows_count_what_was_asked(bench: Bench) -> None:
    options = ("--plies", "24,30-31", "--positions", "3", "--json", "--seed")
    first, again, other = (json.loads(bench(*options, seed)[1])["rows"] for seed in "112")
    assert [(row["name"], row["positions"], row["wrong"]) for row in first] == [
        (f"ply {ply}", 3, 0) for ply in (24, 30, 31)
    ]
    assert [row["exact_nodes"] for row in first] == [row["exact_nodes"] for row in again]
    assert [row["exact_nodes"] for row in first] != [row["exact_nodes"] for row in other]
    for row, question in itertools.product(first, ("exact", "weak")):
        numbers = {key.removeprefix(f"{question}_"): value for key, value in row.items()}
        assert 0 < numbers["median_s"] <= numbers["p99_s"] <= numbers["worst_s"] <= numbers["s"]
        assert numbers["mean_s"] * 3 == pytest.approx(numbers["s"])
        assert numbers["nodes_per_s"] * numbers["s"] == pytest.approx(numbers["nodes"])
    (row,) = json.loads(bench("--plies", "30", "--positions", "2", "--ask", "weak", "--json")[1])["rows"]
    assert row["exact_s"] is row["exact_nodes"] is row["weak_ratio"] is None and row["weak_s"] > 0


def test_a_wrong_score_in_the_file_is_counted_and_shown(bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "set"
    score = Ours().answer("exact", "2252576253462244111").value or 0
    path.write_text(f"2252576253462244111 {score}\n2252576253462244111 {-score - 1}\n414141\n", encoding="utf-8")
    code, out, _ = bench("--file", str(path))
    assert (code, out.splitlines()[-1]) == (ExitCode.BUG, "wrong: set: 2252576253462244111")
    assert bench("--file", str(path), "--positions", "1")[0] == ExitCode.DONE


def test_seconds_are_those_of_the_clock_and_our_two_answers_are_held_against_each_other() -> None:
    class Confused(Ours):
        def answer(self, question: str, moves: str) -> Answer:
            found = super().answer(question, moves)
            return found if question == "exact" else replace(found, value=-1 if found.value == 1 else 1)

    now, positions = itertools.count(0.0, 0.05), random_positions(16, 1, 4)
    for questions, agrees in ((["exact", "weak"], False), (["exact"], True)):
        (trial,) = trials(positions, Confused(clock=lambda: next(now)), None, questions)
        assert trial.agrees == agrees and trial.ours["exact"].seconds == pytest.approx(0.05)
    ours, moves = Ours(), format_moves(positions[0].columns)
    assert len({ours.answer("exact", moves).nodes for _ in range(3)}) == 1, "the table is cold each time"


SAYS = "import sys\nprint('peer 1 machine', flush=True)\nfor line in sys.stdin: print({!r}, flush=True)\n"
HANGS = "import time\nprint('peer 1 sleeper', flush=True)\ntime.sleep(600)\n"
DIES = "print('peer 1 mortal', flush=True)\ninput()\nraise SystemExit(3)"
FAULTS = {
    DIES: r"ended \(exit code 3\) before the answer to 'exact ",
    HANGS: "did not write .* within 1 s",
    "": r"ended \(exit code 0\) before its first line",
    "print('peer 2 new')": "speaks version 2",
    "print('Hello')": "begins with 'Hello'",
    "import sys\nsys.stdout.buffer.write(bytes(range(128, 256)) * 9)": "begins with",
    SAYS.format("Hello"): "with 'Hello', not with a score, nodes and seconds",
    SAYS.format("1 2"): "with '1 2', not",
    SAYS.format("1 2 nan"): "with '1 2 nan', not",
    SAYS.format("1 2 -0.5"): "with '1 2 -0.5', not",
    SAYS.format("1 -2 3"): "with '1 -2 3', not",
    SAYS.format("error no exact scores"): "refuses 'exact .*': no exact scores",
}


def command(tmp_path: Path, script: str) -> str:
    """Return the command of a peer with this source."""
    path = tmp_path / "peer.py"
    path.write_text(script, encoding="utf-8")
    return shlex.join([sys.executable, str(path)])


@pytest.mark.parametrize("script", FAULTS, ids=FAULTS.values())
def test_what_a_peer_does_wrong_is_one_sentence(bench: Bench, tmp_path: Path, script: str) -> None:
    wait_s = "1" if script == HANGS else "60"
    peer = f"command:{command(tmp_path, script)}"
    code, out, err = bench("--plies", "33", "--positions", "1", "--peer", peer, "--peer-wait", wait_s)
    assert (code, out, len(err.strip().splitlines())) == (ExitCode.USAGE, "", 1)
    assert re.search(FAULTS[script], err) and "bot/trials/bench/README.md" in err, err


@pytest.mark.parametrize("name", ["/no/such/program", "", "'unclosed"])
def test_a_peer_that_cannot_be_started_is_a_usage_error(bench: Bench, name: str) -> None:
    code, _, err = bench("--peer", f"command:{name}")
    assert code == ExitCode.USAGE and "cannot be started" in err


def test_a_peers_values_are_checked_and_its_own_seconds_count(bench: Bench, tmp_path: Path) -> None:
    peer = f"command:{command(tmp_path, SAYS.format('21 7 0.25 2.5'))}"
    options = ("--plies", "33", "--positions", "3", "--peer", peer)
    code, out, _ = bench(*options)
    assert code == ExitCode.BUG and "ply 33  win/draw/loss" in out and "peer ms" in out
    assert out.count("wrong: ply 33: ") == 3
    assert "Clearing the table of machine is not part of its time: 2500.000 ms of processor time each." in out
    found = json.loads(bench(*options, "--json")[1])
    (row,) = found["rows"]
    assert (found["peer"], row["wrong"], row["exact_peer_nodes"], row["exact_peer_s"]) == ("machine", 3, 21, 0.75)
    assert row["exact_ratio"] == pytest.approx(0.75 / row["exact_s"])
    assert row["exact_ratio_low"] <= row["exact_ratio"] <= row["exact_ratio_high"]


@pytest.mark.parametrize("number", [0, 1], ids=["this program", "BitBully"])
def test_the_adapters_of_the_readme_agree(tmp_path: Path, number: int) -> None:
    if number == 1:
        pytest.importorskip("bitbully")
    readme = (ROOT / "bot" / "trials" / "bench" / "README.md").read_text(encoding="utf-8")
    script = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)[number]
    won = parse_moves("414141")
    positions = [*random_positions(26, 9, 1), Position(won, Board.from_moves(won), 18)]
    peer = CommandPeer(f"{command(tmp_path, script)} {shlex.quote(str(ROOT))}")
    try:
        done = list(trials(positions, Ours(), peer))
    finally:
        peer.close()
    assert all(trial.agrees for trial in done)
    assert {answer.value for trial in done for answer in trial.peers.values()} >= {-1, 1, 18}


def test_the_interval_of_a_ratio_is_that_of_pairs() -> None:
    times = [0.001 * (1 + number % 7) for number in range(100)]
    assert ratio_interval([3 * each for each in times], times) == pytest.approx((3.0, 3.0))
    low, high = ratio_interval([each * (2 if number % 2 else 4) for number, each in enumerate(times)], times)
    assert 2.6 < low < 3.0 < high < 3.4
