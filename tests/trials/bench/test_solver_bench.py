"""The solver's benchmark: what is counted, how results are checked, and what is refused."""

from __future__ import annotations

import itertools
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.cli.app import run
from bot.engine.solver import Solver
from bot.errors import ExitCode
from bot.game import Board, format_moves, parse_moves
from bot.trials.bench.ours import Ours
from bot.trials.bench.peer import Answer
from bot.trials.bench.positions import WAKING, random_positions, read_positions
from bot.trials.bench.solver import row_of, trials

FIXTURE = Path(__file__).parents[2] / "engine" / "data" / "positions.txt"
SOLVER = Solver()


class Twin:
    """A peer with our solver behind it; its values are wrong by ``lie``."""

    clearing = "Clearing the table of twin is free."

    def __init__(self, command: str, longest_wait_s: float) -> None:  # noqa: ARG002
        self.name = "twin"
        self.lie = int(command)
        self._ours = Ours()

    def answer(self, question: str, moves: str) -> Answer:
        found = self._ours.answer(question, moves)
        return replace(found, value=(found.value or 0) + self.lie, nodes=7)

    def close(self) -> None:
        """Do nothing."""


@pytest.fixture
def twin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let --peer command:LIE be a `Twin`."""
    monkeypatch.setattr("bot.trials.bench.peer.CommandPeer", Twin)


def bench(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["bench", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_rows_count_what_was_asked(capsys) -> None:
    code, out, _ = bench(capsys, "solver", "--plies", "24,30-31", "--positions", "3", "--cpu-time", "--json")
    assert code == ExitCode.DONE
    rows = json.loads(out)["rows"]
    assert [row["name"] for row in rows] == ["ply 24", "ply 30", "ply 31"]
    for row in rows:
        assert row["positions"] == 3
        assert row["wrong"] == 0
        for question in ("exact", "weak"):
            assert (
                0
                < row[f"{question}_median_s"]
                <= row[f"{question}_p99_s"]
                <= row[f"{question}_worst_s"]
                <= row[f"{question}_s"]
            )
            assert row[f"{question}_mean_s"] == pytest.approx(row[f"{question}_s"] / 3)
            assert row[f"{question}_nodes_per_s"] == pytest.approx(row[f"{question}_nodes"] / row[f"{question}_s"])
            assert row[f"{question}_peer_s"] is None
            assert row[f"{question}_ratio"] is None


def test_the_seed_chooses_the_positions(capsys) -> None:
    nodes = []
    for seed in ("1", "1", "2"):
        _, out, _ = bench(capsys, "solver", "--plies", "20", "--positions", "5", "--seed", seed, "--json")
        nodes.append(json.loads(out)["rows"][0]["exact_nodes"])
    assert nodes[0] == nodes[1] != nodes[2]


def test_seconds_are_those_of_the_chosen_clock(monkeypatch, capsys) -> None:
    now = itertools.count(0.0, 0.05)
    (trial,) = trials(random_positions(30, 1, 1), Ours(clock=lambda: next(now)), None)
    assert trial.ours["exact"].seconds == pytest.approx(0.05)
    ticks = itertools.count(1.0)
    monkeypatch.setattr(time, "process_time", lambda: next(ticks))
    _, out, _ = bench(capsys, "solver", "--plies", "30", "--positions", "1", "--cpu-time", "--ask", "exact", "--json")
    assert json.loads(out)["rows"][0]["exact_s"] == 1.0, "--cpu-time reads the processor's clock"


def test_two_threads_find_the_same_values(tmp_path, capsys) -> None:
    """Positions that take long enough for the helper thread to take part, whose processor time counts too."""
    chosen = sorted(read_positions(FIXTURE), key=lambda position: len(position.columns))[:3]
    path = tmp_path / "hard"
    path.write_text("".join(f"{format_moves(each.columns)} {each.score}\n" for each in chosen))
    code, out, _ = bench(capsys, "solver", "--file", str(path), "--threads", "2", "--cpu-time", "--json")
    (row,) = json.loads(out)["rows"]
    assert (code, row["positions"], row["wrong"]) == (0, 3, 0)
    assert row["exact_nodes"] > 40_000, "one thread alone searches the first 40,000"


def test_one_question_alone_leaves_the_other_empty(capsys) -> None:
    _, out, _ = bench(capsys, "solver", "--plies", "30", "--positions", "2", "--ask", "weak", "--json")
    row = json.loads(out)["rows"][0]
    assert row["exact_s"] is row["exact_nodes"] is None
    assert row["weak_s"] > 0


@pytest.mark.usefixtures("twin")
def test_a_table_for_people_names_sets_questions_and_the_ratio(capsys) -> None:
    code, out, _ = bench(capsys, "solver", "--plies", "26,30", "--positions", "2", "--peer", "command:0")
    assert code == ExitCode.DONE
    lines = out.splitlines()
    assert len(lines) == 7
    assert all(
        word in lines[0] for word in ("positions", "Mnodes/s", "median ms", "worst ms", "peer ms", "ratio", "95 %")
    )
    assert lines[1].startswith("ply 26  exact ")
    assert lines[4].startswith("ply 30  win/draw/loss ")
    assert all(line.split()[-3].endswith("x") and line.split()[-2].endswith("x") for line in lines[1:5])
    assert lines[5] == "Clearing the table of bot is part of its time."
    assert lines[6].startswith("Clearing the table of twin")


def test_the_ratio_is_the_peers_total_time_by_ours() -> None:
    peer: Any = Twin("0", 1.0)
    done = list(trials(random_positions(30, 4, 1), Ours(), peer))
    row = row_of("thirty", done)
    assert row["exact_peer_nodes"] == 28
    for question in ("exact", "weak"):
        ours = sum(trial.ours[question].seconds for trial in done)
        assert row[f"{question}_ratio"] == pytest.approx(sum(trial.peers[question].seconds for trial in done) / ours)


def test_every_timed_answer_has_a_cold_table() -> None:
    ours = Ours()
    moves = format_moves(random_positions(16, 1, 4)[0].columns)
    assert len({ours.answer("exact", moves).nodes for _ in range(3)}) == 1


@pytest.mark.parametrize("lie", [-1, 1, 30])
@pytest.mark.usefixtures("twin")
def test_a_contradicting_peer_is_counted_and_named(capsys, lie: int) -> None:
    code, out, _ = bench(capsys, "solver", "--plies", "30", "--positions", "2", "--peer", f"command:{lie}", "--json")
    row = json.loads(out)["rows"][0]
    assert code == ExitCode.BUG
    assert row["wrong"] == 2
    assert row["wrong_positions"] == [format_moves(p.columns) for p in random_positions(30, 2, 1)]


def test_a_wrong_score_in_the_file_is_counted_and_shown(capsys, tmp_path: Path) -> None:
    path = tmp_path / "set"
    right = SOLVER.solve(Board.from_moves(parse_moves("2252576253462244111"))).lower
    path.write_text(f"2252576253462244111 {right}\n2252576253462244111 {-right - 1}\n414141\n", encoding="utf-8")
    code, out, _ = bench(capsys, "solver", "--file", str(path))
    assert code == ExitCode.BUG
    assert out.splitlines()[-1] == "wrong: set: 2252576253462244111"
    code, out, _ = bench(capsys, "solver", "--file", str(path), "--positions", "1", "--json")
    assert code == ExitCode.DONE
    assert json.loads(out)["rows"][0]["name"] == "set"


def test_our_two_answers_are_held_against_each_other() -> None:
    class Confused(Ours):
        def answer(self, question: str, moves: str) -> Answer:
            found = super().answer(question, moves)
            return found if question == "exact" else replace(found, value=-1 if found.value == 1 else 1)

    (trial,) = trials(random_positions(30, 1, 1), Confused(), None)
    assert not trial.agrees
    (trial,) = trials(random_positions(30, 1, 1), Confused(), None, ["exact"])
    assert trial.agrees


@pytest.mark.parametrize(
    "arguments",
    [
        ("--peer", "someone"),
        ("--ask", "all"),
        ("--plies", "42"),
        ("--plies", "8-50"),
        ("--plies", "x"),
        ("--plies", ""),
        ("--plies", "12-8"),
        ("--positions", "0"),
    ],
    ids=" ".join,
)
def test_senseless_options_are_refused(capsys, arguments: tuple[str, ...]) -> None:
    code, out, err = bench(capsys, "solver", *arguments)
    assert (code, out) == (ExitCode.USAGE, "")
    assert err


def test_the_waking_position_is_unfinished_and_late() -> None:
    board = Board.from_moves(WAKING)
    assert not board.is_over
    assert board.ply >= 26
