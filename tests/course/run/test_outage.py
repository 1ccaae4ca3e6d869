"""Outages as the observer gets them, and as the console shows them."""

from __future__ import annotations

import io
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from bot.course.run.observer import Outage, RunInfo, Silent
from bot.course.run.outage import OutageWatch
from rich.console import Console

from bot.cli.console import Plain, Terminal, outage_line
from bot.course.protocol import MoveReply, Stats
from bot.course.run.standings import RunStandings
from bot.course.session.clock import MoveClock
from bot.course.session.events import Counted, Delivery, Event, Failed, Replied, Stop, Waited
from bot.course.session.state import Session
from tests.course.session.build import running

NOT_SENT = Failed(0.0, Delivery.NOT_SENT, "The server cannot be reached.")
LOST = Failed(0.0, Delivery.UNKNOWN, "The server answered HTTP 502.")
ANSWER = Replied(0.0, MoveReply(True))
COUNTS = Counted(0.0, Stats(1, 1, 0, 1))


@dataclass
class Recorder(Silent):
    outages: list[Outage] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)

    def unreachable(self, outage: Outage) -> None:
        self.outages.append(outage)

    def reachable(self, seconds: float) -> None:
        self.ends.append(seconds)


@dataclass
class Watched:
    """A watch with a clock of its own, and what it reported."""

    session: Session = field(default_factory=lambda: Session(patience_s=30.0, has_answered=True))
    now_s: float = 100.0

    def __post_init__(self) -> None:
        self.recorder = Recorder()
        self.watch = OutageWatch(self.recorder, lambda: self.now_s)

    def fail(self, failure: Failed, at: float, attempts: int = 1, **session: Any) -> None:
        since = self.session.trouble_since
        since = at if since is None else since
        self.session = replace(self.session, trouble_since=since, attempts=attempts, **session)
        self.now_s = 100.0 + at
        self.watch.step(self.session, replace(failure, at=at))

    def feed(self, event: Event, at: float) -> None:
        self.now_s = 100.0 + at
        self.watch.step(self.session, replace(event, at=at))


def test_an_outage_has_a_countdown_and_one_end() -> None:
    watched = Watched()
    watched.fail(NOT_SENT, 10.0)
    watched.fail(NOT_SENT, 17.0, attempts=2)
    watched.feed(Waited(0.0), 18.0)
    first, second = watched.recorder.outages
    assert first == Outage("The server cannot be reached.", 0.0, 30.0, None)
    assert second == Outage("The server cannot be reached.", 7.0, 23.0, None)
    assert watched.watch.is_on
    watched.feed(ANSWER, 22.0)
    watched.feed(ANSWER, 23.0)
    assert watched.recorder.ends == [12.0]
    assert not watched.watch.is_on


def test_in_a_game_the_time_left_for_the_move_is_known() -> None:
    session = replace(running((3, 3)).session, clock=MoveClock(5.0).start(8.0), has_answered=True)
    watched = Watched(session)
    watched.fail(NOT_SENT, 10.0)
    watched.fail(NOT_SENT, 14.0, attempts=2)
    assert [outage.move_left_s for outage in watched.recorder.outages] == [3.0, -1.0]


def test_before_the_first_answer_the_patience_is_short() -> None:
    watched = Watched(Session(patience_s=30.0))
    watched.fail(NOT_SENT, 1.0)
    assert watched.recorder.outages[0].left_s == 3.0


def test_one_lost_reply_is_no_outage_and_two_are() -> None:
    watched = Watched()
    watched.fail(LOST, 1.0)
    assert watched.recorder.outages == []
    watched.fail(LOST, 2.0, attempts=2)
    assert len(watched.recorder.outages) == 1
    watched.feed(COUNTS, 3.0)
    assert watched.recorder.ends == [], "the statistics answer, the moves do not"
    watched.feed(ANSWER, 4.0)
    assert watched.recorder.ends == [2.0]


