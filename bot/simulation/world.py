"""A virtual network, clock and disk around the virtual server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.journal.schema import Record, outcome_of
from bot.protocol import NEW_GAME, MoveReply, Stats
from bot.session.events import Failed, Fate
from bot.simulation.faults import Dice
from bot.simulation.server import VirtualServer

TRIP_S = 0.02
THINKING_S = 0.2
"""Between a move's arrival and the reply's first byte, seconds."""
EARLY_S = 0.02
TIMEOUT_S = 10.0
_PROCESSED = ("after", "slow_after", "partial", "duplicate", "restart")


class Killed(BaseException):
    """The client's process has been killed. No code of the client's may catch it."""


@dataclass(slots=True)
class VirtualDisk:
    """The journal's records in memory. A kill comes right after a record was written."""

    dice: Dice
    records: list[Record] = field(default_factory=list)

    def _write(self, record: Record) -> None:
        self.records.append(record)
        if self.dice.kills_now():
            raise Killed

    def intent(self, game: int, move: int, ply: int, **fields: Any) -> None:
        """Write an intent."""
        self._write({"type": "intent", "game": game, "move": move, "ply": ply, **fields})

    def reply(self, game: int, **fields: Any) -> None:
        """Write a reply."""
        self._write({"type": "reply", "game": game, **fields})

    def event(self, game: int, kind: str, text: str, **fields: Any) -> None:
        """Write an event."""
        self._write({"type": "event", "game": game, "kind": kind, "text": text, **fields})

    def game_end(self, game: int, result: float, **fields: Any) -> None:
        """Write a game's end."""
        self._write({"type": "game_end", "game": game, "result": result, "outcome": outcome_of(result), **fields})


@dataclass(slots=True)
class VirtualWorld:
    """See `bot.match.driver.World`. Time passes only when something takes time."""

    server: VirtualServer
    dice: Dice
    time_s: float = 0.0
    last_reply: MoveReply | None = None
    lost_moves: int = 0
    """Requests of unknown fate for a move, not for a new game."""

    def now(self) -> float:
        """Return the virtual time, seconds."""
        return self.time_s

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.time_s += seconds

    def statistics(self, patience_s: float | None) -> Stats | None:
        """Return what the server counts, or None when the reading fails."""
        self.time_s += TRIP_S
        if self.dice.statistics_fail():
            self.time_s += 1.0 if patience_s is None else patience_s
            return None
        return self.server.statistics(self.time_s, self.dice.rates.lag)

    def send(self, move: int, on_sent: Callable[[], None]) -> MoveReply | Failed:
        """Send a move through the network, which may fail."""
        kind = self.dice.fate(move == NEW_GAME)
        self.time_s += TRIP_S
        if kind == "unsent":
            return Failed(0.0, Fate.NOT_SENT, "The server cannot be reached.", "Check the network.")
        try:
            on_sent()
        except Killed:
            if self.dice.dice.random() < 0.5:  # the request was on its way
                self.server.move(move, self.time_s)
            raise
        was_processed = kind is None or kind in _PROCESSED
        reply = self._process(move, kind) if was_processed else None
        if kind is None or kind in ("duplicate", "restart", "stale"):
            return self._arrived(reply or self.last_reply or MoveReply(False, "Service unavailable."))
        self.lost_moves += move != NEW_GAME
        return self._lost(kind, was_processed)

    def _process(self, move: int, kind: str | None) -> MoveReply:
        server = self.server
        if kind == "restart":
            server.game, server.stats, server.history = None, Stats(0, 0, 0, 0), []
        reply = server.move(move, self.time_s)
        return server.move(move, self.time_s) if kind == "duplicate" else reply

    def _arrived(self, reply: MoveReply) -> MoveReply:
        self.time_s += THINKING_S
        self.last_reply = reply
        return MoveReply(
            reply.status,
            reply.msg,
            reply.botmove,
            reply.result,
            reply.state,
            latency_s=TRIP_S + THINKING_S,
            first_byte_s=THINKING_S,
        )

    def _lost(self, kind: str, was_processed: bool) -> Failed:
        if kind.startswith("slow"):
            self.time_s += TIMEOUT_S
            return Failed(0.0, Fate.UNKNOWN, "The server did not answer in time.", kind="timeout")
        wait_s = EARLY_S if self.dice.shows_early(was_processed) else THINKING_S
        self.time_s += wait_s
        delivered = 1.0 if kind == "partial" else None
        message = "The connection broke before the whole reply had arrived."
        return Failed(0.0, Fate.UNKNOWN, message, kind="reset", first_byte_s=wait_s, delivered=delivered)
