"""The ledger: the games of a journal by number, their results, and what the server's statistics count of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.course.protocol import LOST, WON, Stats


@dataclass(frozen=True, slots=True)
class Ledger:
    """The results of a journal's games. A game's number follows from them; nothing else holds it."""

    results: tuple[float | None, ...] = ()
    """The results of all games before the current one, in order: 0 for a game that ended without one, None for one
    that ended unseen, until the statistics were read for its result."""
    earlier: int = 0
    """How many results were known when the run started or was resumed: those at the beginning."""
    answered: int = 0
    """The number of the last game that the server has answered; 0 if none."""
    base: Stats | None = None
    """The server's statistics including every known end of a game; None before the first reading."""

    @property
    def game(self) -> int:
        """The number of the game that is running or was asked for, else of the next one."""
        return len(self.results) + 1

    @property
    def played(self) -> int:
        """Games finished since the run started or was resumed, those without a result left out."""
        return sum(1 for result in self.results[self.earlier :] if result)

    @property
    def since_start(self) -> int:
        """Number of games that have ended since the run started or was resumed."""
        return len(self.results) - self.earlier

    @property
    def is_first_game(self) -> bool:
        """Whether no game has ended since the run started or was resumed."""
        return self.since_start == 0

    @property
    def unseen(self) -> int | None:
        """The number of a game that ended unseen, while its result is looked for in the statistics."""
        return self.results.index(None) + 1 if None in self.results else None

    def started(self) -> Ledger:
        """Return the ledger of a run that starts now; a result that is still looked for is one of this run."""
        known = sum(1 for result in self.results if result is not None)
        return replace(self, earlier=known)

    def counted(self, base: Stats) -> Ledger:
        """Return the ledger with other statistics of the server as the base."""
        return replace(self, base=base)

    def with_answer(self) -> Ledger:
        """Return the ledger after the server has answered a request of the current game."""
        return replace(self, answered=self.game)

    def with_unseen_end(self) -> Ledger:
        """Return the ledger after the current game has ended unseen."""
        return replace(self, results=(*self.results, None))

    def with_end(self, result: float) -> Ledger:
        """Return the ledger after a game has ended with ``result``: the one that ended unseen, else the current one."""
        results = (*self.results, result)
        if self.unseen is not None:
            results = tuple(result if known is None else known for known in self.results)
        base = self.base
        if base is not None and result != 0:  # one without a result may be counted later, or never
            base = with_result(base, result)
        return replace(self, results=results, base=base)

    def at_game(self, number: int) -> Ledger:
        """Return the ledger in which ``number`` is the current game: damaged lines hide the games before it."""
        hidden = (0.0,) * (number - self.game)
        return replace(self, results=(*self.results, *hidden)[: number - 1])


def with_result(stats: Stats, result: float) -> Stats:
    """Return the statistics after one more game, as the server counts it: a draw is neither won nor lost.

    The streak does not matter to a session and stays.
    """
    reward = None if stats.total_reward is None else stats.total_reward + result
    return replace(
        stats,
        played=stats.played + 1,
        won=stats.won + (result == WON),
        lost=stats.lost + (result <= LOST),
        total_reward=reward,
    )
