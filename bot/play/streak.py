"""The streak: games in a row without a loss, from the journals and from the server's own books."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.client.wire import Stats
from bot.journal.reader import Game, Journal, journals


@dataclass(frozen=True, slots=True)
class Streak:
    """Counts over all journals of one player at one server."""

    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    current: int = 0
    longest: int = 0
    running: bool = False
    """Whether the last game is unfinished (and not counted yet)."""

    def add(self, result: float) -> Streak:
        """The counts after one more game; a draw keeps the streak, an illegal move (-10) is a loss."""
        current = self.current + 1 if result > 0 else 0
        return Streak(
            self.played + 1,
            self.won + (result == 1),
            self.drawn + (0 < result < 1),
            self.lost + (result < 0),
            current,
            max(self.longest, current),
        )


def streak_of(runs: Iterable[Journal]) -> Streak:
    """The streak over these runs, oldest first.

    A game that was never finished and is not the last one was given up by opening another: the server counts a loss.
    """
    streak = Streak()
    games: list[Game] = [game for run in runs for game in run.games if game.ended is not None or game.is_opened]
    for index, game in enumerate(games):
        if game.result is None and index == len(games) - 1:
            return replace(streak, running=True)
        result = -1.0 if game.result is None else game.result
        if result != 0:  # 0: the server lost the game, nobody counts it
            streak = streak.add(result)
    return streak


def journal_streak(
    folder: Path, server: str, stil_ids: Sequence[str], notify: Callable[[str], None] = lambda _text: None
) -> Streak:
    """The streak of ``stil_ids`` at ``server`` from the journals in ``folder``; ``notify`` is told of damage."""
    return streak_of(journals(folder, server, stil_ids, notify))


def disagreements(ours: Streak, books: Stats) -> list[str]:
    """Where the journals and the server's books differ, a sentence each.

    Games played elsewhere, or before the journals began, are the usual reason for more games on the server's side;
    fewer mean that one side is wrong.
    """
    found = []
    for name in ("played", "won", "lost"):
        mine, theirs = getattr(ours, name), getattr(books, name)
        if mine != theirs:
            found.append(f"The journals know {mine} {name}, the server {theirs}.")
    if ours.current != books.streak:
        found.append(f"The journals know a streak of {ours.current}, the server one of {books.streak}.")
    if books.streak_max is not None and ours.longest != books.streak_max:
        found.append(f"The journals know a longest streak of {ours.longest}, the server one of {books.streak_max}.")
    return found
