"""The soak's judge on journals whose moves opened a game silently."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.course.journal.reader import read_journal
from bot.course.journal.verify import replay_game
from bot.course.journal.writer import JournalWriter
from bot.trials.simulation.soak_judge import SoakReport, judge_journals
from tests.course.foreign_rules import replay

E_FILE, D_FILE = 4, 3
UNDER_DOUBT = {"hypotheses": 2, "safe": False}
WINS_AT_ONCE = (3, 0, 3, 0, 3, 0)


def write(folder: Path, move: int, *, chosen: dict[str, Any], noted: dict[str, Any]) -> Path:
    """Write a run whose winning move gets no reply, and whose next ``move`` opens a game (bot: column 4).

    ``chosen``: what the move's intent says about the choice; ``noted``: what the event of the new game repeats.
    """
    writer = JournalWriter.create(folder / "logs", "x", server="http://x", stil_ids=["soak"])
    writer.intent(1, -1, 0)
    writer.reply(1, status=True, result=0.0, botmove=-1, state=replay((), student_started=True))
    for ply in range(0, len(WINS_AT_ONCE), 2):
        ours, theirs = WINS_AT_ONCE[ply : ply + 2]
        board = replay(WINS_AT_ONCE[: ply + 2], student_started=True)
        writer.intent(1, ours, ply)
        writer.reply(1, status=True, result=0.0, botmove=theirs, state=board)
    writer.intent(1, 3, len(WINS_AT_ONCE))
    writer.event(1, "reply_lost", "The connection broke.", move=3)
    writer.intent(1, move, 0, **chosen)
    board = replay((move, 3), student_started=True)
    ended = [{"game": 1, "result": 1.0, "known_by": "statistics"}]
    text = "A move met no running game and opened one."
    begun = {"moves": "", "move": move, "botmove": 3, "state": board, "result": 0.0, "ended": ended}
    writer.event(2, "silent_start", text, **begun, **noted)
    writer.game_end(1, 1.0, known_by="statistics")
    writer.close()
    return writer.path


@pytest.mark.parametrize("noted", [UNDER_DOUBT, {}], ids=["repeated in the game", "only in the intent"])
def test_a_move_chosen_over_several_hypotheses_is_no_mistake_in_the_game_that_it_opened(
    tmp_path: Path, noted: dict[str, Any]
) -> None:
    write(tmp_path, E_FILE, chosen=UNDER_DOUBT, noted=noted)
    report = SoakReport()
    judge_journals(tmp_path, report, lambda *_: None)
    assert report.given_away == []
    assert report.excused == ["Game 2: Move 0 (column 5) gives value away: column 4 is better than a draw."]
    assert report.disagreements == []
    assert report.unsafe == 1
    assert report.moves == 5


def test_a_move_chosen_for_the_game_before_is_no_mistake_in_the_game_that_it_opened(tmp_path: Path) -> None:
    write(tmp_path, E_FILE, chosen={}, noted={})
    report = SoakReport()
    judge_journals(tmp_path, report, lambda *_: None)
    assert (len(report.given_away), len(report.excused)) == (0, 1)


def test_a_column_that_was_said_to_be_right_in_every_hypothesis_has_no_excuse(tmp_path: Path) -> None:
    write(tmp_path, E_FILE, chosen={"hypotheses": 2, "safe": True}, noted={})
    report = SoakReport()
    judge_journals(tmp_path, report, lambda *_: None)
    assert (len(report.given_away), len(report.excused)) == (1, 0)


def test_a_right_move_that_opens_a_game_is_neither(tmp_path: Path) -> None:
    path = write(tmp_path, D_FILE, chosen=UNDER_DOUBT, noted={})
    report = SoakReport()
    judge_journals(tmp_path, report, lambda *_: None)
    assert (report.given_away, report.excused, report.moves) == ([], [], 5)
    first, second = read_journal(path).games
    assert first.opened_by is None
    assert second.opened_by is first.records[-2]
    assert second.opened_by["move"] == D_FILE
    (step,) = replay_game(second).steps
    assert step.is_silent_start
    assert step.intent["hypotheses"] == 2


def lost_by_an_illegal_move(folder: Path, **chosen: Any) -> SoakReport:
    """Return the report on a game whose last move was a full column."""
    writer = JournalWriter.create(folder / "logs", "x", server="http://x", stil_ids=["soak"])
    writer.intent(1, -1, 0)
    writer.reply(1, status=True, result=0.0, botmove=-1, state=replay((), student_started=True))
    writer.intent(1, 3, 0)
    writer.event(1, "reply_lost", "The connection broke.", move=3)
    writer.intent(1, 3, 0, **chosen)
    writer.reply(1, status=False, msg="Impossible move.")
    writer.game_end(1, -10.0, known_by="reply")
    writer.close()
    report = SoakReport()
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
