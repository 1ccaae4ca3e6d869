"""A series of games: play, count, judge; take up what a crash left; leave a journal that tells it all."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from bot.client.odds import STAYED
from bot.client.tracking import Position, opening
from bot.client.wire import BadReplyError, MoveReply, Stats
from bot.client.worlds import EMPTY, NEW_GAME, Answers, World, after_told, after_unknown, narrow_by_reply
from bot.errors import BotError
from bot.game import format_moves, parse_moves
from bot.journal.reader import Game
from bot.journal.schema import Record
from bot.journal.state import Place
from bot.match.log import Ended
from bot.match.question import Question
from bot.match.seat import NO_GAME, Seat
from bot.match.tally import Tally


@dataclass(slots=True)
class Series:
    """``games`` games in one seat; a game taken up from a crash counts among them."""

    seat: Seat
    tally: Tally
    games: int
    place: Place | None = None
    """Where the running game is noted for runs with another --logs folder."""

    def play(self, taken_up: Iterable[Ended] = ()) -> Tally:
        """Play until ``games`` have ended, those ``taken_up`` among them. The journal's last line is always written.

        Raises NetworkError, ProtocolError or JournalError; KeyboardInterrupt passes through.
        """
        reason, error = "error", None
        try:
            self._count(taken_up)
            if not self.seat.is_idle:
                self._count(self.seat.settle())  # a game taken up: what became of it meanwhile?
            self._clear_place()
            while self.tally.played < self.games:
                self._count(self._open() if self.seat.is_idle else self.seat.move())
                self._clear_place()
            reason = "finished"
        except KeyboardInterrupt:
            reason = "interrupted"
            if not self.seat.is_idle:
                self.seat.log.observer.notice(
                    f"Interrupted: game {self.seat.log.number} is still running on the server. "
                    "Run the same command again to take it up."
                )
            raise
        except BotError as failure:
            error = failure.message
            raise
        finally:
            self.tally.slowest_move_s = max(self.tally.slowest_move_s, self.seat.log.slowest_move_s)
            self._close(reason, error)
        return self.tally

    def _open(self) -> list[Ended]:
        if self.place is not None:
            self.place.point_to(self.seat.log.journal.path, self.seat.log.number + 1)
        return self.seat.open()

    def _clear_place(self) -> None:
        if self.place is not None and self.seat.is_idle:
            self.place.clear()

    def _count(self, ended: Iterable[Ended]) -> None:
        """Count the games that have just ended, oldest first."""
        for game in ended:
            self.tally.slowest_move_s = max(self.tally.slowest_move_s, game.slowest_move_s)
            if game.known_by != "server_reset":
                self.tally.add(game.result)
                self.seat.log.observer.game_ended(game.number, game.result, format_moves(game.moves), self.tally)

    def _close(self, reason: str, error: str | None) -> None:
        counts = {name: getattr(self.tally, name) for name in ("played", "won", "drawn", "lost")}
        try:
            self.seat.log.journal.run_end(reason, **counts, error=error)
        except BotError:
            if reason == "finished":
                raise
        finally:
            self.seat.log.observer.run_ended(self.tally)


def take_up(seat: Seat, game: Game) -> list[Ended]:
    """Put the seat where the journal of an unfinished ``game`` ends: a known position, or the possible worlds.

    Returns the games whose end the journal's last reply tells, though it was not written down any more.
    """
    past = _Past(seat.model.odds, seat.odds.killed)
    seat.log.number = game.number
    seat.may_forfeit = False
    seat.clock.start()
    for record in game.records:
        kind = record["kind"] if record["type"] == "event" else record["type"]
        if kind == "statistics":
            seat.books.base = _base_of(record)
        else:
            past.take(kind, record)
    if past.pending is not None and past.answer is not None:
        seat.worlds = past.worlds
        return seat.understand(past.pending, past.answer)
    if past.pending is not None and past.odds is None and not past.stayed and len(past.worlds) == 1:
        seat.question = Question(next(iter(past.worlds)), killed=True)
    past.close()
    seat.worlds = past.worlds
    return []


@dataclass(slots=True)
class _Past:
    """What the records of a game come to: the worlds before the last request, the request, and its answer."""

    answers: Answers
    killed: float
    """The odds of a request that the process died over."""
    worlds: set[World] = field(default_factory=lambda: {NO_GAME})
    pending: int | None = None
    answer: MoveReply | None = None
    odds: float | None = None
    """Those of the last request, if it is known to have failed; None where the process died over it."""

    departed: bool = False
    """Whether the last request is known to have left."""
    marks: bool = False
    """Whether departures are recorded in this game at all: not in journals of older versions."""

    @property
    def stayed(self) -> bool:
        """Whether the process seems to have died before the last request left."""
        return self.marks and not self.departed

    def take(self, kind: str, record: Record) -> None:
        """One more record, an event by its kind."""
        if kind == "intent":
            self._send(record["move"])
        elif kind == "sent":
            self.departed = self.marks = True
        elif kind == "not_sent":
            self.pending = self.answer = None
        elif kind == "reply_lost" and self.pending is not None:
            self.odds = float(record.get("delivered", self.killed))
        elif kind == "conflicting_reply":
            self.answer = None
        elif kind == "reply" and record.get("status"):
            self.answer = _reply_of(record)
        elif kind == "silent_start" and "move" in record:
            self.worlds = {World(_begun(record))}
            self.pending, self.answer = record["move"], _reply_of(record)
        elif kind == "unconfirmed" and "move" in record:
            self._send(record["move"])
            self.departed = True
        elif kind == "resynchronised":
            position = Position.found(_reply_of(record))
            if position is not None:
                self.worlds, self.pending, self.answer = {World(position)}, None, None

    def _send(self, move: int) -> None:
        self.close()
        self.pending, self.answer, self.odds, self.departed = move, None, None, False

    def close(self) -> None:
        """Take the last request and its answer into the worlds."""
        move, reply = self.pending, self.answer
        self.pending = self.answer = None
        if move is None:
            return
        with suppress(BadReplyError):  # a reply that fits nothing is as good as none
            if reply is not None:
                self.worlds = _worlds_told(self.worlds, move, reply)
                return
        odds = (STAYED if self.stayed else self.killed) if self.odds is None else self.odds
        self.worlds = after_unknown(self.worlds, move, self.answers, odds)


def _worlds_told(worlds: set[World], move: int, reply: MoveReply) -> set[World]:
    if move == NEW_GAME:
        return {World(opening(reply))}
    if reply.state is None and len(worlds) > 1:
        return after_told(worlds, move, reply)
    return {World(narrow_by_reply(worlds, move, reply)[1])}


def _base_of(record: Record) -> Stats | None:
    if "played" not in record:
        return None
    return Stats(record["played"], record["won"], record["lost"], record.get("streak", 0))


def _begun(silent_start: Record) -> Position:
    """The game that began silently, as it stood when the journal's move met it."""
    position = EMPTY
    for column in parse_moves(silent_start.get("moves") or ""):
        position = position.play(column)
    return position


def _reply_of(record: dict[str, object]) -> MoveReply:
    grid = record.get("state")
    rows = tuple(tuple(row) for row in grid) if isinstance(grid, list) else None
    fields = {name: record.get(name) for name in ("msg", "botmove", "result")}
    return MoveReply(True, state=rows, **fields)  # type: ignore[arg-type]
