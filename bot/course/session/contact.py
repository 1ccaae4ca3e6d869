"""The contact with the server: how long the session keeps trying, and which dialect the server speaks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.course.protocol import Dialect
from bot.course.session.events import Started

BLIND = 6
"""Exchanges in a row without a usable board at which the session gives up: every further move would be blind. A reply
that arrived whole and cannot be used counts twice, since the network is hardly to blame. A lost reply counts only
before the server has replied to any move in this run, and if it was probably processed; otherwise, the time of
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


@dataclass(frozen=True, slots=True)
class Contact:
    """What is known of the server itself, and what has failed."""

    is_made: bool = False
    """Whether the server has answered in the protocol since the run started or was resumed."""
    trouble_since: float | None = None
    """When the first of the failures happened that no usable board has followed yet."""
    blind: int = 0
    """Exchanges in a row without a usable board; see BLIND."""
    wasted: int = 0
    """Games in a row without an honest end; see WASTED."""
    has_adopted: bool = False
    """Whether the game went on from a conflicting board in this run; it does so once."""
    dialect: Dialect | None = None
    """The server's dialect; None as long as nothing is known of it."""
    column_opens: bool = False
    """Whether a column has opened a game at this server, perhaps in an earlier run."""
    lacks_statistics: bool = False
    """Whether the first reading of the statistics answered 404."""
    is_column_refused: bool = False
    """Whether the server has refused a column that should open a game."""
    is_excused: bool = True
    """Whether the server may count another game than was finished here: after a lost or conflicting reply or a late
    move, since the last reading between games."""
    is_marked: bool = False
    """Whether the reply to the last -1 had the mark of January 2021, which the statistics have not confirmed yet."""

    @property
    def is_blind(self) -> bool:
        """Whether every further move would be blind."""
        return self.blind >= BLIND

    @classmethod
    def of(cls, run: Started, earlier: Contact) -> Contact:
        """Return the contact of a run that starts; of the ``earlier`` one, blind exchanges still count."""
        return cls(blind=earlier.blind, dialect=run.dialect, column_opens=run.column_opens)

    def made(self) -> Contact:
        """Return the contact after an answer in the protocol."""
        return replace(self, is_made=True)

    def usable(self) -> Contact:
        """Return the contact after a usable reply: the failures before it no longer count."""
        return replace(self, trouble_since=None, blind=0)

    def blinded(self, points: int = WHOLE) -> Contact:
        """Return the contact after one more exchange without a usable board, which counts ``points``."""
        return replace(self, blind=self.blind + points, is_excused=True)

    def troubled(self, at: float) -> Contact:
        """Return the contact after one more failure."""
        return self.excused() if self.trouble_since is not None else replace(self.excused(), trouble_since=at)

    def excused(self, is_excused: bool = True) -> Contact:
        """Return the contact with a server that may count another game, or whose count was just read."""
        return replace(self, is_excused=is_excused)

    def trouble_s(self, at: float) -> float:
        """Return how long the trouble has lasted, seconds."""
        return 0.0 if self.trouble_since is None else at - self.trouble_since

    def pause_s(self, at: float) -> float:
        """Return how long to wait before the next attempt: half as long as the trouble has lasted, within limits."""
        return min(10.0, max(0.1, self.trouble_s(at) / 2))

    def wasting(self, points: int) -> Contact:
        """Return the contact after a game without an honest end, which counts ``points``."""
        return replace(self, wasted=self.wasted + points)

    def ended(self) -> Contact:
        """Return the contact after the honest end of a game."""
        return replace(self, wasted=0)

    def adopted(self) -> Contact:
        """Return the contact after the game went on from a conflicting board."""
        return replace(self, has_adopted=True)

    def speaking(self, dialect: Dialect) -> Contact:
        """Return the contact with a server whose dialect is known now."""
        return replace(self, dialect=dialect, is_marked=False)

    def with_mark(self, is_marked: bool) -> Contact:
        """Return the contact after a reply to -1, with the mark of January 2021 or without it."""
        return replace(self, is_marked=is_marked)

    def without_statistics(self) -> Contact:
        """Return the contact with a server whose /stats answers 404."""
        return replace(self, lacks_statistics=True)

    def opened_by_column(self) -> Contact:
        """Return the contact after a column has opened a game."""
        return replace(self, column_opens=True)

    def with_column_refused(self, is_refused: bool) -> Contact:
        """Return the contact with a server that has refused a column that should open a game, or that may open one."""
        return replace(self, is_column_refused=is_refused)

    def prefers_column(self, *, are_statistics_read: bool) -> bool:
        """Return whether a game is opened by a column, because -1 counts as a loss in the dialect of January 2021.

        Where the dialect is not known, a server without statistics is taken for one of January 2021: they have had
        them since 2022. Where a column is refused, -1 follows.
        """
        if self.is_column_refused:
            return False
        if self.dialect == "jan21" or self.is_marked:
            return True
        may_be_january = self.lacks_statistics or self.column_opens
        return self.dialect is None and may_be_january and not are_statistics_read
