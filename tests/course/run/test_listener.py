"""What people see of a run: the listener turns steps into calls of the observer."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

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
from bot.game import Board
from tests.course.run.course import Silent

NOT_SENT = Failed(0.0, Delivery.NOT_SENT, "The server cannot be reached.")
LOST = Failed(0.0, Delivery.UNKNOWN, "The server answered HTTP 502.")
ANSWER = Replied(0.0, MoveReply(True))
COUNTS = Counted(0.0, Stats(1, 1, 0, 1))
PLAYING = Session(belief=(Hypothesis(EMPTY),), number=1, clock=MoveClock().start(8.0, 5.0))


@dataclass
class Recorder(Silent):
    outages: list[Outage] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    shown: list[object] = field(default_factory=list)

    def unreachable(self, outage: Outage) -> None:
        self.outages.append(outage)

    def reachable(self, seconds: float) -> None:
        self.ends.append(seconds)

    def notice(self, text: str) -> None:
        self.shown.append(text)

    def game_started(self, board: Board) -> None:
        self.shown.append(("started", board.ply))

    def decided(self, board: Board, chosen: Chosen) -> None:
        self.shown.append(("decided", board.ply, chosen.move))

    def replied(self, board: Board, column: int | None) -> None:
        self.shown.append(("replied", board.ply, column))

    def game_ended(self, result: float, moves: str) -> None:
        self.shown.append(("ended", result, moves))


@dataclass
class Watched:
    """A listener, the session that it sees, and what it reported."""

    session: Session = field(default_factory=lambda: Session(run=Started(0.0, patience_s=30.0)))

    def __post_init__(self) -> None:
        self.recorder = Recorder()
        self.standings = RunStandings(goal=20)
        self.listener = Listener(self.recorder, self.standings)

    def fail(self, failure: Failed, at: float, *, stops: bool = False) -> None:
        since = at if self.session.trouble_since is None else self.session.trouble_since
        due = Stop(Reason.NETWORK) if stops else Choose(self.session.belief, 0.0)
        self.feed(failure, at, replace(self.session, trouble_since=since, agenda=(due,)))

    def answer(self, at: float) -> None:
        self.feed(ANSWER, at, replace(self.session, trouble_since=None))

    def feed(self, event: Event, at: float, session: Session | None = None) -> None:
        self.session = session or self.session
        self.listener.step(self.session, replace(event, at=at))


def test_an_outage_has_a_countdown_and_one_end() -> None:
    watched = Watched()
    watched.fail(NOT_SENT, 10.0)
    watched.fail(NOT_SENT, 17.0)
    watched.feed(Waited(0.0), 18.0)
    watched.feed(COUNTS, 19.0)
    assert watched.recorder.outages == [
        Outage("The server cannot be reached.", 30.0, None),
        Outage("The server cannot be reached.", 23.0, None),
    ]
    assert watched.recorder.ends == [], "the statistics answer, the moves do not"
    watched.answer(22.0)
    watched.answer(23.0)
    assert watched.recorder.ends == [12.0]


def test_in_a_game_the_time_left_for_the_move_is_known() -> None:
    watched = Watched(PLAYING)
    watched.fail(NOT_SENT, 10.0)
    watched.fail(NOT_SENT, 14.0)
    assert [outage.move_left_s for outage in watched.recorder.outages] == [3.0, -1.0]


def test_one_lost_reply_is_no_outage_and_two_are() -> None:
    watched = Watched()
    watched.fail(LOST, 1.0)
    assert watched.recorder.outages == []
    watched.fail(LOST, 2.0)
    watched.answer(4.0)
    assert (len(watched.recorder.outages), watched.recorder.ends) == (1, [3.0])


def test_an_outage_that_ends_the_run_has_no_further_attempt() -> None:
    watched = Watched()
    watched.fail(NOT_SENT, 31.0, stops=True)
    assert watched.recorder.outages == []


def test_a_game_is_shown_move_by_move_and_counted() -> None:
    watched = Watched()
    opened = replace(PLAYING, belief=(Hypothesis(EMPTY),))
    watched.feed(ANSWER, 1.0, opened)
    watched.feed(Chosen(0.0, 3, move_s=0.7, note="Another agent had to choose."), 1.7)
    watched.feed(Sent(0.0), 1.7)
    after = replace(EMPTY.play(3).play(2), bot_column=2)
    watched.feed(ANSWER, 2.0, replace(opened, belief=(Hypothesis(after),)))
    end = GameEnded(1, 1.0, "reply", (3, 2, 3, 2, 3, 2, 3), True)
    watched.feed(ANSWER, 3.0, replace(Session(), number=1, news=(end,)))
    assert watched.recorder.shown == [
        ("started", 0),
        ("replied", 0, None),
        "Another agent had to choose.",
        ("decided", 0, 3),
        ("replied", 2, 2),
        ("replied", 7, None),
        ("ended", 1.0, "4343434"),
    ]
    assert (watched.standings.won, watched.standings.slowest_move_s) == (1, 0.7)


@pytest.mark.parametrize(
    ("end", "text", "played"),
    [
        (
            GameEnded(3, -1.0, "statistics"),
            "Game 3 was probably lost: the server's statistics say so.",
            1,
        ),
        (GameEnded(3, 1.0, "inferred"), "Game 3 was probably won: nothing else fits what followed.", 1),
        (GameEnded(3, 0.0, "server_reset"), "Game 3 ended without a result: the server no longer knows it.", 0),
    ],
)
def test_an_end_that_no_reply_shows_is_explained(end: GameEnded, text: str, played: int) -> None:
    watched = Watched()
    watched.feed(COUNTS, 1.0, Session(number=3, news=(end,)))
    assert watched.recorder.shown[0] == text
    assert watched.standings.played == played


def test_each_text_of_a_lost_reply_is_shown_once_until_a_reply_comes() -> None:
    watched = Watched()
    lost = Session(news=(Note("reply_lost", "The reply was lost."), Note("reconciled", "Known again.", quiet=True)))
    for at in (1.0, 2.0):
        watched.feed(COUNTS, at, lost)
    watched.feed(ANSWER, 3.0, Session())
    watched.feed(COUNTS, 4.0, lost)
    assert watched.recorder.shown == ["The reply was lost."] * 2
