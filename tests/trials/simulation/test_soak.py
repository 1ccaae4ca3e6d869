"""The soak: real sockets, real faults, real processes that are killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from bot.cli.app import run as main
from bot.course.journal.reader import journals
from bot.errors import ExitCode, UsageError
from bot.trials.simulation.opponents.agent import agents_of
from bot.trials.simulation.soak import SoakPlan, soak
from bot.trials.simulation.soak_judge import OpponentReport, SoakReport
from bot.trials.simulation.soak_prediction import predicted, rates_of
from tests.processes import bot_here, running

CALM = ("--games", "1", "--faults", "none", "--kill", "0")


def run(folder: Path, games: int, opponents: str = "o-table-3", **options: object) -> SoakReport:
    plan = SoakPlan(games, folder, think_s=0.05, **options)  # type: ignore[arg-type]
    return soak(plan, agents_of(opponents, plan.seed), lambda *_: None)


def check(report: SoakReport, games: int) -> None:
    assert report.in_all["games"] >= games
    for part in report.opponents.values():
        assert (part.disagreements, part.given_away, part.failures) == ([], [], [])
        assert part.forfeits == 0
        assert part.unexplained == [], "a game is lost only where no column was safe"
    assert report.faultless


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run `bot soak` with the test's folder for temporary files; its players are processes of their own."""
    monkeypatch.setattr(tempfile, "tempdir", None)

    def soaked(*options: str) -> subprocess.CompletedProcess[str]:
        return bot_here("soak", *options, cwd=tmp_path, TMPDIR=str(tmp_path))

    return soaked


def test_a_few_games_through_many_faults_and_kills(tmp_path: Path) -> None:
    report = run(tmp_path, 2, opponents="o-table-3,h-even-threats", faults="default=0.3", kill=0.04, seed=3)
    check(report, 2)
    assert list(report.opponents) == ["o-table-3", "h-even-threats"]
    assert all(part.games >= 1 for part in report.opponents.values()), "the games are divided evenly"
    assert report.in_all["faults"] > 2
    assert report.in_all["lost_replies"] > 0 and report.in_all["reconciled"] > 0
    for part in report.opponents.values():
        assert part.predicted is not None and part.predicted["games"] >= 5 * part.games
    folders = sorted(path.name for path in tmp_path.iterdir())
    assert folders == ["1-o-table-3", "2-h-even-threats"]
    assert all((tmp_path / name / "state").is_dir() for name in folders), "each player keeps its own state"


def test_a_player_is_killed_without_any_fault(tmp_path: Path) -> None:
    report = run(tmp_path, 1, opponents="random", faults="none", kill=0.3, seed=2)
    check(report, 1)
    assert report.in_all["kills"] > 0 and report.in_all["faults"] == 0
    assert report.opponents["random"].predicted is None, "the simulation predicts foreign bots only"


