"""All players of a server's database and who has passed. A reader takes no lock, and a server may be playing."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.errors import UsageError


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """A player's finished games, and whether the goal was ever reached."""

    player: str
    played: int
    won: int
    drawn: int
    lost: int
    streak: int
    longest: int
    total_reward: float
    running: bool
    """Whether a game is running."""
    passed: bool
    passed_at: str | None
    """When the goal was reached first, UTC, ISO 8601; None also if that was before times were kept."""


def read_players(path: Path, goal: int = 20) -> list[PlayerStanding]:
    """Return the players of the database at ``path`` by name; ``goal`` games in a row without a loss are a pass.

    Nothing is written, and a database of the third edition is read as it is. Raises UsageError if it cannot be read.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("BEGIN")  # all readings show the same moment
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            ended = "ended" if version else "NULL"
            passes = _passes(connection.execute(f"SELECT player, result, {ended} FROM games ORDER BY number"), goal)
            rows = connection.execute(
                "SELECT player, played, won, lost, streak, streak_max, total_reward, running "
                "FROM players ORDER BY player"
            ).fetchall()
    except sqlite3.Error as error:
        raise UsageError(
            f"The server's database {path} cannot be read: {error}.",
            "Check --db: it is the file of `bot serve --db FILE`.",
        ) from None
    standings = []
    for player, played, won, lost, streak, longest, reward, running in rows:
        drawn = played - won - lost
        counts = (played, won, drawn, lost, streak, longest, reward)
        standings.append(PlayerStanding(player, *counts, bool(running), longest >= goal, passes.get(player)))
    return standings


def _passes(games: Iterable[tuple[str, float, str | None]], goal: int) -> dict[str, str | None]:
    """Return when each player's streak first reached ``goal``; games are (player, result, time of the end)."""
    streaks: defaultdict[str, int] = defaultdict(int)
    passes: dict[str, str | None] = {}
    for player, result, ended in games:
        streaks[player] = streaks[player] + 1 if result > 0 else 0
        if streaks[player] == goal:
            passes.setdefault(player, ended)
    return passes
