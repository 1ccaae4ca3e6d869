"""What people see of a run: the listener turns steps into calls of the observer, and the console shows an outage."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from bot.cli.console import OutputConsole, View, outage_line
from bot.course.protocol import MoveReply, Stats
from bot.course.run.listener import Listener, Outage
from bot.course.run.standings import RunStandings
from bot.course.session.belief import Hypothesis
from bot.course.session.clock import MoveClock
from bot.course.session.events import (
    Choose,
    Chosen,
    Counted,
    Delivery,
    Event,
    Failed,
    GameEnded,
    Note,
    Reason,
    Replied,
    Sent,
    Started,
    Stop,
    Waited,
)
from bot.course.session.position import EMPTY
from bot.course.session.state import Session
from tests.course.run.course import Watcher

NOT_SENT = Failed(0.0, Delivery.NOT_SENT, "Unreachable.")
LOST = Failed(0.0, Delivery.UNKNOWN, "HTTP 502.")
ANSWER = Replied(0.0, MoveReply(True))
COUNTS = Counted(0.0, Stats(1, 1, 0, 1))
IDLE = Session(run=Started(0.0, patience_s=30.0))
PLAYING = Session(belief=(Hypothesis(EMPTY),), number=1, clock=MoveClock().start(8.0, 5.0))


class Watched:
    """A listener, the session that it sees, and what it reported."""

    def __init__(self, session: Session = IDLE) -> None:
        self.session = session
        self.watcher = Watcher()
        self.standings = RunStandings(goal=20)
        self.listener = Listener(self.watcher, self.standings)

    def feed(self, event: Event, at: float, session: Session | None = None, *, stops: bool = False) -> None:
        """Pass an event, after which the session is another one or in the trouble that follows from it."""
        since = self.session.trouble_since
        if isinstance(event, Failed):
            due = Stop(Reason.NETWORK) if stops else Choose(self.session.belief, 0.0)
            self.session = replace(self.session, trouble_since=at if since is None else since, agenda=(due,))
        elif isinstance(event, Replied):
            self.session = replace(self.session, trouble_since=None)
        self.session = session or self.session
        self.listener.step(self.session, replace(event, at=at))


def test_an_outage_has_a_countdown_and_one_end() -> None:
    watched = Watched()
    for event, at in ((NOT_SENT, 10.0), (NOT_SENT, 17.0), (Waited(0.0), 18.0), (COUNTS, 19.0), (ANSWER, 22.0)):
        watched.feed(event, at)
    watched.feed(ANSWER, 23.0)
    assert watched.watcher.shown == [
        ("unreachable", Outage("Unreachable.", 30.0, None)),
        ("unreachable", Outage("Unreachable.", 23.0, None)),
        ("reachable", 12.0),  # not when the statistics answer and the moves do not
    ]


def test_in_a_game_the_time_left_for_the_move_is_known_and_one_lost_reply_is_no_outage() -> None:
    watched = Watched(PLAYING)
    for at in (10.0, 14.0):
        watched.feed(LOST, at)
    watched.feed(NOT_SENT, 16.0, stops=True)  # there is no further attempt
    assert watched.watcher.shown == [("unreachable", Outage("HTTP 502.", 26.0, -1.0))]
    watched.feed(NOT_SENT, 17.0)
    watched.feed(COUNTS, 18.0, replace(watched.session, trouble_since=None))
    assert watched.watcher.shown[2:] == [("reachable", 8.0)]


def test_a_game_is_shown_move_by_move_and_counted() -> None:
    watched = Watched()
    chosen = Chosen(1.7, 3, move_s=0.7, note="Another agent had to choose.")
    after = replace(EMPTY.play(3).play(2), bot_column=2)
    end = GameEnded(1, 1.0, "reply", (3, 2, 3, 2, 3, 2, 3), True)
    watched.feed(ANSWER, 1.0, PLAYING)
    watched.feed(chosen, 1.7)
    watched.feed(Sent(0.0), 1.7)
    watched.feed(ANSWER, 2.0, replace(PLAYING, belief=(Hypothesis(after),)))
    watched.feed(ANSWER, 3.0, Session(number=1, news=(end,)))
    last = EMPTY
    for column in end.moves:
        last = last.play(column)
    assert watched.watcher.shown == [
        ("game_started", EMPTY.board),
        ("replied", EMPTY.board, None),
        ("notice", "Another agent had to choose."),
        ("decided", EMPTY.board, chosen),
        ("replied", after.board, 2),
        ("replied", last.board, None),
        ("game_ended", 1.0, "4343434"),
    ]
    assert (watched.standings.won, watched.standings.slowest_move_s) == (1, 0.7)


@pytest.mark.parametrize(
    ("result", "known_by", "text", "played"),
    [
        (-1.0, "statistics", "Game 3 was probably lost: the server's statistics say so.", 1),
        (1.0, "inferred", "Game 3 was probably won: nothing else fits what followed.", 1),
        (0.0, "server_reset", "Game 3 ended without a result: the server no longer knows it.", 0),
    ],
)
def test_an_end_that_no_reply_shows_is_explained(result: float, known_by: str, text: str, played: int) -> None:
    watched = Watched()
    watched.feed(COUNTS, 1.0, Session(number=3, news=(GameEnded(3, result, known_by),)))
    assert watched.watcher.notices == [text]
    assert watched.standings.played == played


def test_each_text_of_a_lost_reply_is_shown_once_until_a_reply_comes() -> None:
    watched = Watched()
    lost = Session(news=(Note("reply_lost", "The reply was lost."), Note("reconciled", "Known again.", quiet=True)))
    for event, session in ((COUNTS, lost), (COUNTS, lost), (ANSWER, Session()), (COUNTS, lost)):
        watched.feed(event, 1.0, session)
    assert watched.watcher.notices == ["The reply was lost."] * 2


@pytest.mark.parametrize(
    ("outage", "seconds", "line"),
    [
        (Outage("Down.", 30.0, None), 7.2, "Down. Trying again for 23 s."),
        (Outage("Down.", 30.0, 4.0), 1.5, "Down. Trying again for 29 s; 3 s left for the move."),
        (Outage("Down.", 30.0, 4.0), 6.5, "Down. Trying again for 24 s; the move is 3 s late."),
        (Outage("Down.", 1.0, None), 5.0, "Down. Trying again for 0 s."),
    ],
)
def test_the_line_of_a_terminal_counts_down_by_itself(outage: Outage, seconds: float, line: str) -> None:
    assert outage_line(outage, seconds) == line


def test_a_pipe_gets_the_beginning_the_end_of_the_moves_time_and_the_end() -> None:
    out = io.StringIO()
    view = View(OutputConsole(file=out, width=200), 2)
    view.run_started(Started(0.0, limit_s=5.0), Path("journal"), RunStandings(goal=20))
    for since_s in range(0, 12, 2):
        view.unreachable(Outage("Down.", 30.0 - since_s, 5.0 - since_s))
    view.reachable(12.4)
    assert [line for line in out.getvalue().splitlines() if line.startswith("Note")] == [
        "Note: Down. Trying again for at most 30 s.",
        "Note: The 5 s for the move are over. It is sent as soon as the server answers, "
        "but the server may count the game as lost.",
        "Note: The server is reachable again after 12 s.",
    ]
