"""A series of games: play, count, judge; take up what a crash left; leave a journal that tells it all."""

from __future__ import annotations

from dataclasses import dataclass

from bot.client.tracking import opening
from bot.client.wire import MoveReply, Stats
from bot.client.worlds import World, after_unknown, narrow_by_reply
from bot.engine.traps import likely_replies
from bot.errors import BotError
from bot.game import format_moves
from bot.journal.reader import Game
from bot.match.seat import NO_GAME, Ended, Seat
from bot.match.tally import Tally


@dataclass(slots=True)
class Series:
    """``games`` games in one seat; a game taken up from a crash counts among them."""

    seat: Seat
    tally: Tally
    games: int

    def play(self) -> Tally:
        """Play until ``games`` have ended. The journal's last line is written whatever happens.

        Raises NetworkError, ProtocolError or JournalError; KeyboardInterrupt passes through.
        """
        reason, error = "error", None
        try:
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

    def _count(self, ended: list[Ended]) -> None:
        """Enter the games that have just ended, oldest first, into journal and tally."""
        seat = self.seat
        for game in ended:
            moves = format_moves(game.moves)
            seat.journal.game_end(
                game.number,
                game.result,
                moves=moves,
                we_started=game.we_started,
                slowest_move_s=round(seat.slowest_move_s, 6),
                known_by=game.known_by,
            )
            self.tally.slowest_move_s = max(self.tally.slowest_move_s, seat.slowest_move_s)
            seat.slowest_move_s = 0.0
            if game.known_by != "forgotten":
                self.tally.add(game.result)
                seat.observer.game_ended(game.number, game.result, moves, self.tally)

    def _close(self, reason: str, error: str | None) -> None:
        counts = {name: getattr(self.tally, name) for name in ("played", "won", "drawn", "lost")}
        try:
            self.seat.journal.run_end(reason, **counts, error=error)
        except BotError:
            if reason == "finished":
                raise
        finally:
            self.seat.observer.run_ended(self.tally)


def take_up(seat: Seat, game: Game) -> None:
    """Put the seat where the journal of an unfinished ``game`` ends: a known position, or the possible worlds.

    Raises BadReplyError when the journal's boards do not follow from each other.
    """
    worlds: set[World] = {NO_GAME}
    pending: int | None = None
    seat.number = game.number
    for record in game.records:
        if record["type"] == "event" and record["kind"] == "books":
            seat.books = Stats(record["played"], record["won"], record["lost"], 0) if "played" in record else None
        elif record["type"] == "intent":
            if pending is not None:
                worlds = after_unknown(worlds, pending, likely_replies)
            pending = record["move"]
        elif record["type"] == "reply" and pending is not None and record.get("status"):
            reply = _reply_of(record)
            position = opening(reply) if pending == -1 else narrow_by_reply(worlds, pending, reply)[1]
            worlds, pending = {World(position)}, None
    seat.worlds = worlds if pending is None else after_unknown(worlds, pending, likely_replies)
    seat.clock.start()


def _reply_of(record: dict[str, object]) -> MoveReply:
    grid = record.get("state")
    rows = tuple(tuple(row) for row in grid) if isinstance(grid, list) else None
    fields = {name: record.get(name) for name in ("msg", "botmove", "result")}
    return MoveReply(True, state=rows, **fields)  # type: ignore[arg-type]
