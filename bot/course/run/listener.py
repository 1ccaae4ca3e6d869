"""What people see of a run: the session's steps as calls of the observer, which the views of the console implement."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from bot.course.protocol import LOST, NEW_GAME
from bot.course.run.standings import RunStandings
from bot.course.session.commands import GameEnded, Note, outdate_reading
from bot.course.session.events import Chosen, Counted, Event, Replied
from bot.course.session.session import Session
from bot.game import Board

_HOW = {
    "statistics": "the server's statistics say so",
    "inferred": "nothing else fits what followed",
    "unknown": "the reply was lost and the server's statistics do not show the result",
    "server_reset": "the server no longer knows it",
}
RESULTS = {1.0: "won", 0.5: "drawn", -1.0: "lost", -10.0: "lost by an illegal move", 0.0: "without a result"}
"""The server's results in words."""


@dataclass(frozen=True, slots=True)
class Outage:
    """An outage of the server, after one more request was not answered."""

    message: str
    """Sentences: what happened to the last request, and what was sent."""
    left_s: float
    """Seconds until no further attempt is made."""
    move_left_s: float | None
    """Seconds until the move's time limit, negative after it; None when no move is due."""


class Observer(Protocol):
    """Receives the course of a run, in order. Every method must return at once: the move clock is running."""

    def game_started(self, board: Board) -> None:
        """Called when a game has begun; on ``board`` we are to move, and the bot may have moved already."""
        ...

    def decided(self, board: Board, chosen: Chosen) -> None:
        """Called with our move on ``board`` just before it is sent."""
        ...

    def replied(self, board: Board, column: int | None) -> None:
        """Called with the position after the server's reply, and the column of its bot if it moved."""
        ...

    def notice(self, text: str) -> None:
        """Called with a sentence for the user, for instance about a fault or a resumed game."""
        ...

    def unreachable(self, outage: Outage) -> None:
        """Called after each failed attempt during an outage."""
        ...

    def reachable(self, seconds: float) -> None:
        """Called when the server answers again, ``seconds`` after the first failure."""
        ...

    def game_ended(self, end: GameEnded) -> None:
        """Called with a finished game, which the standings count; games without a result are not reported."""
        ...

    def run_ended(self) -> None: ...


@dataclass(slots=True)
class Listener:
    """Turns steps into calls of the observer, and counts finished games in the standings."""

    observer: Observer
    standings: RunStandings
    _shown: int = 0
    """The journal's number of the last game whose start was reported."""
    _down_since: float | None = None
    """When the outage was reported first that is not over; a single lost reply is none, it has a notice of its own."""
    _session: Session = field(default_factory=Session)
    """The session after the last step."""
    _noted: set[str] = field(default_factory=set)
    """Texts of lost replies since the last reply: each is shown once in an outage."""

    def step(self, session: Session, event: Event) -> None:
        """Report one step; see `bot.course.run.driver.Driver.on_step`."""
        self._session = session
        if self._down_since is not None and _is_answer(event):
            self.observer.reachable(event.at - self._down_since)
            self._down_since = None
        position = session.belief.position
        if isinstance(event, Chosen) and event.move != NEW_GAME:
            self.standings.slowest_move_s = max(self.standings.slowest_move_s, event.move_s)
            if event.note:
                self.standings.substituted_moves += 1
                self.observer.notice(event.note)
            if session.belief.playing is not None:
                self.observer.decided(session.belief.playing.board, event)
        for item in session.news:
            if isinstance(item, GameEnded):
                self._say_why(item, event)
                self._ended(item)
            elif isinstance(item, Note) and not item.quiet:
                self._note(item)
        if isinstance(event, Counted):
            self.standings.read(event)
        if outdate_reading(session.news):
            self.standings.outdate()
        if not isinstance(event, Replied):
            return
        self._noted.clear()
        if position is None:
            return
        if self._shown != session.ledger.game:
            self._shown = session.ledger.game
            self.observer.game_started(position.board)
        self.observer.replied(position.board, position.bot_column)

    def _note(self, note: Note) -> None:
        if note.kind != "reply_lost" or note.text not in self._noted:
            self.observer.notice(note.text)
            self._noted.add(note.text)

    def _say_why(self, end: GameEnded, event: Event) -> None:
        """Report the server's own words about a loss that no board shows, such as that of a late move."""
        if end.known_by == "reply" and end.result == LOST and not end.moves and isinstance(event, Replied):
            words = (event.reply.msg or "").split()
            if words and event.reply.status:  # a refusal has a note of its own
                self.observer.notice(f"The server says: {' '.join(words)[:200]}")

    def _ended(self, end: GameEnded) -> None:
        if end.moves:
            is_bots = (len(end.moves) % 2 == 0) == end.we_started
            bot_column = end.moves[-1] if is_bots else None
            self.observer.replied(Board.from_moves(end.moves), bot_column)
        if end.known_by != "reply":
            was = "ended " if end.result == 0 else "was probably "
            why = _HOW.get(end.known_by, end.known_by)
            self.observer.notice(f"Game {end.game} {was}{RESULTS.get(end.result, '')}: {why}.")
        if end.result != 0:
            self.standings.add(end.result)
            self.observer.game_ended(end)

    def waiting(self, text: str, left_s: float, at: float) -> None:
        """Report that the server does not answer, at most for ``left_s`` seconds more, before the news of any step."""
        belief = self._session.belief
        self._down_since = at if self._down_since is None else self._down_since
        move_left_s = None if belief.is_idle else belief.clock.until_late_s(at)
        self.observer.unreachable(Outage(text, max(0.0, left_s), move_left_s))


def _is_answer(event: Event) -> bool:
    return isinstance(event, Replied) or (isinstance(event, Counted) and event.stats is not None)
