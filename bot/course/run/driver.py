"""The loop around the session: perform its command, record the outcome, pass it back. Live and in simulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from bot.course.protocol import NEW_GAME
from bot.course.session.events import (
    Choose,
    Chosen,
    Command,
    Counted,
    Event,
    Failed,
    News,
    Open,
    ReadStatistics,
    Record,
    Replied,
    Send,
    Sent,
    Started,
    Stop,
    Wait,
    Waited,
)
from bot.course.session.machine import step
from bot.course.session.state import Session


class World(Protocol):
    """Time and the server: `bot.course.client.http.CourseClient`, or a virtual one."""

    def now(self) -> float:
        """Return the seconds on a monotonic clock."""
        ...

    def sleep(self, seconds: float) -> None: ...

    def send(self, move: int, on_sent: Callable[[], None]) -> Replied | Failed:
        """Send ``move`` once, calling ``on_sent`` just before its first byte is sent."""
        ...

    def statistics(self, patience_s: float | None) -> Counted:
        """Return a reading of the server's statistics, repeated for ``patience_s`` seconds if it fails."""
        ...


class Journal(Protocol):
    """Takes records: `bot.course.journal.writer.JournalWriter`, or a virtual disk."""

    def write(self, record: Record) -> None:
        """Write a record; a `Chosen` is on the disk when this returns."""
        ...


Chooser = Callable[[Session, float], Chosen]
"""Chooses the column of a move within the move clock: takes the session and the seconds left."""


@dataclass(slots=True)
class Driver:
    """Runs one session until it stops. ``session`` is always the latest state."""

    session: Session
    world: World
    journal: Journal
    choose: Chooser
    on_step: Callable[[Session, Event], None] = lambda _session, _event: None
    """Called after every step with the new session and the event."""

    def run(self, started: Started, unrecorded: Sequence[News] = ()) -> Stop:
        """Play until the session stops. Exceptions of the world and the disk pass through; the run can be resumed.

        ``unrecorded`` are news that a crash kept from being recorded; they are written first.
        """
        command = self.start(started, unrecorded)
        while not isinstance(command, Stop):
            command = self.take(self.perform(command))
        return command

    def start(self, started: Started, unrecorded: Sequence[News] = ()) -> Command:
        """Begin or resume the run, and return the first command; see `run`."""
        if unrecorded:
            self.session = replace(self.session, news=tuple(unrecorded))
            self._tell(started)
        return self.take(started)

    def take(self, event: Event) -> Command:
        """Record ``event``, pass it to the session, record the news, and return the next command."""
        if not isinstance(event, Sent):  # its record is written when the first byte leaves
            self.journal.write(event)
        self.session, command = step(self.session, event)
        self._tell(event)
        assert command is not None or isinstance(event, Sent)
        return command or Wait(0.0)

    def _tell(self, event: Event) -> None:
        for item in self.session.news:
            self.journal.write(item)
        self.on_step(self.session, event)

    def perform(self, command: Command) -> Event:
        """Perform ``command`` and return its outcome."""
        number = self.session.number
        match command:
            case Open(number=opened):
                return Chosen(self.world.now(), NEW_GAME, opened)
            case Choose(left_s=left_s):
                return self._chosen(self.choose(self.session, left_s))
            case Send(move=move):
                return self._sent(move)
            case ReadStatistics(patience_s=patience_s):
                return replace(self.world.statistics(patience_s), game=number + self.session.is_idle)
            case Wait(seconds=seconds):
                self.world.sleep(seconds)
                return Waited(self.world.now(), number)
        raise AssertionError(command)

    def _chosen(self, chosen: Chosen) -> Chosen:
        """Return the choice with what the clock and the session say about it."""
        session, at = self.session, self.world.now()
        until_late_s = session.clock.until_late_s(at)
        return replace(
            chosen,
            at=at,
            game=session.number + session.is_idle,
            ply=min(hypothesis.playing.board.ply for hypothesis in session.belief),
            move_s=round(max(0.0, session.run.limit_s - until_late_s), 6),
            late=until_late_s < 0,
        )

    def _sent(self, move: int) -> Replied | Failed:
        """Send ``move``; its outcome follows the record that the first byte left, if it did."""
        number = self.session.number
        sent: list[Sent] = []

        def on_sent() -> None:
            sent.append(Sent(self.world.now(), number))
            self.journal.write(sent[0])  # not synced: the system keeps it even if this process is killed

        outcome = replace(self.world.send(move, on_sent), game=number)
        if sent:
            self.take(sent[0])
        return outcome
