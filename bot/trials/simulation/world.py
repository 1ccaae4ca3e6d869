"""A virtual network, clock and disk around the virtual server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from bot.course.client.outage import deliver, is_no_answer
from bot.course.events import Counted, Failed, GameEnded, Replied
from bot.course.failures import Delivery
from bot.course.journal.journal import Record, as_line
from bot.course.protocol import NEW_GAME, MoveReply
from bot.trials.simulation.faults import is_processed
from bot.trials.simulation.server import Server, ServerRules, ServerState, SimulatedGame

TRIP_S = 0.02
THINKING_S = 0.2
"""Time between a move's arrival and the reply's first byte, seconds."""
TIMEOUT_S = 10.0
UNREAD_S = 5.0
"""Time of a reading that fails, seconds."""
PATIENCE_S = 600.0
"""Patience with the server, seconds: a series goes on through any fault."""


class Killed(BaseException):
    """The client's process was killed. No code of the client may catch it."""


class Faults(Protocol):
    """Decides what fails, by the kinds of `bot.trials.simulation.faults`."""

    def of_request(self) -> str | None:
        """Return the kind of the next request's fault; None if it has none."""
        ...

    def of_reading(self) -> str | None:
        """Return the kind of fault of the next reading of the statistics; None if it has none."""
        ...

    def kills_after(self, record: Record) -> bool:
        """Return whether the client is killed right after it wrote ``record``."""
        ...

    def arrives(self) -> bool:
        """Return whether the request that a killed client was sending arrives at the server."""
        ...


@dataclass(slots=True)
class VirtualWorld:
    """See `bot.course.run.run.World`. Time passes only by requests and sleeping."""

    rules: ServerRules
    faults: Faults
    server: Server = field(default_factory=Server)
    time_s: float = 0.0
    finished: list[SimulatedGame] = field(default_factory=list)
    """All games that have ended at the server."""
    lost: Counter[bool] = field(default_factory=Counter)
    """Lost replies to requests for a move, not for a new game, by whether we had started the game."""

    def now(self) -> float:
        """Return the virtual time, seconds."""
        return self.time_s

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.time_s += seconds

    def statistics(self, patience_s: float | None) -> Counted:
        """Return a reading of the server's statistics, which may fail or be one game behind."""
        end_s = self.time_s + (1.0 if patience_s is None else patience_s)
        self.time_s += TRIP_S
        while (kind := self.faults.of_reading()) == "unread":
            self.time_s = min(end_s, self.time_s + UNREAD_S)
            if self.time_s >= end_s:
                return Counted(self.time_s, None, "timeout", "The server did not answer in time.")
        stats = self.server.earlier if kind == "behind" else self.server.state.stats
        return Counted(self.time_s, stats)

    @property
    def answer_s(self) -> float:
        """See `bot.course.client.outage.Link`."""
        return TIMEOUT_S

    def waiting(self, text: str, left_s: float) -> None:
        """See `bot.course.client.outage.Link`."""

    def failure_beside(self, misses: int) -> Failed | None:  # noqa: ARG002
        """See `bot.course.client.outage.Link`."""
        counted = self.statistics(1.0)
        failed = Failed(counted.at, Delivery.UNKNOWN, counted.message, kind=counted.kind)
        return failed if is_no_answer(failed) else None

    def send(self, move: int, on_sent: Callable[[], None]) -> Replied | Failed:
        """See `bot.course.run.run.World`."""
        return deliver(self, move, on_sent, PATIENCE_S)

    def attempt(self, move: int, on_sent: Callable[[], None]) -> VirtualMove:
        """See `bot.course.client.outage.Link`."""
        return VirtualMove(self, self._attempt(move, on_sent))

    def _attempt(self, move: int, on_sent: Callable[[], None]) -> Replied | Failed | None:
        """Send a move through the network, which may fail, once; return None if nothing comes of it."""
        kind = self.faults.of_request()
        self.time_s += TRIP_S
        if kind == "refuse":
            return Failed(self.time_s, Delivery.NOT_SENT, "The server cannot be reached.", "Check the network.")
        try:
            on_sent()
        except Killed:
            if self.faults.arrives():
                self.process(move)
            raise
        if kind == "stale":
            return self._arrived(self.server.last_reply or MoveReply(False, "Service unavailable."))
        running = self.server.state.game
        if is_processed(kind):
            reply = self._processed(move, kind)
            if kind in (None, "duplicate", "restart"):
                return self._arrived(reply)
        if move != NEW_GAME:
            self.lost[running is None or running.we_started] += 1
        return self._lost(str(kind))

    def process(self, move: int) -> MoveReply:
        """Let the server process a request that arrives."""
        state, reply, finished = self.rules.move(self.server.state, move)
        self.server = self.server.after(state, finished)
        if finished is not None:
            self.finished.append(finished)
        return reply

    def _processed(self, move: int, kind: str | None) -> MoveReply:
        if kind == "restart":  # `finished` is the simulation's own record and stays
            self.server = replace(self.server, state=ServerState(opened=self.server.state.opened))
        reply = self.process(move)
        if kind != "duplicate":
            return reply
        reply = self.process(move)
        if move == NEW_GAME:  # the second request has forfeited the first one's game: not the client's mistake
            self.finished[-1] = replace(self.finished[-1], reason="duplicate")
        return reply

    def _arrived(self, reply: MoveReply) -> Replied:
        self.time_s += THINKING_S
        self.server = replace(self.server, last_reply=reply)
        return Replied(self.time_s, reply, first_byte_s=THINKING_S)

    def _lost(self, kind: str) -> Failed | None:
        if kind.startswith("silent"):
            return None
        self.time_s += THINKING_S
        delivered = 1.0 if kind == "truncate" else None
        message = "The connection broke before the whole reply had arrived."
        return Failed(self.time_s, Delivery.UNKNOWN, message, kind="reset", delivered=delivered)


