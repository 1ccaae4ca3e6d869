"""The soak's judge on journals whose moves opened a game silently."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.course.journal.reader import read_journal
from bot.game import Board
from bot.trials.simulation.soak_judge import OpponentReport, judge_journals
from tests.course.foreign_rules import replay
from tests.course.journal.build import Hand, started

E_FILE, D_FILE = 4, 3
UNDER_DOUBT = {"hypotheses": 2, "safe": False}
WINS_AT_ONCE = (3, 0, 3, 0, 3, 0)


def write(folder: Path, move: int, **chosen: Any) -> Path:
    """Write a run whose winning move gets no reply, and whose next ``move`` opens a game (bot: column 4).

    ``chosen``: what the record of that move says about the choice.
    """
    hand = Hand(folder / "logs", started(server="http://x", ids=("soak",)))
    hand.intent(1, -1)
    hand.reply(1, status=True, state=replay((), student_started=True))
    for ply in range(0, len(WINS_AT_ONCE), 2):
        hand.intent(1, WINS_AT_ONCE[ply], ply)
        hand.reply(1, status=True, state=replay(WINS_AT_ONCE[: ply + 2], student_started=True))
    hand.intent(1, 3, len(WINS_AT_ONCE))
    hand.intent(1, move, 0, **chosen)
    hand.reply(1, status=True, state=replay((move, 3), student_started=True))
    hand.close()
    return hand.path


def test_a_move_chosen_over_several_hypotheses_is_no_mistake_in_the_game_that_it_opened(
    tmp_path: Path,
) -> None:
    write(tmp_path, E_FILE, **UNDER_DOUBT)
    report = OpponentReport()
    judge_journals(tmp_path, report, lambda *_: None)
    assert report.given_away == []
    assert report.excused == ["Game 2: Move 1 (column 5) gives value away: column 4 is a win, this a draw."]
    assert report.disagreements == []
    assert report.unsafe == 1
    assert report.moves == 5


def test_a_column_that_was_said_to_be_right_in_every_hypothesis_has_no_excuse(tmp_path: Path) -> None:
    write(tmp_path, E_FILE, hypotheses=2, safe=True)
    report = OpponentReport()
    judge_journals(tmp_path, report, lambda *_: None)
    assert (len(report.given_away), len(report.excused)) == (1, 0)


def test_a_right_move_that_opens_a_game_is_neither(tmp_path: Path) -> None:
    path = write(tmp_path, D_FILE, **UNDER_DOUBT)
    report = OpponentReport()
    judge_journals(tmp_path, report, lambda *_: None)
    assert (report.given_away, report.excused, report.moves) == ([], [], 5)
    first, second = read_journal(path).games
    assert [step.move for step in first.steps] == [-1, 3, 3, 3, 3]
    (step,) = second.steps
    assert (step.move, step.met, step.chosen.hypotheses) == (D_FILE, Board(), 2)


def lost_by_an_illegal_move(folder: Path, **chosen: Any) -> OpponentReport:
    """Return the report on a game whose last move was a full column."""
    hand = Hand(folder / "logs", started(server="http://x", ids=("soak",)))
    hand.intent(1, -1)
    hand.reply(1, status=True, state=replay((), student_started=True))
    hand.intent(1, 3)
    hand.intent(1, 3, **chosen)
    hand.reply(1, status=False, msg="Impossible move.", result=-10.0)
    hand.close()
    report = OpponentReport()
    judge_journals(folder, report, lambda *_: None)
    return report


def test_an_illegal_move_under_doubt_is_excused(tmp_path: Path) -> None:
    report = lost_by_an_illegal_move(tmp_path, **UNDER_DOUBT)
    assert report.excused == ["Game 1: Column 4 was full."]
    assert report.given_away == report.unexplained == [] and report.faultless


@pytest.mark.parametrize("chosen", [{}, {"hypotheses": 2, "safe": True}], ids=["without doubt", "said to be safe"])
def test_an_illegal_move_that_a_safe_column_would_have_avoided_is_a_mistake(
    tmp_path: Path, chosen: dict[str, Any]
) -> None:
    report = lost_by_an_illegal_move(tmp_path, **chosen)
    assert report.given_away == ["Game 1: Column 4 was full."]
    assert report.unexplained == ["Game 1 was lost although every choice had a safe column."]
    assert report.excused == [] and not report.faultless