@pytest.mark.timeout(600)
@pytest.mark.slow
def test_twelve_games_as_the_command_plays_them(
    tmp_path: Path, command: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    done = command("--games", "12", "--kill", "0.05", "--seed", "7", "--json", "--keep", str(tmp_path / "kept"))
    shown = json.loads(done.stdout)
    assert done.returncode == (0 if shown["passed"] else 5)
    sums = shown["in_all"]
    read_by_programs = {"games", "won", "drawn", "lost", "forfeits", "illegal", "faults", "kills", "unexplained"}
    assert read_by_programs <= sums.keys()
    assert sums["games"] >= 12
    assert len(shown["opponents"]) == 4, "two foreign bots of each half"
    assert sums["kills"] > 0 and sums["resumes"] > 0 and sums["faults"] > 20
    assert shown["faultless"], done.stdout
    assert sums["unexplained"] == 0, "a game is lost only where no column was safe"


def test_without_a_loss_the_folder_is_deleted(
    tmp_path: Path, command: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    done = command(*CALM, "--opponent", "random", "--starter", "student", "--json")
    shown = json.loads(done.stdout)
    assert (done.returncode, shown["passed"]) == (0, True), done.stderr
    assert set(shown) == {"opponents", "interrupted", "seconds", "in_all", "faultless", "passed"}
    assert set(shown["opponents"]) == {"random"}
    assert shown["opponents"]["random"]["won"] == shown["in_all"]["won"] == 1
    assert list(tmp_path.iterdir()) == []


def test_after_a_loss_the_folder_is_kept_and_named(
    tmp_path: Path, command: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    done = command(*CALM, "--opponent", "depth8", "--starter", "bot", "--engine", "random")
    assert done.returncode == 5
    (folder,) = tmp_path.iterdir()
    assert str(folder) in done.stderr
    assert next(journals(folder / "1-depth8" / "logs")).games
    assert "forfeits: 0\n" in done.stdout and "illegal: 0\n" in done.stdout
    assert "1 lost" in done.stdout and "Passed" not in done.stdout


@pytest.mark.parametrize("option", [("--opponent", "unknown"), ("--faults", "gremlins"), ("--opponent", ",")])
def test_a_mistake_in_an_option_is_reported_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], option: tuple[str, str]
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    assert main(["soak", *option]) == ExitCode.USAGE
    shown = capsys.readouterr()
    assert shown.out == "" and "Traceback" not in shown.err
    assert "bot: " in shown.err
    assert list(tmp_path.iterdir()) == []


def report_of(**counts: Any) -> OpponentReport:
    return OpponentReport(**{"games": 5, "won": 5, **counts})


def test_reports_add_up() -> None:
    parts = {
        "a": report_of(faults={"drip": 1, "delay": 2}, kills=1),
        "b": report_of(won=4, lost=["Game 2 was lost."], faults={"drip": 3}),
    }
    whole = SoakReport(parts, interrupted=True)
    sums = whole.in_all
    assert (sums["games"], sums["won"], sums["kills"], sums["faults"], sums["lost"]) == (10, 9, 1, 6, 1)
    shown = whole.as_json()
    assert shown["opponents"]["b"]["lost"] == ["Game 2 was lost."] and shown["interrupted"]
    assert whole.faultless and not whole.passed


@pytest.mark.parametrize("what", ["given_away", "disagreements", "failures"])
def test_a_mistake_of_the_client_is_a_failure(what: str) -> None:
    assert SoakReport({"a": report_of()}).passed
    assert not SoakReport({"a": report_of(), "b": report_of(**{what: ["Something."]})}).faultless
    assert not report_of(forfeits=1).faultless
    assert report_of(lost=["Game 1."], illegal=1).faultless


def test_the_simulation_takes_the_rates_that_were_met() -> None:
    rates = rates_of(report_of(sent=100, lost_replies=20, not_sent=5, kills=2, records=400))
    assert rates.shares == {"reset_before": 0.1, "reset_after": 0.1, "refuse": 0.05}
    assert rates.besides == {"kill": 0.005}
    shown = predicted("h-windows-plain", "random", 1, report_of(sent=100, lost_replies=10, kills=1, records=300))
    assert shown is not None
    assert shown["games"] >= 25
    assert set(shown) == {"games", "lost", "lost_per_1000_games", "lost_per_100_lost_replies"}
    assert predicted("depth3", "random", 1, report_of(sent=1)) is None


def test_opponents_are_named_one_by_one_or_by_group() -> None:
    def names(text: str) -> list[str]:
        return [agent.name for agent in agents_of(text, 1)]

    assert names("o-table-3, depth2,h-playouts") == ["o-table-3", "depth2", "h-playouts"]
    assert [len(names(group)) for group in ("open", "held-out", "all")] == [6, 14, 20]
    assert names("random,scripted:44") == ["random", "scripted:44"]
    with pytest.raises(UsageError):
        names("o-table-3,unknown")


@pytest.mark.slow
def test_no_move_is_late_on_a_machine_loaded_four_times_over(tmp_path: Path) -> None:
    with ExitStack() as burners:
        for _ in range(4 * (os.cpu_count() or 1)):
            burners.enter_context(running([sys.executable, "-c", "while True: pass"]))
        done = subprocess.run(
            [sys.executable, "-m", "bot", "play", "--games", "1", "--goal", "1"],
            cwd=tmp_path, capture_output=True, text=True, check=False, timeout=280,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    chosen = [step.chosen for journal in journals(tmp_path / "logs") for game in journal.games for step in game.steps]
    moves = [each for each in chosen if each.move >= 0]
    assert len(moves) > 3
    assert not [each for each in moves if each.late or each.move_s > 4.8]