def test_statistics_end_an_outage_in_which_nothing_could_be_sent() -> None:
    watched = Watched()
    watched.fail(NOT_SENT, 1.0)
    watched.feed(Counted(0.0, None), 2.0)
    assert watched.recorder.ends == []
    watched.feed(COUNTS, 3.0)
    assert watched.recorder.ends == [2.0]


def test_repeated_readings_of_the_statistics_are_an_outage_too() -> None:
    watched = Watched()
    watched.watch.retrying("The server cannot be reached.", 29.5)
    watched.watch.retrying("The server cannot be reached.", 28.0)
    assert watched.recorder.outages == [Outage("The server cannot be reached.", 0.0, 29.5, None)]
    watched.feed(COUNTS, 1.5)
    assert watched.recorder.ends == [1.5]


def test_an_outage_that_ends_the_run_has_no_further_attempt() -> None:
    watched = Watched()
    watched.fail(NOT_SENT, 31.0, stop=Stop(reason=None))  # type: ignore[arg-type]
    assert watched.recorder.outages == []


@pytest.mark.parametrize(
    ("outage", "seconds", "line"),
    [
        (Outage("Down.", 0.0, 30.0, None), 0.0, "Down. Trying again for 30 s."),
        (Outage("Down.", 0.0, 30.0, None), 7.2, "Down. Trying again for 23 s."),
        (Outage("Down.", 0.0, 30.0, 4.0), 1.5, "Down. Trying again for 29 s; 3 s left for the move."),
        (Outage("Down.", 0.0, 30.0, 4.0), 6.5, "Down. Trying again for 24 s; the move is 3 s late."),
        (Outage("Down.", 0.0, 1.0, None), 5.0, "Down. Trying again for 0 s."),
    ],
)
def test_the_line_counts_down(outage: Outage, seconds: float, line: str) -> None:
    assert outage_line(outage, seconds) == line


INFO = RunInfo("s", "s", ("a",), "perfect", 5.0, 2, 20, "journal")


def test_a_pipe_gets_the_beginning_the_end_of_the_moves_time_and_the_end() -> None:
    out = io.StringIO()
    view = Plain(Console(file=out, width=200), 2)
    view.run_started(INFO, RunStandings(goal=20))
    for since_s in range(0, 12, 2):
        view.unreachable(Outage("The server cannot be reached.", since_s, 30.0 - since_s, 5.0 - since_s))
    view.reachable(12.4)
    view.unreachable(Outage("The server cannot be reached.", 0.0, 30.0, None))
    view.reachable(0.26)
    assert [line for line in out.getvalue().splitlines() if line.startswith("Note")] == [
        "Note: The server cannot be reached. Trying again for at most 30 s.",
        "Note: The 5 s for the move are over. It is sent as soon as the server answers, "
        "but the server may count the game as lost.",
        "Note: The server is reachable again after 12 s.",
        "Note: The server cannot be reached. Trying again for at most 30 s.",
        "Note: The server is reachable again after 0.3 s.",
    ]


def test_a_terminal_gets_one_line_that_counts_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 0.0
    monkeypatch.setattr("bot.cli.console.time.monotonic", lambda: now_s)
    out = io.StringIO()
    view = Terminal(Console(file=out, width=120, force_terminal=True, color_system=None), 2)
    view.unreachable(Outage("Down.", 0.0, 30.0, 5.0))
    shown = Console(file=io.StringIO(), width=120)

    def drawn() -> str:
        with shown.capture() as capture:
            shown.print(view._live.renderable)
        return capture.get().strip()

    assert drawn() == "Down. Trying again for 30 s; 5 s left for the move."
    now_s = 7.0
    assert drawn() == "Down. Trying again for 23 s; the move is 2 s late."
    assert "Trying again" not in out.getvalue(), "no line of it stays behind"
    view.reachable(7.0)
    assert drawn() == ""
    assert "The server is reachable again after 7.0 s." in out.getvalue()