@dataclass(slots=True)
class VirtualMove:
    """See `bot.course.client.outage.Underway`."""

    world: VirtualWorld
    found: Replied | Failed | None
    """None: the connection is open, and nothing comes."""

    def outcome(self, within_s: float) -> Replied | Failed | None:
        if self.found is None:
            self.world.sleep(within_s)
        return self.found

    def check_connection(self) -> None: ...

    def close(self) -> Replied | Failed:
        message = "The server did not answer in time."
        return self.found or Failed(self.world.now(), Delivery.UNKNOWN, message, kind="timeout")


@dataclass(slots=True)
class VirtualDisk:
    """The journal in memory, and how the ends of games that it shows compare with the server's."""

    world: VirtualWorld
    records: list[Record] = field(default_factory=list)
    times_s: list[float] = field(default_factory=list)
    """Virtual time of each record."""
    audited: int = 0
    """Ends of games that were compared."""
    finished: int = 0
    """Those with a result."""
    invented: int = 0
    """Results recorded as known by a reply that differ from the server's."""
    wrong_guesses: Counter[str] = field(default_factory=Counter)
    """Results known in another way that differ from the server's, by ``known_by``."""

    def write(self, record: Record) -> None:
        """Write one record; raise Killed if the client is killed after it."""
        self.records.append(record)
        self.times_s.append(self.world.time_s)
        if self.world.faults.kills_after(record):
            raise Killed

    def sync(self) -> None:
        """Do nothing: what is written survives."""

    def content(self) -> bytes:
        """Return the journal's file."""
        return b"".join(as_line(record, f"{at:.4f}") for record, at in zip(self.records, self.times_s, strict=True))

    def audit(self, end: GameEnded) -> None:
        """Compare the next end of a game with the server's, before another game ends there."""
        server = self.world.server
        self.audited += 1
        if end.result != 0:
            self.finished += 1
        if end.known_by == "reply":
            if server.is_claimed or server.results[:1] != (end.result,):
                self.invented += 1
            self.world.server = replace(server, is_claimed=True)
        elif end.result != 0:
            # In the statistics a loss by an illegal move looks like any other; one game may have been opened since.
            fits = any(end.result == known or max(end.result, known) < 0 for known in server.results)
            if not fits:
                self.wrong_guesses[end.known_by] += 1
