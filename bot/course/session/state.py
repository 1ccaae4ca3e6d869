"""The session's state: one frozen value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from bot.course.protocol import LOST, NEW_GAME, Dialect, Stats
from bot.course.session.answers import AnswerBook, Deliveries
from bot.course.session.belief import NO_GAME, Belief, Trust, after_lost_reply, is_idle
from bot.course.session.clock import MoveClock
from bot.course.session.events import (
    Command,
    Counted,
    Failed,
    GameEnded,
    News,
    Note,
    ReadStatistics,
    Reason,
    Send,
    Started,
    Stop,
    Wait,
)
from bot.course.session.position import Position

BLIND = 6
"""Exchanges in a row without a usable board at which the session gives up: every further move would be blind. A reply
that arrived whole and cannot be used counts twice, since the network is hardly to blame. A lost reply counts only
before the server has shown any board in this run, and if it was probably processed; otherwise, the time of
`Started.patience_s` limits them."""
WHOLE = 2
"""What a reply counts that arrived whole and cannot be used: conflicting, refused or unreadable."""
WASTED = 6
"""Sum of games without an honest end at which the session gives up; see the next two."""
NO_HONEST_END = 3
"""What a game counts that the server refused to finish or no longer had: two of them end the session."""
NOT_OPENED = 1
"""What a request for a new game counts that opened none, and a game whose end only the next one shows: six of them end
the session."""
KEPT = "The game is kept: run the same command again to resume it."
"""The next step after a stop in a running game."""


@dataclass(frozen=True, slots=True)
class Session:
    """Everything that is known about one player's games at the server."""

    run: Started = field(default_factory=lambda: Started(0.0))
    """The settings of this process: games to play, time limits."""
    agenda: tuple[Command, ...] = ()
    """What is due: first the command whose outcome the next event brings, then what follows it. Empty before the first
    `Started`."""
    number: int = 0
    """The journal's number of the current game; 0 before the first."""
    played: int = 0
    """Games finished since the run started or was resumed."""
    belief: Belief = (NO_GAME,)
    clock: MoveClock = field(default_factory=MoveClock)
    answers: AnswerBook = field(default_factory=AnswerBook, compare=False)
    deliveries: Deliveries = field(default_factory=Deliveries)
    lost_kinds: tuple[str, ...] = ()
    """How the requests failed whose replies were lost since the last certain position; "" where the failure itself
    shows whether its request was processed."""
    dialect: Dialect | None = None
    """The server's dialect; None as long as nothing is known of it."""
    lacks_statistics: bool = False
    """Whether the first reading of the statistics answered 404."""
    column_opens: bool = False
    """Whether a column has opened a game at this server, perhaps in an earlier run."""
    is_column_refused: bool = False
    """Whether the server has refused a column that should open a game."""
    is_marked: bool = False
    """Whether the reply to the last -1 had the mark of January 2021, which the statistics have not confirmed yet."""
    base: Stats | None = None
    """The server's statistics including every known end of a game; None before the first reading."""
    trust: Trust = field(default_factory=Trust)
    unseen: int | None = None
    """The number of a game that ended unseen, until the statistics were read for its result."""
    in_contact: bool = False
    """Whether the server has answered in the protocol since the run started or was resumed."""
    trouble_since: float | None = None
    """When the first of the failures happened that no usable board has followed yet."""
    blind: int = 0
    """Exchanges in a row without a usable board; see BLIND."""
    wasted: int = 0
    """Games in a row without an honest end; see WASTED."""
    has_adopted: bool = False
    """Whether the game went on from a conflicting board in this run; it does so once."""
    news: tuple[News, ...] = field(default=(), compare=False)
    """What the last step found out."""

    @property
    def command(self) -> Command | None:
        """What is to be done; None before the first `Started`."""
        return self.agenda[0] if self.agenda else None

    @property
    def position(self) -> Position | None:
        """The running game, if it is known for certain."""
        return self.belief[0].position if len(self.belief) == 1 else None

    @property
    def is_idle(self) -> bool:
        """Whether no game can be running."""
        return is_idle(self.belief)

    @property
    def playing(self) -> Position | None:
        """The position to which the server will apply a move, if it is known for certain."""
        return self.belief[0].playing if len(self.belief) == 1 else None

    @property
    def is_opening(self) -> bool:
        """Whether a request that opens a game is about to be sent, or its outcome is missing."""
        return isinstance(self.command, Send) and self.opens(self.command.move)

    def opens(self, move: int) -> bool:
        """Return whether ``move``, sent now, opens a game: -1, or a column where no game can be running."""
        return move == NEW_GAME or self.belief == (NO_GAME,)

    @property
    def opens_by_column(self) -> bool:
        """Whether a game is opened by a column, because -1 counts as a loss in the dialect of January 2021.

        Where the dialect is not known, a server without statistics is taken for one of January 2021: they have had
        them since 2022. Where a column is refused, -1 follows. To give a game up, -1 opens the next one in any dialect.
        """
        if self.is_column_refused or (self.is_giving_up_now and self.number == self.run.game):
            return False
        may_be_january = self.base is None and (self.lacks_statistics or self.column_opens)
        return self.dialect == "jan21" or self.is_marked or (self.dialect is None and may_be_january)

    @property
    def is_giving_up_now(self) -> bool:
        """Whether the run's first game gives up one that is running, and has not ended yet."""
        return self.run.is_giving_up and self.number <= self.run.game + 1

    def noting(self, kind: str, text: str, *, at: float, quiet: bool = False) -> Session:
        """Return the session with one more note among its news."""
        return replace(self, news=(*self.news, Note(kind, text, quiet, self.number, at)))

    def stopping(self, reason: Reason, message: str, hint: str = "") -> Session:
        """Return the session with nothing left to do; the hint says that a game is kept that may be running."""
        is_kept = self.in_contact or NO_GAME not in self.belief  # a first request alone is no game
        hint = f"{hint} {KEPT}".strip() if is_kept and not self.is_idle and reason is not Reason.REJECTED else hint
        return replace(self, agenda=(Stop(reason, message, hint),))

    def reading(self, at: float, *, after_s: float = 0.0, repeated: int = 0) -> Session:
        """Return the session with a reading of the statistics due next, after a pause of ``after_s``.

        It is a brief one while the move clock is running, and where the statistics could never be read.
        """
        patience_s: float | None = None
        if self.in_contact and self.base is None:
            patience_s = 1.0
        elif self.in_contact and not self.is_idle:
            patience_s = 1.0 if repeated else max(0.5, min(2.0, self.clock.left_s(at) / 2))
        pause = (Wait(after_s),) if after_s > 0 else ()
        return replace(self, agenda=(*pause, ReadStatistics(patience_s, repeated)))

    def idle(self, at: float) -> Session:
        """Return the session in which no game is running, with a reading of the statistics due next."""
        return replace(self, belief=(NO_GAME,)).reading(at)

    def usable(self) -> Session:
        """Return the session after a usable reply: the failures before it no longer count."""
        return replace(self, trouble_since=None, blind=0, lost_kinds=())

    def lost(self, move: int, kind: str = "", delivered: float | None = None) -> Session:
        """Return the session after the reply to ``move`` was lost: with more hypotheses.

        ``delivered`` is the probability that the request was processed, if the failure itself shows it. Otherwise that
        is learnt by the ``kind`` of the failure.
        """
        learnt_kind = ""
        if delivered is None:
            delivered, learnt_kind = self.deliveries.probability(kind), kind
        belief = after_lost_reply(self.belief, move, self.answers.likely, delivered)
        return replace(self, belief=belief, lost_kinds=(*self.lost_kinds, learnt_kind))

    def reconciled(self, possible: Belief) -> Session:
        """Return the session that has learnt which of the requests without a reply had been processed.

        ``possible`` are the hypotheses that remain. Nothing is learnt where they disagree, or where only some of the
        requests had been processed and they had failed in different ways.
        """
        kinds, session = self.lost_kinds, replace(self, lost_kinds=())
        counts = {item.processed for item in possible}
        count = counts.pop() if len(counts) == 1 else None
        if count is None:
            return session
        if 0 < count < len(kinds) and len(set(kinds)) > 1:  # which of them had been processed is not known
            return session
        deliveries = self.deliveries
        for number, kind in enumerate(kinds):
            deliveries = deliveries.with_case(kind, was_processed=number < count)
        return replace(session, deliveries=deliveries)

    def ending(
        self,
        result: float,
        known_by: str,
        *,
        at: float,
        number: int | None = None,
        moves: tuple[int, ...] = (),
        we_started: bool | None = None,
    ) -> Session:
        """Return the session with the end of a game counted and among its news: the current game, or ``number``.

        A result of 0, which the server did not give, counts for neither side.
        """
        end = GameEnded(self.number if number is None else number, result, known_by, moves, we_started, at)
        if result == 0:
            # The server may count the game later.
            trust = replace(self.trust, counts_agree=False)
            return replace(self, news=(*self.news, end), wasted=self.wasted + NO_HONEST_END, trust=trust)
        return replace(
            self,
            news=(*self.news, end),
            base=None if self.base is None else counted_in(self.base, result),
            played=self.played + 1,
            wasted=0,
            trust=replace(self.trust, unread=self.trust.unread + 1),
        )

    def followed(self, results: Iterable[float], known_by: str, at: float) -> Session:
        """Return the session after games that ended with ``results`` and were each followed by another one."""
        session = self
        for result in results:
            session = session.ending(result, known_by, at=at)
            session = replace(session, number=session.number + 1)
        return session

    def troubled(self, event: Failed | Counted) -> Session:
        """Return the session after one more failure: stopped if its patience is over."""
        since = event.at if self.trouble_since is None else self.trouble_since
        session = replace(self, trouble_since=since)
        if event.at - since >= self.run.patience_s:
            return session.stopping(Reason.NETWORK, event.message, event.hint)
        return session

    def pause_s(self, at: float) -> float:
        """Return how long to wait before the next attempt: as long as the trouble has lasted, within limits."""
        assert self.trouble_since is not None
        return min(2.0, max(0.1, at - self.trouble_since))


def counted_in(base: Stats, result: float) -> Stats:
    """Return the statistics after one more game, as the server counts it: a draw is neither won nor lost.

    The streak does not matter to a session and stays.
    """
    return replace(
        base,
        played=base.played + 1,
        won=base.won + (result == 1),
        lost=base.lost + (result <= LOST),
        total_reward=None if base.total_reward is None else base.total_reward + result,
    )
