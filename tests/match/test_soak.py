"""The soak itself: real sockets, real faults, a real process that is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.engine.registry import make_agent
from bot.journal.reader import journals
from bot.match.soak import SoakPlan, SoakReport, soak


def run(folder: Path, games: int, **options: object) -> SoakReport:
    plan = SoakPlan(games, folder, think_s=0.05, **options)  # type: ignore[arg-type]
    return soak(plan, make_agent("depth3", seed=plan.seed), lambda *_: None)


def check(report: SoakReport, games: int) -> None:
    assert report.games == games
    assert report.disagreements == []
    assert report.given_away == []
    assert report.failures == []
    assert not [text for text in report.lost if "four in a row" not in text], "nothing forfeited, nothing illegal"
    assert len(report.lost) <= len(report.excused), "no game is lost but where no safe column existed"


def test_a_few_games_through_many_faults_and_kills(tmp_path: Path) -> None:
    report = run(tmp_path, 4, faults="default=0.3", kill=0.04, seed=3)
    check(report, 4)
    assert sum(report.faults.values()) > 5
    assert report.unknown > 0 and report.resolved > 0


@pytest.mark.timeout(600)
def test_thirty_games_as_the_command_plays_them(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bot", "soak", "--games", "30", "--seed", "7", "--json", "--think", "0.05"]
    done = subprocess.run(
        [*command, "--keep", str(tmp_path / "kept")], capture_output=True, text=True, check=False, timeout=550
    )
    told = json.loads(done.stdout)
    assert done.returncode == (0 if told["passed"] else 5)
    assert told["games"] == 30
    assert told["kills"] > 0 and told["resumes"] > 0 and sum(told["faults"].values()) > 50
    assert told["disagreements"] == [] and told["given_away"] == [] and told["failures"] == []
    assert len(told["lost"]) <= len(told["excused"])


@pytest.mark.slow
def test_no_move_is_late_on_a_machine_loaded_four_times_over(tmp_path: Path) -> None:
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4 * (os.cpu_count() or 1))]
    try:
        start = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "bot", "play", "--games", "1", "--goal", "1"],
            cwd=tmp_path, capture_output=True, text=True, check=False, timeout=280,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert time.monotonic() - start > 1
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
    intents = [
        record
        for journal in journals(tmp_path / "logs")
        for game in journal.games
        for record in game.records
        if record["type"] == "intent" and record["move"] >= 0
    ]
    assert len(intents) > 3
    assert not [record for record in intents if record.get("late") or record["move_s"] > 4.8]
