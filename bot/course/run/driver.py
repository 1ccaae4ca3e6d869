"""The loop around the session: perform its command, record the outcome, pass it back. Live and in simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from bot.course.journal.journal import Record
from bot.course.protocol import NEW_GAME
from bot.course.session.commands import Choose, Command, GameEnded, Open, ReadStatistics, Send, Stop
from bot.course.session.events import Chosen, Counted, Event, Failed, Replied, Sent, Started
from bot.course.session.machine import step
from bot.course.session.session import Session


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


class Recorder(Protocol):
    """Takes records: `bot.course.journal.writer.JournalWriter`, or a virtual disk."""

    def write(self, record: Record) -> None:
        """Write a record; a `Chosen` is on the disk when this returns."""
        ...

    def sync(self) -> None:
        """Bring everything written to the disk."""
        ...


ColumnChooser = Callable[[Session, float], Chosen]
"""Chooses the column of a move within the move clock: takes the session and the seconds left."""


@dataclass(slots=True)
class Driver:
    """Runs one session until it stops. ``session`` is always the latest state."""

    session: Session
    world: World
    recorder: Recorder
    choose: ColumnChooser
    on_step: Callable[[Session, Event], None] = lambda _session, _event: None
    """Called with the new session and the event after every step but that of `Sent`: its outcome follows."""
    ends: list[GameEnded] = field(default_factory=list)
    """The ends of the run's games, in order."""

    def run(self, started: Started) -> Stop:
        """Play until the session stops. Exceptions of the world and the disk pass through; the run can be resumed."""
        command = self.take(started)
        while not isinstance(command, Stop):
            command = self.take(self.perform(command))
        return command

    def take(self, event: Event) -> Command:
        """Record ``event``, pass it to the session, and return the next command.

        The end of a game is on the disk before anything follows from it.
        """
        self.recorder.write(event)
        self.session, command = step(self.session, event)
        ends = [item for item in self.session.news if isinstance(item, GameEnded)]
        self.ends += ends
        if ends:
            self.recorder.sync()
        self.on_step(self.session, event)
        return command

    def perform(self, command: Command) -> Event:
        """Perform ``command``, after its pause, and return its outcome."""
        if isinstance(command, Send):
            return self._send(command.move)
        assert not isinstance(command, Stop)
        if command.after_s > 0:
            self.world.sleep(command.after_s)
        game = self.session.ledger.game
        match command:
            case Open():
                return self._recorded(Chosen(self.world.now(), NEW_GAME, game))
            case Choose():
                return self._choose()
            case ReadStatistics(patience_s=patience_s):
                return replace(self.world.statistics(patience_s), game=game)

    def _choose(self) -> Chosen:
        """Return a choice with what the clock and the session say about it."""
        session, belief = self.session, self.session.belief
        chosen = self.choose(session, belief.clock.left_s(self.world.now()))
        at = self.world.now()
        until_late_s = belief.clock.until_late_s(at)
        chosen = replace(
            chosen,
            at=at,
            game=session.ledger.game,
            ply=min(hypothesis.playing.board.ply for hypothesis in belief.hypotheses),
            move_s=round(max(0.0, session.run.limit_s - until_late_s), 6),
            late=until_late_s < 0,
        )
        return self._recorded(chosen)

    def _recorded(self, chosen: Chosen) -> Chosen:
        """Return a choice with what is known of the bot's answers to it."""
        return replace(chosen, answers=self.session.belief.expected(chosen.move))

    def _send(self, move: int) -> Replied | Failed:
        """Send ``move``; its outcome follows the record that the first byte left, if it did."""
        game = self.session.ledger.game
        sent: list[Sent] = []

        def on_sent() -> None:
            sent.append(Sent(self.world.now(), game))
            self.recorder.write(sent[0])  # not synced: the system keeps it even if this process is killed

        outcome = replace(self.world.send(move, on_sent), game=game)
        if sent:
            self.session, _ = step(self.session, sent[0])
        return outcome
