"""Another solver as a child process: the protocol, written as little peers, and everything that a peer can do wrong."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from bot.cli.app import run
from bot.errors import ExitCode
from bot.game import Board, format_moves, parse_moves
from bot.trials.bench.ours import Ours
from bot.trials.bench.peer import Answer, CommandPeer
from bot.trials.bench.positions import Position, random_positions
from bot.trials.bench.solver import ratio_interval, trials
from tests.processes import ROOT

README = ROOT / "bot" / "trials" / "bench" / "README.md"

RIGHT = """
import sys, time
sys.path.insert(0, {root!r})
from bot.game import Board
from tests.engine import reference_solve as reference

print("peer 1 plain Python 3", flush=True)
for line in sys.stdin:
    question, _, moves = line.strip().partition(" ")
    board = Board.from_moves(moves)
    start = time.thread_time()
    score = reference.solve(reference.columns_of(board.to_grid(1 if board.ply % 2 == 0 else -1), 1))
    print(score, 5, time.thread_time() - start, flush=True)
"""
"""A right peer: the solver in plain Python of the tests, which shares nothing with the engine."""
SAYS = """
import sys
print("peer 1 machine", flush=True)
for line in sys.stdin:
    print({answer!r}, flush=True)
"""


def command(tmp_path: Path, script: str) -> str:
    """Return the command of a peer with this source."""
    path = tmp_path / "peer.py"
    path.write_text(script, encoding="utf-8")
    return shlex.join([sys.executable, str(path)])


def bench(capsys: pytest.CaptureFixture[str], peer: str, *arguments: str) -> tuple[int, str, str]:
    code = run(["bench", "solver", "--plies", "33", "--positions", "3", "--peer", f"command:{peer}", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_right_peer_agrees_and_its_own_seconds_count(capsys, tmp_path: Path) -> None:
    code, out, _ = bench(capsys, command(tmp_path, RIGHT.format(root=str(ROOT))), "--json")
    found = json.loads(out)
    (row,) = found["rows"]
    assert code == ExitCode.DONE
    assert found["peer"] == "plain Python 3"
    assert found["clearing"][1] == "Clearing the table of plain Python 3 is part of its time."
    assert (row["positions"], row["wrong"]) == (3, 0)
    for question in ("exact", "weak"):
        assert row[f"{question}_peer_nodes"] == 15
        assert row[f"{question}_ratio_low"] <= row[f"{question}_ratio"] <= row[f"{question}_ratio_high"]


def test_the_times_of_a_peer_are_what_it_writes(tmp_path: Path) -> None:
    (position,) = random_positions(33, 1, 1)
    score = Ours().answer("exact", format_moves(position.columns)).value
    peer = CommandPeer(command(tmp_path, SAYS.format(answer=f"{score} 7 0.25 2.5")))
    try:
        (trial,) = trials([position], Ours(), peer)
    finally:
        peer.close()
    assert trial.agrees
    assert [(answer.seconds, answer.nodes) for answer in trial.peers.values()] == [(0.25, 7)] * 2
    assert peer.clearing == "Clearing the table of machine is not part of its time: 2500.000 ms of processor time each."


def test_a_wrong_score_is_counted_and_named(capsys, tmp_path: Path) -> None:
    code, out, _ = bench(capsys, command(tmp_path, SAYS.format(answer="21 7 0.25")))
    assert code == ExitCode.BUG
    assert sum(line.startswith("wrong: ply 33: ") for line in out.splitlines()) == 3
    assert "peer ms" in out and "Clearing the table of machine is part of its time." in out


DIES = 'import sys\nprint("peer 1 mortal", flush=True)\nsys.stdin.readline()\nsys.exit(3)\n'
HANGS = 'import time\nprint("peer 1 sleeper", flush=True)\ntime.sleep(600)\n'
SILENT = "import time\ntime.sleep(600)\n"
FAULTS = {
    "dies": (DIES, r"ended \(exit code 3\) before the answer to 'exact "),
    "hangs": (HANGS, "did not write the answer to 'exact .*' within 1 s"),
    "says nothing": (SILENT, "did not write its first line within 1 s"),
    "ends at once": ("", r"ended \(exit code 0\) before its first line"),
    "has another version": ('print("peer 2 new")\n', "speaks version 2"),
    "is no peer": ('print("Hello")\n', "begins with 'Hello'"),
    "writes garbage": (SAYS.format(answer="Hello"), "with 'Hello', not with a score, nodes and seconds"),
    "writes bytes": ("import sys\nsys.stdout.buffer.write(bytes(range(128, 256)) * 9)\n", "begins with"),
    "has no time": (SAYS.format(answer="1 2"), "with '1 2', not"),
    "has no finite time": (SAYS.format(answer="1 2 nan"), "with '1 2 nan', not"),
    "goes back in time": (SAYS.format(answer="1 2 -0.5"), "with '1 2 -0.5', not"),
    "refuses": (SAYS.format(answer="error no exact scores"), "refuses 'exact .*': no exact scores"),
}


@pytest.mark.parametrize(("script", "sentence"), FAULTS.values(), ids=FAULTS)
def test_what_a_peer_does_wrong_is_one_sentence(
    capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, sentence: str
) -> None:
    wait_s = 1 if script in (HANGS, SILENT) else 60  # the others write at once, but a busy machine may start them late
    if script == HANGS:
        begin = CommandPeer._greeting

        def greeting(peer: CommandPeer) -> str:
            peer._longest_wait_s = 60.0
            name = begin(peer)
            peer._longest_wait_s = wait_s
            return name

        monkeypatch.setattr(CommandPeer, "_greeting", greeting)
    code, out, err = bench(capsys, command(tmp_path, script), "--peer-wait", str(wait_s))
    assert (code, out) == (ExitCode.USAGE, "")
    assert len(err.strip().splitlines()) == 1
    assert re.search(sentence, err), err
    assert "bot/trials/bench/README.md" in err


@pytest.mark.parametrize("name", ["/no/such/program", "", "'unclosed"])
def test_a_peer_that_cannot_be_started_is_a_usage_error(capsys, name: str) -> None:
    code, _, err = bench(capsys, name)
    assert code == ExitCode.USAGE
    assert "cannot be started" in err


def test_a_peer_that_ignores_the_end_of_its_input_is_ended(tmp_path: Path) -> None:
    peer = CommandPeer(command(tmp_path, HANGS))
    peer.close()
    assert not peer._process.is_alive


def test_a_question_that_a_peer_refuses_need_not_be_asked(capsys, tmp_path: Path) -> None:
    script = SAYS.format(answer="?").replace("print('?', flush", "print('error' if 'exact' in line else '0 1 1', flush")
    code, out, _ = bench(capsys, command(tmp_path, script), "--ask", "weak", "--json")
    assert code in (ExitCode.DONE, ExitCode.BUG), "0 is not everywhere the outcome"
    assert json.loads(out)["rows"][0]["weak_peer_s"] == 3.0


@pytest.mark.parametrize("line", ["", "1", "1 2 3 4 5", "1 -2 3", "1.5 2 3", "1 2 inf"])
def test_what_is_no_answer_is_not_read_as_one(line: str) -> None:
    with pytest.raises(ValueError):  # int, float and unpacking each have their own words
        Answer.parse(line)


def adapters() -> list[str]:
    """Return the adapters of the README: for another version of this program, and for BitBully."""
    scripts = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert ["BitBully" in script for script in scripts] == [False, True]
    assert all(len(script.splitlines()) <= 32 for script in scripts)
    return scripts


def test_the_adapter_of_the_readme_speaks_the_protocol(tmp_path: Path) -> None:
    peer = CommandPeer(f"{command(tmp_path, adapters()[0])} {shlex.quote(str(ROOT))}")
    try:
        done = list(trials(random_positions(28, 5, 1), Ours(), peer))
    finally:
        peer.close()
    assert all(trial.agrees for trial in done)
    assert peer.name == f"bot in {ROOT}"


def test_the_adapter_for_bitbully_agrees_where_it_is_installed(tmp_path: Path) -> None:
    pytest.importorskip("bitbully")
    won = parse_moves("414141")
    positions = [*random_positions(18, 5, 1), *random_positions(28, 10, 1), Position(won, Board.from_moves(won), 18)]
    peer = CommandPeer(command(tmp_path, adapters()[1]))
    try:
        done = list(trials(positions, Ours(), peer))
    finally:
        peer.close()
    assert all(trial.agrees for trial in done)
    assert all(trial.peers["exact"].nodes > 0 for trial in done)
    assert {answer.value for trial in done for answer in trial.peers.values()} >= {-1, 1, 18}
    assert peer.clearing.startswith("Clearing the table of BitBully is not part of its time: ")


def test_the_interval_of_a_ratio_encloses_it_and_is_that_of_pairs() -> None:
    times = [0.001 * (1 + number % 7) for number in range(100)]
    assert ratio_interval([3 * each for each in times], times) == pytest.approx((3.0, 3.0))
    low, high = ratio_interval([each * (2 if number % 2 else 4) for number, each in enumerate(times)], times)
    assert 2.6 < low < 3.0 < high < 3.4
