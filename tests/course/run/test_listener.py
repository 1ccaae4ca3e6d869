"""What people see of a run: the observer turns steps into calls of its methods."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.course.events import Chosen, Counted, Event, Failed, GameEnded, Note, Options, Replied
from bot.course.failures import Delivery
from bot.course.hypotheses import EMPTY, Hypothesis
from bot.course.protocol import MoveReply, Stats
from bot.course.run.standings import Outage, RunStandings
from bot.course.session import Session
from tests.course.run.course import Watcher

ANSWER = MoveReply(True)
IDLE = Session(Options(patience_s=30.0))
PLAYING = Session(hypotheses=(Hypothesis(EMPTY),), late_at=13.0)
UNREAD = Counted(1.0, None, "http 404")
"""A reading that shows nothing."""


def fails(at: float, delivery: Delivery = Delivery.NOT_SENT) -> Failed:
    return Failed(at, delivery, "Down.")


def shown(*steps: tuple[Event, Session], standings: RunStandings | None = None) -> list[tuple[object, ...]]:
    """Return what the observer is shown of events, each with the session after it."""
    watcher = Watcher(standings)
    for event, session in steps:
        watcher.step(session, event)
    return watcher.shown


def test_an_outage_has_a_countdown_and_one_end_and_the_time_left_for_the_move_is_known():
    watcher = Watcher()
    watcher.step(PLAYING, Chosen(10.0, 3))
    watcher.waiting(PLAYING, "Down.", 30.0, 11.0)
    watcher.waiting(PLAYING, "Down.", 23.0, 18.0)
    watcher.step(PLAYING, Counted(19.0, None, "reset", ""))
    watcher.step(PLAYING, Counted(20.0, Stats(1, 1, 0, 1)))
    watcher.step(IDLE, Replied(22.0, ANSWER))
    watcher.waiting(IDLE, "Down.", 30.0, 23.0)
    assert [call for call in watcher.shown if call[0] != "decided"] == [
        ("unreachable", Outage("Down.", 30.0, 2.0)),
        ("unreachable", Outage("Down.", 23.0, -5.0)),
        ("reachable", 9.0),
        ("unreachable", Outage("Down.", 30.0, None)),
    ]


def test_notes_are_shown_slow_moves_are_kept_and_a_move_under_doubt_is_not_drawn():
    standings = RunStandings(goal=20)
    doubtful = Session(hypotheses=(Hypothesis(EMPTY), Hypothesis(EMPTY.play(3).play(2))))
    chosen = Chosen(1.0, 3, move_s=0.7, note="Another agent had to choose.")
    assert shown((chosen, PLAYING), (Chosen(2.0, 3, move_s=0.2), doubtful), standings=standings) == [
        ("notice", chosen.note),
        ("decided", EMPTY.board, chosen),
    ]
    assert standings.slowest_move_s == standings.game_move_s == 0.7, "a move under doubt counts in both"


def test_a_late_loss_names_the_times_of_the_last_reply_our_move_and_its_answer_and_says_what_to_do() -> None:
    standings = RunStandings(goal=20)
    watcher = Watcher(standings)
    lost = Replied(12.1, replace(ANSWER, msg="Too\tlate.", result=-1.0), first_byte_s=0.1)
    for event, session in (
        (Replied(6.0, ANSWER, first_byte_s=6.0), IDLE),
        (Chosen(6.1, 3, move_s=0.014), PLAYING),
        (lost, Session(news=(GameEnded(1, -1.0, "reply"),))),
    ):
        watcher.step(session, event)
    said, why = watcher.notices
    assert said == "The server says: Too late."
    assert "late" in why and "6 s to arrive" in why and "0.014 s" in why and "answer to it 0.1 s, 6.1 s in all" in why
    assert standings.slowest_move_s == pytest.approx(6.114), "the game's line and the run's last one say what it was"
    assert standings.game_move_s == 0.0, "the next game has its own"
    by_the_bot = replace(lost, reply=replace(lost.reply, botmove=0))
    assert "late" not in str(shown((by_the_bot, Session(news=(GameEnded(1, -1.0, "reply"),)))))


@pytest.mark.parametrize(
    ("result", "known_by"), [(-1.0, "statistics"), (1.0, "inferred"), (0.0, "unknown"), (0.0, "server_reset")]
)
def test_an_end_that_no_reply_shows_is_explained(result, known_by):
    standings = RunStandings(goal=20)
    end = GameEnded(3, result, known_by, (3, 2), we_started=True)
    (board, notice, *ended) = shown((UNREAD, Session(news=(end,))), standings=standings)
    assert board == ("replied", EMPTY.play(3).play(2).board, 2)
    assert str(notice[1]).startswith("Game 3 ")
    assert ended == [("game_ended", end)] * standings.played
    assert (standings.played, standings.without_result) == (abs(result), result == 0)


def test_each_text_of_a_lost_reply_is_shown_once_until_a_reply_comes():
    lost = Session(news=(Note("reply_lost", "Lost."), Note("reconciled", "Known again.", quiet=True)))
    failed, answered = (fails(1.0), lost), (Replied(3.0, ANSWER), Session())
    assert shown(failed, failed, answered, failed) == [("notice", "Lost.")] * 2
