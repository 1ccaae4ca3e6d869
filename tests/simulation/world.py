"""A virtual network, clock and disk around the course server that was written from its protocol alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn

from bot.course.client.exchange import Exchange
from bot.course.client.http import CourseClient, Timeouts, is_no_answer
from bot.course.events import Counted, Failed, GameEnded, Replied
from bot.course.failures import Delivery
from bot.course.journal.journal import Journal
from bot.course.journal.records import JournalWriter, Record
from bot.course.protocol import NEW_GAME, MoveReply, Stats
from bot.course.session import Session
from tests.course.foreign_course import Course
from tests.simulation.faults import KINDS

TRIP_S = 0.02
THINKING_S = 0.2
"""Time between a move's arrival and the reply's first byte, seconds."""
UNREAD_S = 5.0
"""Time of a reading that fails, seconds."""
NOTHING, UNAVAILABLE = Stats(0, 0, 0, 0), MoveReply(False, "Service unavailable.")


class Killed(BaseException):
    """The client's process was killed. No code of the client may catch it."""


@dataclass
class VirtualWorld(CourseClient):
    """The client with a virtual network: what is sent again is its own. Time passes only by requests and sleeping."""

    course: Course
    faults: Any
    """A `tests.simulation.faults.Dice`, or what answers in its place."""
    time_s: float = 0.0
    earlier: Stats = NOTHING
    """The statistics before the last game ended, which a reading shows that is one game behind."""
    last_reply: MoveReply = UNAVAILABLE
    answer_s: float = 10.0
    """See `CourseClient`."""
    patience_s: float = 600.0
    """Patience with the server, seconds: a series goes on through any fault."""
    unread: str = ""
    """The kind of failure of every reading of the statistics; empty where they can be read."""
    is_interrupted: bool = False
    on_outage: Callable[[str, float], None] = lambda _text, _left_s: None
    is_dead: bool = False
    """Whether the client was killed, and has not been started again."""
    moment: Callable[[], None] = lambda: None
    """Called before each request and after each move that was processed."""
    lost: int = 0
    """Number of lost replies to requests for a move, not for a new game."""

    def __post_init__(self) -> None:
        if self.course.is_january:
            self.unread = "http 404"

    def now(self) -> float:
        """Return the virtual time, seconds; a client that is dead does nothing with it."""
        if self.is_dead:
            raise Killed
        return self.time_s

    def die(self) -> NoReturn:
        """Kill the client."""
        self.is_dead = True
        raise Killed

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.time_s += seconds

    def statistics(self, patience_s: float | None) -> Counted:
        """Return a reading of the server's statistics, which may fail or be one game behind."""
        self.moment()
        end_s = self.time_s + (1.0 if patience_s is None else patience_s)
        is_brief = patience_s is not None and patience_s < Timeouts().statistics_s
        self.time_s += TRIP_S
        while (kind := self.faults.of_reading()) == "unread":
            self.time_s = min(end_s, self.time_s + UNREAD_S)
            if is_brief or self.time_s >= end_s:
                return Counted(self.time_s, None, "timeout", "The server did not answer in time.")
        if self.unread:
            return Counted(self.time_s, None, self.unread, "The statistics cannot be read.")
        return Counted(self.time_s, self.earlier if kind == "behind" else self.counted)

    @property
    def counted(self) -> Stats:
        """The server's statistics."""
        counts = self.course.stats()
        return Stats(counts["played"], counts["won"], counts["lost"], counts["streak"])

    def failure_beside(self, misses: int) -> Failed | None:  # noqa: ARG002
        """See `CourseClient`."""
        counted = self.statistics(1.0)
        failed = Failed(counted.at, Delivery.UNKNOWN, counted.message, kind=counted.kind)
        return failed if is_no_answer(failed) else None

    def attempt(self, move: int) -> VirtualMove:
        """See `CourseClient`."""
        self.moment()
        return VirtualMove(self, self._attempt(move))

    def _attempt(self, move: int) -> Replied | Failed | None:
        """Send a move through the network, which may fail, once; return None if nothing comes of it."""
        kind = self.faults.of_request()
        self.time_s += TRIP_S
        if kind == "refuse":
            return Failed(self.time_s, Delivery.NOT_SENT, "The server cannot be reached.", "Check the network.")
        if self.faults.kills_after(None):
            if self.faults.arrives():
                self.process(move)
            self.die()
        if kind is None or KINDS[kind]:
            reply = self._processed(move, kind)
        if kind in (None, "duplicate", "restart", "stale"):
            self.last_reply = self.last_reply if kind == "stale" else reply
            self.time_s += THINKING_S
            return Replied(self.time_s, self.last_reply, first_byte_s=THINKING_S)
        self.lost += move != NEW_GAME
        if kind.startswith("silent"):
            return None
        self.time_s += THINKING_S
        delivered = 1.0 if kind == "truncate" else None
        message = "The connection broke before the whole reply had arrived."
        return Failed(self.time_s, Delivery.UNKNOWN, message, kind="reset", delivered=delivered)

    def process(self, move: int) -> MoveReply:
        """Let the server process a request that arrives."""
        before, finished = self.counted, len(self.course.finished)
        reply = MoveReply(**self.course.move(move))
        self.moment()
        if len(self.course.finished) > finished:
            self.earlier = before
        return reply

    def _processed(self, move: int, kind: str | None) -> MoveReply:
        if kind == "restart":
            self.course.forget()
        reply = self.process(move)
        if kind != "duplicate":
            return reply
        reply = self.process(move)
        if move == NEW_GAME:  # the second request has forfeited the first one's game: not the client's mistake
            self.course.finished[-1] = replace(self.course.finished[-1], ended="asked twice")
        return reply


