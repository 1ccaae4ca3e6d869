"""The loop around the session: perform its command, record it, pass its outcome back. Live and in simulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from bot.course.protocol import NEW_GAME, MoveReply, Stats
from bot.course.run.session_log import SessionLog
from bot.course.session.events import (
    Choose,
    Chosen,
    Command,
    Counted,
    Event,
    Failed,
    GameEnded,
    Note,
    Open,
    ReadStatistics,
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
from bot.engine.agent import Decision


class World(Protocol):
    """Time and the server: real, or virtual."""

    def now(self) -> float:
        """Return the seconds on a monotonic clock."""
        ...

    def sleep(self, seconds: float) -> None: ...

    def send(self, move: int, on_sent: Callable[[], None]) -> MoveReply | Failed:
        """Send ``move`` once, calling ``on_sent`` just before its first byte is sent."""
        ...

    def statistics(self, patience_s: float | None) -> Stats | None:
        """Return the server's statistics; None if reading them fails for ``patience_s`` seconds."""
        ...


class Chooser(Protocol):
    """Chooses the column of a move within the move clock."""

    def __call__(self, session: Session, left_s: float) -> tuple[Decision, dict[str, Any]]:
        """Return the decision, and further fields for its journal record."""
        ...


@dataclass(slots=True)
class Driver:
    """Runs one session until it stops. ``session`` is always the latest state."""

    session: Session
    world: World
    log: SessionLog
    choose: Chooser
    on_step: Callable[[Session, Event, Decision | None], None] = lambda _session, _event, _decision: None
    """Called after every step with the new session, the event, and the decision if the step made one."""

    def run(self, games: int, unrecorded: Sequence[GameEnded] = ()) -> Stop:
        """Play until the session stops. Exceptions of the world and the disk pass through; the run can be resumed."""
        command = self.start(games, unrecorded)
        while not isinstance(command, Stop):
            command = self.perform(command)
        return command

    def start(self, games: int, unrecorded: Sequence[GameEnded] = ()) -> Command:
        """Begin a run, or resume it after a crash, and return the first command.

        ``unrecorded`` are the ends of games that a crash kept from being recorded; they are written first.
        """
        started = Started(self.log.at, games)
        if unrecorded:
            self.session = replace(self.session, news=(*unrecorded, *_silent_start(self.session, unrecorded)))
            self.log.news(self.session, None)
            self.on_step(self.session, started, None)
        return self._step(started)

    def _step(self, event: Event, reply: MoveReply | None = None, decision: Decision | None = None) -> Command:
        """Pass ``event`` to the session, record the news, and return the next command."""
        before = self.session
        self.session, command = step(before, event)
        pending = before.pending
        if isinstance(event, Failed) and pending is not None:
            self.log.failed(before.number, pending.move, event, self.session)
        self.log.news(self.session, reply)
        self.on_step(self.session, event, decision)
        assert command is not None or isinstance(event, Sent)
        return command or Wait(0.0)

    def perform(self, command: Command) -> Command:
        """Perform ``command``, record it, pass its outcome to the session, and return the next command."""
        match command:
            case Open(number=number):
                at = self.log.at
                self.log.new_game(number, at)
                return self._step(Chosen(at, NEW_GAME, self.world.now() - at))
            case Choose(left_s=left_s):
                return self._choose(left_s)
            case Send(move=move):
                return self._send(move)
            case ReadStatistics(patience_s=patience_s):
                stats = self.world.statistics(patience_s)
                counted = Counted(self.log.at, stats)
                self.log.counted(self.session, counted)
                return self._step(counted)
            case Wait(seconds=seconds):
                self.world.sleep(seconds)
                return self._step(Waited(self.log.at))
        raise AssertionError(command)

    def _choose(self, left_s: float) -> Command:
        session = self.session
        decision, about = self.choose(session, left_s)
        at = self.log.at
        if session.clock.is_late(at):
            about["late"] = True
        ply = min(hypothesis.playing.board.ply for hypothesis in session.belief)
        move_s = at - session.clock.started_at
        self.log.move(session.number, decision, ply, at=at, move_s=move_s, **about)
        if decision.note:
            self.log.substituted(session.number, decision.note)
        return self._step(Chosen(at, decision.column, self.world.now() - at), decision=decision)

    def _send(self, move: int) -> Command:
        is_sent = False

        def on_sent() -> None:
            nonlocal is_sent
            is_sent = True
            self.log.sent()

        self.log.starting(self.session.number)
        outcome = self.world.send(move, on_sent)
        if is_sent:
            self._step(Sent(self.log.at))
        if isinstance(outcome, Failed):
            return self._step(replace(outcome, at=self.log.at))
        replied = Replied(self.log.at, outcome)
        self.log.replied(self.session.number, replied)
        return self._step(replied, reply=outcome)


def _silent_start(session: Session, ends: Sequence[GameEnded]) -> tuple[Note, ...]:
    """Return a note that a move opened the running game after ``ends``; () if no game is running."""
    if session.position is None or session.number in {end.number for end in ends}:
        return ()
    return (Note("silent_start", "A move met no running game and opened one.", quiet=True),)
