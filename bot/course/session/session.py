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
        return self.contact.prefers_column(are_statistics_read=self.ledger.base is not None)

    @property
    def has_open_game(self) -> bool:
        """Whether a game may be running, is about to be asked for, or has a result that is not certain yet."""
        return self.is_opening or not self.belief.is_certainly_idle

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

    def concluded(self, at: float, known_by: str) -> Session:
        """Return the session without a running game, with the ends of games of the likeliest hypothesis.

        No hypothesis has a running game.
        """
        session = replace(self, belief=self.belief.reconciled(self.belief.hypotheses))
        likeliest = max(session.belief.hypotheses, key=lambda hypothesis: hypothesis.weight)
        if not likeliest.ended:
            session = session.noting("not_opened", "The request for a new game has opened none.", at=at, quiet=True)
            session = replace(session, contact=session.contact.wasting(NOT_OPENED))
        session = session.following(likeliest.results, known_by, at=at)
        return replace(session, belief=session.belief.at(None))

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
        contact = self.contact.ended() if result else self.contact.wasting(NO_HONEST_END)
        ledger = self.ledger.with_end(result)
        return replace(self, news=(*self.news, end), ledger=ledger, contact=contact)

    def following(self, results: Iterable[float], known_by: str, *, at: float) -> Session:
        """Return the session after games that ended with these ``results``, one after the other."""
        session = self
        for result in results:
            session = session.ending(result, known_by, at=at)
        return session
