"""Standings: finished games by result, and the streak of games in a row without a loss.

The course passes a group that plays 20 games in a row without a loss. A draw keeps the streak; a loss ends it, and so
does an illegal move (-10) or a game given up by opening another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.course.address import Identity
from bot.course.journal.games import Game
from bot.course.journal.reader import Journal, journals
from bot.course.protocol import WON, Stats


@dataclass(slots=True, kw_only=True)
class Standings:
    """Counts of finished games, by result."""

    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    current: int = 0
    """The current streak, games."""
    longest: int = 0
    """The longest streak, games."""
    running: bool = False
    """Whether the last game is unfinished; it is not counted."""

    def add(self, result: float) -> None:
        """Count a finished game with the server's ``result``; one that the server lost (0) does not count."""
        if result == 0:
            return
        self.played += 1
        self.won += result == WON
        self.drawn += 0 < result < WON
        self.lost += result < 0
        self.current = self.current + 1 if result > 0 else 0
        self.longest = max(self.longest, self.current)


@dataclass(slots=True, kw_only=True)
class RunStandings(Standings):
    """Standings of one run: games from 0, while the streak continues that of the journals (``current``)."""

    goal: int = 20
    """Games in a row without a loss to reach."""
    slowest_move_s: float = 0.0
    """Longest time between a reply's first byte and our next move, seconds."""

    def __post_init__(self) -> None:
        self.longest = max(self.longest, self.current)

    @property
    def passed(self) -> bool:
        """Whether the streak reached the goal at some moment of this run."""
        return self.longest >= self.goal


def standings_of(runs: Iterable[Journal]) -> Standings:
    """Return the standings over these runs, oldest first.

    An unfinished game that is not the last one was given up by opening another, which the server counts as a loss.
    """
    standings = Standings()
    games: list[Game] = [game for run in runs for game in run.games if game.is_counted]
    for index, game in enumerate(games):
        if game.result is None and index == len(games) - 1:
            standings.running = True
        else:
            standings.add(-1.0 if game.result is None else game.result)
    return standings


def journal_standings(
    folder: Path, server: str, stil_ids: Sequence[str], notify: Callable[[str], None] = lambda _text: None
) -> Standings:
    """Return the standings of ``stil_ids`` at ``server`` by the journals in ``folder``.

    ``notify`` gets a sentence for each damaged journal.
    """
    return standings_of(journals(folder, Identity.of(server, stil_ids), notify, outlines=True))


def disagreements(journals: Standings, server: Stats) -> list[str]:
    """Return where the journals and the server's statistics differ, a sentence each.

    The server counts more games if some were played elsewhere or before the first journal. If it counts fewer, one of
    the two is wrong.
    """
    found = [
        f"The journals count {ours} {name}, the server {theirs}."
        for name in ("played", "won", "lost")
        if (ours := getattr(journals, name)) != (theirs := getattr(server, name))
    ]
    if server.streak != journals.current:
        found.append(f"The streak is {journals.current} by the journals, {server.streak} by the server.")
    if server.streak_max not in (None, journals.longest):
        found.append(f"The longest streak is {journals.longest} by the journals, {server.streak_max} by the server.")
    return found
