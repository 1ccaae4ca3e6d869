"""A virtual network, clock and disk around the virtual server."""

from __future__ import annotations

import errno
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bot.course.journal.writer import FileSink, JournalWriter
from bot.course.protocol import NEW_GAME, MoveReply
from bot.course.session.events import Counted, Delivery, Failed, Record, Replied, Started
from bot.trials.simulation.faults import Dice
from bot.trials.simulation.server import VirtualServer

TRIP_S = 0.02
THINKING_S = 0.2
"""Time between a move's arrival and the reply's first byte, seconds."""
TIMEOUT_S = 10.0
_PROCESSED = ("after", "slow_after", "partial", "duplicate", "restart")


class Killed(BaseException):
    """The client's process was killed. No code of the client may catch it."""


class MemorySink(FileSink):
    """Bytes in memory, like a disk of ``capacity`` bytes; the first ``synced`` bytes would survive a power cut."""

    def __init__(self, content: bytes = b"", capacity: int | None = None) -> None:
        self._content = bytearray(content)
        self._capacity = capacity
        self.synced = len(content)

    @property
    def content(self) -> bytes:
        """Everything written."""
        return bytes(self._content)

    def write(self, data: bytes) -> None:
        room = self.room()
        self._content += data[:room]
        if room is not None and room < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def sync(self) -> None:
        self.synced = len(self._content)

    def size(self) -> int:
        return len(self._content)

    def truncate(self, length: int) -> None:
        del self._content[length:]
        self.synced = min(self.synced, length)

    def room(self) -> int | None:
        return None if self._capacity is None else max(0, self._capacity - len(self._content))

    def close(self) -> None:
        pass


class _Sink(MemorySink):
    """Bytes that a killed process cannot cut off."""

    is_dead = False

    def truncate(self, length: int) -> None:
        """Cut the content, unless the process that asks for it is dead."""
        if not self.is_dead:
            super().truncate(length)


class VirtualDisk(JournalWriter):
    """The journal in memory. A kill comes right after a record was written."""

    def __init__(self, dice: Dice, now: Callable[[], float], on_record: Callable[[Record], None]) -> None:
        """``on_record`` gets every record just after it was written, before a kill."""
        self.sink = _Sink()
        super().__init__(self.sink, now=lambda: f"{now():.4f}")
        self.records: list[Record] = []
        self._dice = dice
        self._on_record = on_record

    def write(self, record: Record) -> None:
        """Write one record; raise Killed if the client is killed after it."""
        super().write(record)
        self.records.append(record)
        self._on_record(record)
        if not isinstance(record, Started) and not self.sink.is_dead and self._dice.kills_now():
            self.sink.is_dead = True
            raise Killed


@dataclass(slots=True)
class VirtualWorld:
    """See `bot.course.run.driver.World`. Time passes only by requests and sleeping."""

    server: VirtualServer
    dice: Dice
    time_s: float = 0.0
    last_reply: MoveReply | None = None
    lost: Counter[bool] = field(default_factory=Counter)
    """Lost replies to requests for a move, not for a new game, by whether we had started the game."""

    def now(self) -> float:
        """Return the virtual time, seconds."""
        return self.time_s

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.time_s += seconds

    def statistics(self, patience_s: float | None) -> Counted:
        """Return a reading of the server's statistics, which may fail."""
        self.time_s += TRIP_S
        if self.dice.statistics_fail():
            self.time_s += 1.0 if patience_s is None else patience_s
            return Counted(self.time_s, None, "timeout", "The server did not answer in time.")
        return Counted(self.time_s, self.server.statistics(self.time_s, self.dice.rates.lag))

    def send(self, move: int, on_sent: Callable[[], None]) -> Replied | Failed:
        """Send a move through the network, which may fail."""
        kind = self.dice.fault()
        self.time_s += TRIP_S
        if kind == "unsent":
            return Failed(self.time_s, Delivery.NOT_SENT, "The server cannot be reached.", "Check the network.")
        try:
            on_sent()
        except Killed:
            if self.dice.dice.random() < 0.5:  # the request was being sent
                self.server.move(move, self.time_s)
            raise
        was_processed = kind is None or kind in _PROCESSED
        running = self.server.state.game
        reply = self._process(move, kind) if was_processed else None
        if kind is None or kind in ("duplicate", "restart", "stale"):
            return self._arrived(reply or self.last_reply or MoveReply(False, "Service unavailable."))
        if move != NEW_GAME:
            self.lost[running is None or running.we_started] += 1
        return self._lost(kind)

    def _process(self, move: int, kind: str | None) -> MoveReply:
        server = self.server
        if kind == "restart":
            server.restart()
        reply = server.move(move, self.time_s)
        if kind != "duplicate":
            return reply
        reply = server.move(move, self.time_s)
        if move == NEW_GAME:  # the second request has forfeited the first one's game: not the client's mistake
            server.finished[-1] = replace(server.finished[-1], reason="duplicate")
        return reply

    def _arrived(self, reply: MoveReply) -> Replied:
        self.time_s += THINKING_S
        self.last_reply = reply
        return Replied(self.time_s, reply, first_byte_s=THINKING_S)

    def _lost(self, kind: str) -> Failed:
        if kind.startswith("slow"):
            self.time_s += TIMEOUT_S
            return Failed(self.time_s, Delivery.UNKNOWN, "The server did not answer in time.", kind="timeout")
        self.time_s += THINKING_S
        delivered = 1.0 if kind == "partial" else None
        message = "The connection broke before the whole reply had arrived."
        return Failed(self.time_s, Delivery.UNKNOWN, message, kind="reset", delivered=delivered)
