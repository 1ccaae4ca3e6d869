"""What people see of a run: the session's steps as calls of the observer, which the views of the console implement."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from bot.course.events import Chosen, Counted, Event, GameEnded, Note, Replied
from bot.course.protocol import LOST, NEW_GAME
from bot.course.run.standings import RunStandings
from bot.course.session import Session
from bot.errors import one_line
from bot.game import Board

_HOW = {
    "statistics": "the server's statistics count it, and no reply has shown it",
    "inferred": "no other end fits the replies that followed",
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
    _noted: set[str] = field(default_factory=set)
    """Texts of lost replies since the last reply: each is shown once in an outage."""
    _reply_s: float = 0.0
    """How long the last reply took, seconds; 0 where that is not known, as in a resumed game."""
    _move_s: float = 0.0
    """How long our last move took after it, seconds."""

    def step(self, session: Session, event: Event) -> None:
        """Report one step; see `bot.course.run.run.Driver.on_step`."""
        if self._down_since is not None and _is_answer(event):
            self.observer.reachable(event.at - self._down_since)
            self._down_since = None
        position = session.position
        if isinstance(event, Chosen) and event.move != NEW_GAME:
            self._move_s = event.move_s
            self.standings.timed(event.move_s)
            if event.note:
                self.standings.substituted_moves += 1
                self.observer.notice(event.note)
            if session.playing is not None:
                self.observer.decided(session.playing.board, event)
        for item in session.news:
            if isinstance(item, GameEnded):
                self._say_why(item, event)
                self._ended(item)
            elif isinstance(item, Note) and not item.quiet:
                self._note(item)
        self.standings.counted = session.counted
        if not isinstance(event, Replied):
            return
        self._reply_s = event.first_byte_s or 0.0
        self._noted.clear()
        if position is None:
            return
        if self._shown != session.game:
            self._shown = session.game
            self.observer.game_started(position.board)
        self.observer.replied(position.board, position.bot_column)

    def _note(self, note: Note) -> None:
        if note.kind != "reply_lost" or note.text not in self._noted:
            self.observer.notice(note.text)
            self._noted.add(note.text)

    def _say_why(self, end: GameEnded, event: Event) -> None:
        """Report the loss of a game without a last board: our move came too late, by the server's clock."""
        if end.known_by != "reply" or end.result != LOST or end.moves or not isinstance(event, Replied):
            return
        reply = event.reply
        if not reply.status or reply.botmove in range(7):  # a refusal has its own note; a four of the bot is not late
            return
        if reply.msg:
            self.observer.notice(f"The server says: {one_line(reply.msg)}.")
        answer_s = event.first_byte_s or 0.0  # our move may have been slow on its way
        all_s = self._reply_s + self._move_s + answer_s
        self.standings.timed(all_s)
        before = f"its last reply took {self._reply_s:.2g} s to arrive, then " if self._reply_s else ""
        self.observer.notice(
            f"The server calls our move late: {before}our move {self._move_s:.2g} s, and the answer to it "
            f"{answer_s:.2g} s, {all_s:.2g} s in all; a run's interruption counts, too. The limit is the server's own. "
            "The next games go the same way unless the network is faster (a cable, another "
            "network, another hour) or --time-limit is smaller."
        )

    def _ended(self, end: GameEnded) -> None:
        if end.moves:
            is_bots = (len(end.moves) % 2 == 0) == end.we_started
            bot_column = end.moves[-1] if is_bots else None
            self.observer.replied(Board.from_moves(end.moves), bot_column)
        if end.known_by != "reply":
            was = "was " if end.result else "ended "
            why = _HOW.get(end.known_by, end.known_by)
            self.observer.notice(f"Game {end.game} {was}{RESULTS.get(end.result, '')}: {why}.")
        self.standings.add(end.result)
        if end.result != 0:
            self.observer.game_ended(end)
        self.standings.game_move_s = 0.0

    def waiting(self, session: Session, text: str, left_s: float, at: float) -> None:
        """Report that the server does not answer, at most for ``left_s`` seconds more, before the news of any step."""
        self._down_since = at if self._down_since is None else self._down_since
        move_left_s = None if session.is_idle else session.clock.until_late_s(at)
        self.observer.unreachable(Outage(text, max(0.0, left_s), move_left_s))


def _is_answer(event: Event) -> bool:
    return isinstance(event, Replied) or (isinstance(event, Counted) and event.stats is not None)
