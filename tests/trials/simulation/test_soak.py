"""The soak: real sockets, real faults, real processes that are killed; and its judge on journals written by hand."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.course.journal.reader import journals
from bot.errors import ExitCode
from bot.trials.simulation.soak_judge import OpponentReport, judge_journals
from tests.course.foreign_rules import replay
from tests.course.journal.build import Hand, started
from tests.processes import bot_here

Command = Callable[[str], subprocess.CompletedProcess[str]]


@pytest.fixture
def soak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run `bot soak` with the test's folder for temporary files; its players are processes of their own."""
    monkeypatch.setattr(tempfile, "tempdir", None)
    return lambda options: bot_here("soak", *options.split(), cwd=tmp_path, TMPDIR=str(tmp_path))


def test_a_game_through_many_faults_and_kills(tmp_path: Path, soak: Command) -> None:
    """A game is lost only where no column was safe."""
    where = f"--opponent o-table-3,random --keep {tmp_path / 'kept'}"
    done = soak(f"{where} --games 2 --faults default=0.3 --kill 0.04 --seed 3 --json")
    shown = json.loads(done.stdout)
    assert done.returncode == (ExitCode.DONE if shown["passed"] else ExitCode.GOAL_MISSED), done.stderr
    sums = shown["in_all"]
    assert shown["faultless"] and sums["games"] >= 2 and sums["forfeits"] == sums["unexplained"] == 0
    assert min(sums[what] for what in ("faults", "lost_replies", "reconciled", "kills", "resumes")) > 0, sums
    assert shown["opponents"]["o-table-3"]["predicted"]["games"] >= 5
    assert shown["opponents"]["random"]["predicted"] is None, "the simulation predicts foreign bots only"
    assert all((tmp_path / "kept" / name / "state").is_dir() for name in ("1-o-table-3", "2-random")), "one each"


def test_after_a_loss_the_folder_is_kept_and_named_and_otherwise_deleted(tmp_path: Path, soak: Command) -> None:
    calm = "--games 1 --faults none --kill 0"
    won = soak(f"{calm} --opponent random --starter student")
    assert (won.returncode, list(tmp_path.iterdir())) == (ExitCode.DONE, []) and "Passed" in won.stdout, won.stderr
    lost = soak(f"{calm} --opponent depth8 --starter bot --engine random")
    (folder,) = tmp_path.iterdir()
    assert lost.returncode == ExitCode.GOAL_MISSED and str(folder) in lost.stderr
    assert next(journals(folder / "1-depth8" / "logs")).games
    assert "forfeits: 0\n" in lost.stdout and "1 lost" in lost.stdout and "Passed" not in lost.stdout


def test_a_mistake_in_an_option_is_reported_before_anything_runs(tmp_path: Path, soak: Command) -> None:
    for option in ("--opponent unknown", "--faults gremlins", "--opponent ,"):
        done = soak(option)
        assert (done.returncode, done.stdout, list(tmp_path.iterdir())) == (ExitCode.USAGE, "", []), done.stderr


DOUBT = {"hypotheses": 2, "safe": False}
SURE = {"hypotheses": 2, "safe": True}


def judged(folder: Path, hand: Hand) -> OpponentReport:
    hand.close()
    report = OpponentReport()
    judge_journals(folder, report, lambda *_: None)
    return report


def opened(folder: Path, played: tuple[int, ...] = ()) -> Hand:
    """Return the journal of a game in which these columns were played, ours first."""
    hand = Hand(folder / "logs", started(server="http://x", ids=("soak",)))
    hand.intent(1, -1)
    hand.reply(1, status=True, state=replay((), student_started=True))
    for ply in range(0, len(played), 2):
        hand.intent(1, played[ply], ply)
        hand.reply(1, status=True, state=replay(played[: ply + 2], student_started=True))
    return hand


@pytest.mark.parametrize(("move", "chosen", "lists"), [(4, DOUBT, (0, 1)), (4, SURE, (1, 0)), (3, DOUBT, (0, 0))])
def test_a_move_that_opened_a_game_silently_is_excused_under_doubt(
    tmp_path: Path, move: int, chosen: dict[str, Any], lists: tuple[int, int]
) -> None:
    """A winning move gets no reply, and the next one opens a game."""
    hand = opened(tmp_path, (3, 0, 3, 0, 3, 0))
    hand.intent(1, 3, 6)
    hand.intent(1, move, 0, **chosen)
    hand.reply(1, status=True, state=replay((move, 3), student_started=True))
    report = judged(tmp_path, hand)
    assert (len(report.given_away), len(report.excused), report.moves, report.disagreements) == (*lists, 5, [])
    assert report.unsafe == (chosen == DOUBT)
    for text in report.given_away + report.excused:
        assert text == "Game 2: Move 1 (column 5) gives value away: column 4 is a win, this a draw."


@pytest.mark.parametrize("chosen", [DOUBT, SURE, {}])
def test_an_illegal_move_that_a_safe_column_would_have_avoided_is_a_mistake(
    tmp_path: Path, chosen: dict[str, Any]
) -> None:
    hand = opened(tmp_path)
    hand.intent(1, 3)
    hand.intent(1, 3, **chosen)
    hand.reply(1, status=False, msg="Impossible move.", result=-10.0)
    report = judged(tmp_path, hand)
    full = ["Game 1: Column 4 was full."]
    assert (report.excused, report.given_away) == ((full, []) if chosen == DOUBT else ([], full))
    unexplained = ["Game 1 was lost although every choice had a safe column."]
    assert report.unexplained == ([] if chosen == DOUBT else unexplained)