@dataclass
class VirtualMove(Exchange[Replied | Failed]):
    """A move on its way through the virtual network."""

    world: VirtualWorld
    found: Replied | Failed | None
    """None: the connection is open, and nothing comes."""

    def outcome(self, within_s: float) -> Replied | Failed | None:
        if self.found is None:
            self.world.sleep(within_s)
        return self.found

    def close(self) -> Replied | Failed:
        message = "The server did not answer in time."
        return self.found or Failed(self.world.now(), Delivery.UNKNOWN, message, kind="timeout")


@dataclass
class VirtualDisk(JournalWriter):
    """The journal in memory, and how the ends of games that it shows compare with the server's."""

    world: VirtualWorld
    session: Session = field(default_factory=Session)
    """With which the journal begins."""
    records: list[Record] = field(default_factory=list)
    audited: int = 0
    """Ends of games that were compared."""
    finished: int = 0
    """Those with a result."""
    claimed: int = 0
    """Games that had ended at the server when a result was last recorded as known by a reply."""
    invented: int = 0
    """Results recorded as known by a reply that differ from the server's."""
    wrong_guesses: int = 0
    """Results known in another way that differ from the server's."""

    def write(self, record: Record) -> None:
        """Write one record; raise Killed if the client is killed after it."""
        self.records.append(record)
        if self.world.faults.kills_after(record):
            self.world.die()

    def sync(self) -> None:
        """Do nothing: what is written survives."""

    @property
    def journal(self) -> Journal:
        """The journal as a new process reads it."""
        journal = Journal(Path("virtual.jsonl"), session=self.session)
        for record in self.records:
            journal.take(record)
        return journal

    def audit(self, end: GameEnded) -> None:
        """Compare the next end of a game with the server's, before another game ends there."""
        games = self.world.course.finished
        results = [game.result for game in games[-2:]]
        self.audited += 1
        self.finished += end.result != 0
        if end.known_by == "reply":
            self.invented += self.claimed == len(games) or results[-1] != end.result
            self.claimed = len(games)
        elif end.result != 0:
            # In the statistics a loss by an illegal move looks like any other; one game may have been opened since.
            self.wrong_guesses += not any(end.result == known or max(end.result, known) < 0 for known in results)
