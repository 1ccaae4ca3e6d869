"""The session's state: one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bot.course.protocol import LOST, Stats
from bot.course.session.answers import AnswerBook, DeliveryModel
from bot.course.session.belief import NO_GAME, Belief, Hypothesis, Trust, is_idle
from bot.course.session.clock import MoveClock
from bot.course.session.events import GameEnded, GameStarted, News, Note, Stop
from bot.course.session.position import Position
from bot.game import Board

FIRST_CONTACT_S = 3.0
"""Patience before the server's first answer, seconds: then the address is more likely wrong than the network."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A request that was journaled and has no reply yet."""

    move: int
    is_sent: bool = False


@dataclass(frozen=True, slots=True)
class LostRequest:
    """A request from a known position whose reply was lost. The next board shows whether it was processed."""

    before: Hypothesis
    kind: str
    first_byte_s: float | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading of the statistics that is due before the next move."""

    patience_s: float | None
    """Seconds to keep trying; None between games, when the client's own time limits apply."""


@dataclass(frozen=True, slots=True)
class Session:
    """Everything that is known about one player's games at the server."""

    clock: MoveClock = field(default_factory=MoveClock)
    patience_s: float = 30.0
    """Seconds without any usable reply after which the session stops; the game can be resumed."""
    games: int = 1
    """Games to finish."""
    played: int = 0
    """Games finished since the run started or was resumed."""
    number: int = 0
    """The journal's number of the current game; 0 before the first."""
    announced: int = 0
    """The number of the last game whose start was among the news."""
    belief: Belief = (NO_GAME,)
    last_end: Board | None = None
    """The last board that ended a game: if it comes again, a cache has returned an old reply."""
    pending: Pending | None = None
    lost_request: LostRequest | None = None
    answers: AnswerBook = field(default_factory=AnswerBook, compare=False)
    delivery: DeliveryModel = field(default_factory=DeliveryModel, compare=False)

    base: Stats | None = None
    """The statistics including every known end of a game; None before the first reading."""
    trust: Trust = field(default_factory=Trust)
    has_lagged: bool = False
    """Whether any reading counted fewer games than were known: then the statistics are never prompt."""
    unread: int = 0
    """Games that have ended since a reading last agreed with our count."""
    rise: tuple[int, int, int] | None = None
    """Games played, won and lost beyond `base` in the last reading, if it agreed with a hypothesis in which a game had
    ended; None after another lost reply."""
    unseen: int | None = None
    """The number of a game that ended unseen, until the statistics were read for its result."""
    checks_forfeit: bool = True
    """Whether the next -1 may forfeit a game that no journal has: then the statistics are read after it."""

    reading: Reading | None = None
    wait_s: float = 0.0
    rereads: int = 0
    unanswered: int = 0
    """Readings in a row that failed."""
    trouble_since: float | None = None
    attempts: int = 0
    has_answered: bool = False
    has_read: bool = False
    """Whether a reply to /move could be read since the run started or was resumed."""
    unknown_forms: int = 0
    """Whole replies that could not be read since the last one that could, in earlier runs of the game too; each counts
    as `machine.UNKNOWN_FORM` says."""
    lost_in_row: int = 0
    """Replies lost in a row though the statistics could be read after each of them, in earlier runs of the game too."""
    conflicts: int = 0
    adoptions: int = 0
    """How often the game went on from a conflicting board, since the run started or was resumed."""
    rejections: int = 0
    bad_games: int = 0
    """Games in a row that were refused, lost by the server or forfeited."""
    unopened: int = 0
    """Requests for a new game in a row that opened none, though they were sent."""
    most_bad_games: int = 2
    """Bad games in a row after which the session stops."""
    lost_replies: int = 0
    """Replies lost since the run started or was resumed."""
    stop: Stop | None = None
    news: tuple[News, ...] = field(default=(), compare=False)
    """What the last step found out."""

    @property
    def position(self) -> Position | None:
        """The running game, if it is known for certain."""
        return self.belief[0].position if len(self.belief) == 1 else None

    @property
    def is_idle(self) -> bool:
        """Whether no game can be running."""
        return is_idle(self.belief)

    @property
    def endurance_s(self) -> float:
        """Seconds without any usable reply after which the session stops; fewer before the server's first reply."""
        return self.patience_s if self.has_answered else min(FIRST_CONTACT_S, self.patience_s)

    def known_by(self, hypothesis: Hypothesis) -> str:
        """Return the ``known_by`` of the games that have ended in ``hypothesis``, once it proves true."""
        return "statistics" if self.rise == hypothesis.counts else "inferred"

    def noting(self, kind: str, text: str, *, quiet: bool = False) -> Session:
        """Return the session with one more note among its news."""
        return replace(self, news=(*self.news, Note(kind, text, quiet)))

    def announcing(self) -> Session:
        """Return the session with the start of the current game among its news, if it was not announced yet."""
        if self.announced == self.number:
            return self
        return replace(self, announced=self.number, news=(*self.news, GameStarted(self.number)))

    def ending(
        self, result: float, known_by: str, *, moves: tuple[int, ...] = (), we_started: bool | None = None
    ) -> Session:
        """Return the session with the end of the current game counted and among its news."""
        end = GameEnded(self.number, result, known_by, moves, we_started)
        counts = result != 0
        base = self.base if self.base is None or not counts else counted_in(self.base, result)
        return replace(
            self,
            news=(*self.news, end),
            base=base,
            played=self.played + counts,
            bad_games=0 if counts else self.bad_games + 1,
            unread=self.unread + counts,
            trust=self.trust if counts else replace(self.trust, counts_agree=False),  # it may be counted later
        )


def counted_in(base: Stats, result: float) -> Stats:
    """Return the statistics after one more game, as the server counts it: a draw is neither won nor lost."""
    return replace(
        base,
        played=base.played + 1,
        won=base.won + (result == 1),
        lost=base.lost + (result <= LOST),
        streak=0 if result <= LOST else base.streak + 1,
        total_reward=None if base.total_reward is None else base.total_reward + result,
    )
