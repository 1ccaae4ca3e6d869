"""The judge of the long series, on journals written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.course.run.move_review import Reviewer
from tests.course.foreign_rules import EMPTY
from tests.course.journal.build import Hand, started
from tests.course.run.course import journals
from tests.course.run.verdicts import Verdicts, judge_moves

FULL = "column 4 was full"
UNEXPLAINED = "was lost although every choice had a safe column"


@pytest.mark.parametrize(("is_safe", "lists"), [(False, ([], [FULL], [])), (True, ([FULL], [], [UNEXPLAINED]))])
def test_a_loss_by_an_illegal_move_is_excused_only_where_no_column_was_safe(
    tmp_path: Path, is_safe: bool, lists: tuple[list[str], list[str], list[str]]
) -> None:
    """The reply to the first move was lost; the second one meets a full column."""
    hand = Hand(tmp_path, started())
    hand.intent(1, -1)
    hand.reply(1, status=True, state=EMPTY)
    hand.intent(1, 3)
    hand.intent(1, 3, hypotheses=2, safe=is_safe)
    hand.reply(1, status=False, msg="Impossible move.", result=-10.0)
    hand.close()
    (journal,) = journals(tmp_path)
    found = Verdicts()
    judge_moves("Game 1", journal.games[0], Reviewer(), found)
    told = [[text.removeprefix("Game 1").strip(": ") for text in texts] for texts in (found.given_away, found.excused)]
    assert (*told, [text.removeprefix("Game 1 ") for text in found.unexplained]) == lists
