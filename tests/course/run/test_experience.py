"""Answers that a run learns from the journals of a server: each counts once, also in its own unfinished run."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bot.course.journal.writer import JournalWriter
from bot.course.run.run import Plan, Run
from bot.course.session.answers import CENTRE
from bot.course.session.position import EMPTY
from tests.course.session.build import position

SERVER = "http://127.0.0.1:1"
AGENT: Any = SimpleNamespace(name="quick")


def write(logs: Path, *, is_finished: bool) -> None:
    """Write the journal of a run in which the bot answered column 4 with column 3, the game finished or not."""
    writer = JournalWriter.create(logs, "me", server=SERVER, stil_ids=["me"], games=1)
    replies = [(-1, EMPTY, -1), (3, position((3, 2)), 2)]
    for move, known, botmove in replies:
        writer.intent(1, move, known.board.ply, at=0.0)
        writer.event(1, "sent", "", at=0.0)
        writer.reply(1, status=True, msg=None, botmove=botmove, result=0.0, state=known.grid, latency_s=0.1, at=0.0)
    if is_finished:
        writer.game_end(1, -1.0, moves="", we_started=True, known_by="reply", at=0.0)
        writer.run_end("finished")
    writer.close()


def plan(logs: Path) -> Plan:
    """Return a plan for one game."""
    return Plan(SERVER, SERVER, ("me",), games=1, goal=20, limit_s=5.0, think_s=0.1, patience_s=1.0, logs=logs)


def test_answers_of_a_resumed_run_count_once(tmp_path: Path) -> None:
    write(tmp_path, is_finished=True)
    write(tmp_path, is_finished=False)
    run = Run(plan(tmp_path), AGENT)
    session, unrecorded = run._session()
    run.journal.close()
    assert unrecorded == []
    assert session.position == position((3, 2))
    answers = session.answers
    assert answers.seen == {position((3,)).board: (0, 0, 2, 0, 0, 0, 0)}
    assert (answers.repeats, answers.repeated) == (1, 1)
    assert answers.preference == (*CENTRE[:2], CENTRE[2] + 2, *CENTRE[3:])


def test_answers_of_finished_runs_are_known_to_a_new_one(tmp_path: Path) -> None:
    write(tmp_path, is_finished=True)
    run = Run(plan(tmp_path), AGENT)
    session, _ = run._session()
    run.journal.close()
    assert session.answers.seen == {position((3,)).board: (0, 0, 1, 0, 0, 0, 0)}
    assert session.is_idle
