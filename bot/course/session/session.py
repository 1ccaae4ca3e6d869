"""The session: everything that is known about one player's games at the server, as one frozen value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from bot.course.session.belief import Belief
from bot.course.session.commands import Command, GameEnded, News, Note, Send
from bot.course.session.contact import NO_HONEST_END, NOT_OPENED, Contact
from bot.course.session.events import Started
from bot.course.session.ledger import Ledger
from bot.course.session.position import Position


@dataclass(frozen=True, slots=True)
class Session:
    """The games, the server and the board, each in its own value, and the command whose outcome is awaited."""

    run: Started = field(default_factory=lambda: Started(0.0))
    """The settings of this process: games to play, time limits, and what it began with."""
    ledger: Ledger = field(default_factory=Ledger)
    contact: Contact = field(default_factory=Contact)
    belief: Belief = field(default_factory=Belief)
    command: Command | None = None
    """What is due; None before the first `Started`."""
    news: tuple[News, ...] = field(default=(), compare=False)
    """What the last step found out."""

    @property
    def is_opening(self) -> bool:
        """Whether a request that opens a game is about to be sent, or its outcome is missing."""
        return isinstance(self.command, Send) and self.belief.opens(self.command.move)

    @property
    def opens_by_column(self) -> bool:
        """Whether the next game is opened by a column. To give a game up, -1 opens the next one in any dialect."""
        if self.ledger.is_first_game and self.run.is_giving_up:
            return False
        if self.meets_another_game:
            return True
        return self.contact.prefers_column(are_statistics_read=self.ledger.base is not None)

    @property
    def meets_another_game(self) -> bool:
        """Whether the next request may meet a game that was begun on another computer: a column goes on with it."""
        is_first = self.ledger.is_first_game and self.belief.is_certainly_idle
        return self.run.may_run_elsewhere and is_first and not self.contact.is_column_refused

    @property
    def is_waiting(self) -> bool:
        """Whether nothing may be sent to /move before the server has answered another request.

        That is so before its first answer in the protocol: after a request that it may have received, and where it is
        known to keep statistics.
        """
        return not self.contact.is_made and (self.run.keeps_statistics or len(self.belief.hypotheses) > 1)

    @property
    def has_open_game(self) -> bool:
        """Whether a game may be running, is about to be asked for, or has a result that is not certain yet."""
        return self.is_opening or not self.belief.is_certainly_idle or self.ledger.unseen is not None

    @property
    def gives_up_now(self) -> bool:
        """Whether the run's first game, which gives up one that is running, is the last one."""
        is_just_over = self.ledger.since_start == 1 and self.belief.is_idle
        return self.run.is_giving_up and (self.ledger.is_first_game or is_just_over)

    def noting(self, kind: str, text: str, *, at: float, quiet: bool = False) -> Session:
        """Return the session with one more note among its news."""
        note = Note(kind, text, quiet, self.ledger.game, at)
        return replace(self, news=(*self.news, note))

    def usable(self) -> Session:
        """Return the session after a usable reply: the failures before it no longer count."""
        return replace(self, contact=self.contact.usable(), belief=self.belief.settled())

    def running(self, position: Position) -> Session:
        """Return the session in which the current game is running at a certain ``position``."""
        return replace(self, belief=self.belief.at(position), ledger=self.ledger.with_answer())

    def concluded(self, at: float, *, are_counted: bool = False) -> Session:
        """Return the session without a running game, as no hypothesis has one.

        Where the server's statistics count the results of the likeliest hypothesis, these are the games' ends.
        Otherwise the game has ended unseen.
        """
        session = replace(self, belief=self.belief.reconciled(self.belief.hypotheses))
        likeliest = max(session.belief.hypotheses, key=lambda hypothesis: hypothesis.weight)
        if not likeliest.ended:
            session = session.noting("not_opened", "The request for a new game has opened none.", at=at, quiet=True)
            session = replace(session, contact=session.contact.wasting(NOT_OPENED))
        elif are_counted:
            session = session.following(likeliest.results, "statistics", at=at)
        else:
            session = session.with_unseen_ends(likeliest.ended, at)
        return replace(session, belief=session.belief.at(None))

    def with_unseen_ends(self, number: int, at: float) -> Session:
        """Return the session after this number of games has ended unseen: only the last one's result is looked for."""
        if not number:
            return self
        session = self.following((0.0,) * (number - 1), "unknown", at=at)
        return replace(session, ledger=session.ledger.with_unseen_end())

    def ending(
        self,
        result: float,
        known_by: str,
        *,
        at: float,
        moves: tuple[int, ...] = (),
        we_started: bool | None = None,
    ) -> Session:
        """Return the session with the end of a game counted and among its news.

        It is the game that ended unseen, if there is one, else the current game. A result of 0, which the server did
        not give, counts for neither side.
        """
        number = self.ledger.unseen or self.ledger.game
        end = GameEnded(number, result, known_by, moves, we_started, at)
        is_unseen = result > 0 or known_by == "unknown"
        contact = self.contact.wasting(NOT_OPENED if is_unseen else NO_HONEST_END)
        if known_by == "reply":
            contact = self.contact.ended()
        ledger = self.ledger.with_end(result)
        return replace(self, news=(*self.news, end), ledger=ledger, contact=contact)

    def following(self, results: Iterable[float], known_by: str, *, at: float) -> Session:
        """Return the session after games that ended with these ``results``, one after the other."""
        session = self
        for result in results:
            session = session.ending(result, known_by, at=at)
        return session
