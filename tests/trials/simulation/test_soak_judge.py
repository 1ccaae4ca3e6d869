"""The soak's judge: moves that opened a game silently, and illegal moves, with and without doubt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.course.journal.reader import read_journal
from bot.course.protocol import ILLEGAL, MoveReply, Stats
from bot.course.session.events import Chosen, as_line, parse_line
from bot.trials.simulation.soak_judge import SoakReport, judge_journals
from tests.course.journal.build import TIME, Fault, Server, died_after, recorded, unheard

E_FILE, D_FILE = 4, 3
UNDER_DOUBT = {"hypotheses": 2, "safe": False}
WINS_AT_ONCE = (3, 3, 3, 3)
"""Our columns, which win against a bot that plays column 0."""
AFTER_WIN = 6
"""Number of the request after those, the first one being -1."""


class Unreadable(Server):
    """A server that keeps no statistics."""

    def stats(self) -> Stats:
        return None  # type: ignore[return-value]


def forgetting(server: Server, move: int) -> MoveReply:
    """Lose the game, and let the move open a new one."""
    server.grid = None
    return server.move(move)


def impossible(server: Server, _move: int) -> MoveReply:
    """End the game for an illegal move."""
    server.grid = None
    return MoveReply(False, "Impossible move.", result=ILLEGAL)


def judged(
    folder: Path, columns: tuple[int, ...], faults: dict[int, Fault], request: int, chosen: dict[str, Any]
) -> SoakReport:
    """Return the report on a run whose choice before a request is said to be ``chosen``."""
    content = recorded(columns, faults, server=Unreadable([0, 0, 0, D_FILE]), games=2)
    records = [parse_line(line) for line in content.splitlines()]
    asked = [index for index, record in enumerate(records) if isinstance(record, Chosen)][request - 1]
    records[asked] = replace(records[asked], **chosen)
    path = folder / "logs" / "000001-x.jsonl"
    path.parent.mkdir()
    path.write_bytes(b"".join(as_line(record, TIME) for record in records))
    report = SoakReport()
    judge_journals(folder, report, lambda *_: None)
    return report


def opening_silently(folder: Path, move: int, chosen: dict[str, Any]) -> SoakReport:
    """Let the winning move get no reply, and the next ``move`` open a game (bot: column 4); then the run dies."""
    faults: dict[int, Fault] = {AFTER_WIN - 1: unheard, AFTER_WIN + 1: died_after}
    return judged(folder, (*WINS_AT_ONCE, move, D_FILE), faults, AFTER_WIN, chosen)


MISTAKE = "Game 2: Move 1 (column 5) gives value away: column 4 is better than a draw."


def test_a_move_chosen_over_several_hypotheses_is_no_mistake_in_the_game_that_it_opened(tmp_path: Path) -> None:
    report = opening_silently(tmp_path, E_FILE, UNDER_DOUBT)
    assert (report.given_away, report.excused, report.disagreements) == ([], [MISTAKE], [])
    assert (report.unsafe, report.moves, report.lost_moves) == (1, 4, 1)


def test_a_column_that_was_said_to_be_right_in_every_hypothesis_has_no_excuse(tmp_path: Path) -> None:
    report = opening_silently(tmp_path, E_FILE, {"hypotheses": 2, "safe": True})
    assert (report.given_away, report.excused) == ([MISTAKE], [])


def test_a_right_move_that_opens_a_game_is_neither(tmp_path: Path) -> None:
    report = opening_silently(tmp_path, D_FILE, UNDER_DOUBT)
    assert (report.given_away, report.excused, report.moves) == ([], [], 4)
    (path,) = (tmp_path / "logs").iterdir()
    first, second = read_journal(path).games
    assert [step.move for step in first.steps] == [-1, *WINS_AT_ONCE]
    assert (second.steps[0].move, second.steps[0].chosen.hypotheses) == (D_FILE, 2)


def test_a_move_chosen_for_the_game_before_is_no_mistake_in_the_game_that_it_opened(tmp_path: Path) -> None:
    faults: dict[int, Fault] = {4: forgetting, 5: died_after}
    report = judged(tmp_path, (3, 3, E_FILE, 3), faults, 4, {})
    assert (len(report.given_away), len(report.excused)) == (0, 1)


def lost_by_an_illegal_move(folder: Path, chosen: dict[str, Any]) -> SoakReport:
    """Return the report on a game whose last move, after a lost reply, was illegal."""
    faults: dict[int, Fault] = {2: unheard, 3: impossible, 4: died_after}
    return judged(folder, (3, 3), faults, 3, chosen)


def test_an_illegal_move_under_doubt_is_excused(tmp_path: Path) -> None:
    report = lost_by_an_illegal_move(tmp_path, UNDER_DOUBT)
    assert report.excused == ["Game 1: Column 4 was full."]
    assert report.given_away == report.unexplained == []


@pytest.mark.parametrize("chosen", [{}, {"hypotheses": 2, "safe": True}], ids=["without doubt", "said to be safe"])
def test_an_illegal_move_that_a_safe_column_would_have_avoided_is_a_mistake(
    tmp_path: Path, chosen: dict[str, Any]
) -> None:
    report = lost_by_an_illegal_move(tmp_path, chosen)
    assert report.given_away == ["Game 1: Column 4 was full."]
    assert report.unexplained == ["Game 1 was lost although every choice had a safe column."]
    assert report.excused == [] and not report.faultless
