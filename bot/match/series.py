"""A series of games: play, count, judge; take up what a crash left; leave a journal that tells it all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.client.tracking import Position, opening
from bot.client.wire import MoveReply, Stats
from bot.client.worlds import EMPTY, World, after_unknown, narrow_by_reply
from bot.engine.traps import likely_replies
from bot.errors import BotError
from bot.game import format_moves, parse_moves
from bot.journal.reader import Game
from bot.journal.schema import Record
from bot.match.seat import NO_GAME, Ended, Seat
from bot.match.tally import Tally


@dataclass(slots=True)
class Series:
    """``games`` games in one seat; a game taken up from a crash counts among them."""

    seat: Seat
    tally: Tally
    games: int

    def play(self, taken_up: Iterable[Ended] = ()) -> Tally:
        """Play until ``games`` have ended, those ``taken_up`` among them. The journal's last line is always written.

        Raises NetworkError, ProtocolError or JournalError; KeyboardInterrupt passes through.
        """
        reason, error = "error", None
        try:
            self._count(taken_up)
            if not self.seat.is_idle:
                self._count(self.seat.settle())  # a game taken up: what became of it meanwhile?
            while self.tally.played < self.games:
                self._count(self.seat.open() if self.seat.is_idle else self.seat.move())
            reason = "finished"
        except KeyboardInterrupt:
            reason = "interrupted"
            if not self.seat.is_idle:
                self.seat.observer.notice(
                    f"Interrupted: game {self.seat.number} is still running on the server. "
                    "Run the same command again to take it up."
                )
            raise
        except BotError as failure:
            error = failure.message
            raise
        finally:
            self.tally.slowest_move_s = max(self.tally.slowest_move_s, self.seat.slowest_move_s)
            self._close(reason, error)
        return self.tally

    def _count(self, ended: Iterable[Ended]) -> None:
        """Count the games that have just ended, oldest first."""
        for game in ended:
            self.tally.slowest_move_s = max(self.tally.slowest_move_s, game.slowest_move_s)
            if game.known_by != "forgotten":
                self.tally.add(game.result)
                self.seat.observer.game_ended(game.number, game.result, format_moves(game.moves), self.tally)

    def _close(self, reason: str, error: str | None) -> None:
        counts = {name: getattr(self.tally, name) for name in ("played", "won", "drawn", "lost")}
        try:
            self.seat.journal.run_end(reason, **counts, error=error)
        except BotError:
            if reason == "finished":
                raise
        finally:
            self.seat.observer.run_ended(self.tally)


def take_up(seat: Seat, game: Game) -> list[Ended]:
    """Put the seat where the journal of an unfinished ``game`` ends: a known position, or the possible worlds.

    Returns the games whose end the journal's last reply tells, though it was not written down any more. Raises
    BadReplyError when the journal's boards do not follow from each other.
    """
    worlds: set[World] = {NO_GAME}
    pending: int | None = None
    answer: MoveReply | None = None
    seat.number = game.number
    seat.clock.start()
    for record in game.records:
        kind = record["kind"] if record["type"] == "event" else record["type"]
        if kind == "books":
            seat.books = Stats(record["played"], record["won"], record["lost"], 0) if "played" in record else None
        elif kind == "intent":
            worlds = _worlds_after(worlds, pending, answer)
            pending, answer = record["move"], None
        elif kind == "not_processed":
            pending = answer = None
        elif kind == "reply" and record.get("status"):
            answer = _reply_of(record)
        elif kind == "silent_start" and "move" in record:
            worlds, pending, answer = {World(_begun(record))}, record["move"], _reply_of(record)
    if pending is not None and answer is not None:
        seat.worlds = worlds
        return seat.understand(pending, answer)
    seat.worlds = _worlds_after(worlds, pending, answer)
    return []


def _worlds_after(worlds: set[World], move: int | None, answer: MoveReply | None) -> set[World]:
    """The worlds once ``move`` was sent in ``worlds``, and answered or not."""
    if move is None:
        return worlds
    if answer is None:
        return after_unknown(worlds, move, likely_replies)
    return {World(opening(answer) if move == -1 else narrow_by_reply(worlds, move, answer)[1])}


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
