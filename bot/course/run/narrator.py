"""Reports each step of the session to the observer, and counts finished games in the standings."""

from __future__ import annotations

from bot.course.journal.state import Place
from bot.course.journal.writer import JournalWriter
from bot.course.protocol import NEW_GAME
from bot.course.run.observer import Observer
from bot.course.run.outage import OutageWatch
from bot.course.run.standings import RunStandings
from bot.course.session.events import Chosen, Event, GameEnded, GameStarted, Note, Replied
from bot.course.session.state import Session
from bot.engine.agent import Decision
from bot.game import Board, format_moves

_HOW = {
    "statistics": "the server's statistics say so",
    "inferred": "nothing else fits what followed",
    "unknown": "the reply was lost and the server's statistics do not show the result",
    "server_reset": "the server no longer knows it",
}
_RESULTS = {1.0: "won", 0.5: "drawn", -1.0: "lost", -10.0: "lost by an illegal move", 0.0: "without a result"}


class Narrator:
    """Follows the driver's steps. It also keeps the pointer to the unfinished game up to date."""

    def __init__(
        self,
        observer: Observer,
        outage: OutageWatch,
        standings: RunStandings,
        journal: JournalWriter,
        place: Place | None,
    ) -> None:
        self._observer = observer
        self._outage = outage
        self._standings = standings
        self._journal = journal
        self._place = place
        self._board = Board()
        self._noted: set[str] = set()
        """Texts of lost replies since the last reply: each is shown once in an outage."""

    def step(self, session: Session, event: Event, decision: Decision | None) -> None:
        """Report one step; see `bot.course.run.driver.Driver.on_step`."""
        position = session.position
        self._outage.step(session, event)
        if isinstance(event, Chosen):
            self._chosen(session, event, decision)
        for item in session.news:
            match item:
                case GameStarted(number=number):
                    if position is not None:
                        self._observer.game_started(number, position.board)
                    self._point_to(number)
                case GameEnded():
                    self._ended(item)
                case Note(quiet=False):
                    self._note(item)
        if isinstance(event, Replied):
            self._noted.clear()
        if isinstance(event, Replied) and position is not None:
            self._board = position.board
            self._observer.replied(position.board, position.bot_column)
        has_ended = any(isinstance(item, GameEnded) for item in session.news)
        if session.is_idle and session.pending is None and (has_ended or session.stop is not None):
            self._clear()

    def _note(self, note: Note) -> None:
        if note.kind != "reply_lost" or note.text not in self._noted:
            self._observer.notice(note.text)
            self._noted.add(note.text)

    def _chosen(self, session: Session, event: Chosen, decision: Decision | None) -> None:
        if event.move == NEW_GAME:
            self._point_to(session.number)
            return
        move_s = event.at - session.clock.started_at
        self._standings.slowest_move_s = max(self._standings.slowest_move_s, move_s)
        if decision is not None and decision.note:
            self._observer.notice(decision.note)
        if decision is not None and session.position is not None:
            self._observer.decided(session.position.board, decision, move_s)

    def _ended(self, end: GameEnded) -> None:
        if end.moves:
            board = Board.from_moves(end.moves)
            self._observer.replied(board, end.moves[-1] if end.result < 0 else None)
        if end.known_by != "reply":
            probably = "" if end.result == 0 else "probably "
            why = _HOW.get(end.known_by, end.known_by)
            self._observer.notice(f"Game {end.number} ended {probably}{_RESULTS.get(end.result, '')}: {why}.")
        if end.result != 0:
            self._standings.add(end.result)
            self._observer.game_ended(end.number, end.result, format_moves(end.moves), self._standings)

    def _point_to(self, number: int) -> None:
        if self._place is not None:
            self._place.point_to(self._journal.path, number)

    def _clear(self) -> None:
        if self._place is not None:
            self._place.clear()
