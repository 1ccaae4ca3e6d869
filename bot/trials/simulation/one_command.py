"""Virtual server, network and disk for one command with at most one fault; see `bot.trials.simulation.branching`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bot.course.protocol import MoveReply, Stats
from bot.course.session.events import Counted, Delivery, Failed, Record, Replied
from bot.trials.simulation.server import FinishedGame, ServerRules, ServerState
from bot.trials.simulation.world import THINKING_S, TIMEOUT_S, TRIP_S, Killed


@dataclass(frozen=True, slots=True)
class Server:
    """The server's state, and the part of its past that faults and checks need."""

    state: ServerState = field(default_factory=ServerState)
    earlier: Stats = Stats(0, 0, 0, 0)  # noqa: RUF009 - a frozen value
    """The statistics before the last game ended, which a reading shows that is one game behind."""
    last_reply: MoveReply | None = None
    last_result: float | None = None
    """Result of the game that ended last."""
    before_last: float | None = None
    """Result of the game before it."""
    is_claimed: bool = False
    """Whether the journal has a result known by a reply for the last game."""

    def after(self, state: ServerState, finished: FinishedGame | None) -> Server:
        """Return the server in a new state, after ``finished`` has ended if given."""
        if finished is None:
            return replace(self, state=state)
        return replace(
            self,
            state=state,
            earlier=self.state.stats,
            last_result=finished.result,
            before_last=self.last_result,
            is_claimed=False,
        )


@dataclass(slots=True)
class CommandDisk:
    """Records of one command. A kill comes right after the record number ``kill_after``, counted from 1."""

    kill_after: int | None = None
    records: list[Record] = field(default_factory=list)

    def write(self, record: Record) -> None:
        """Keep a record; raise Killed after the last one."""
        self.records.append(record)
        if len(self.records) == self.kill_after:
            raise Killed


@dataclass(slots=True)
class CommandWorld:
    """See `bot.course.run.driver.World`: the server behind at most one fault."""

    rules: ServerRules
    server: Server
    fault: str | None = None
    arrives: bool = False
    """Whether a request that is being sent arrives although the client is killed."""
    time_s: float = 0.0
    duplicates: int = 0
    """Games forfeited by a -1 that the network sent twice."""
    forfeits: int = 0
    illegal: bool = False

    def now(self) -> float:
        return self.time_s

    def sleep(self, seconds: float) -> None:
        self.time_s += seconds

    def statistics(self, patience_s: float | None) -> Counted:
        self.time_s += TRIP_S
        if self.fault == "unread":
            self.time_s += 1.0 if patience_s is None else patience_s
            return Counted(self.time_s, None, "timeout", "The server did not answer in time.")
        return Counted(self.time_s, self.server.earlier if self.fault == "behind" else self.server.state.stats)

    def send(self, move: int, on_sent: Callable[[], None]) -> Replied | Failed:
        fault = self.fault
        self.time_s += TRIP_S
        if fault == "unsent":
            return Failed(self.time_s, Delivery.NOT_SENT, "The server cannot be reached.")
        try:
            on_sent()
        except Killed:
            if self.arrives:
                self.process(move)
            raise
        if fault == "stale":
            return self._arrived(self.server.last_reply or MoveReply(False, "Service unavailable."))
        if fault == "restart":
            self.server = replace(self.server, state=ServerState(opened=self.server.state.opened))
        if fault not in ("before", "slow_before"):
            reply = self.process(move)
            if fault == "duplicate":
                before = self.forfeits
                reply = self.process(move)
                self.duplicates += self.forfeits - before
                self.forfeits = before
            if fault in (None, "duplicate", "restart"):
                return self._arrived(reply)
        slow = fault in ("slow_before", "slow_after")
        self.time_s += TIMEOUT_S if slow else THINKING_S
        delivered = 1.0 if fault == "partial" else None
        kind = "timeout" if slow else "reset"
        return Failed(self.time_s, Delivery.UNKNOWN, "The reply was lost.", kind=kind, delivered=delivered)

    def process(self, move: int) -> MoveReply:
        """Let the server process a request."""
        state, reply, finished = self.rules.move(self.server.state, move)
        self.server = self.server.after(state, finished)
        if finished is not None:
            self.forfeits += finished.reason == "forfeit"
            self.illegal |= finished.reason == "illegal"
        return reply

    def _arrived(self, reply: MoveReply) -> Replied:
        self.time_s += THINKING_S
        self.server = replace(self.server, last_reply=reply)
        return Replied(self.time_s, reply)
