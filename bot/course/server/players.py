"""A database's players, who has passed, and their moves. Nothing is written, and a server may be playing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.course.server.store import Store, upgrade
from bot.errors import UsageError

_STANDINGS = """
WITH counted AS (
    SELECT player, number, result, ended, sum(result < 0) OVER (PARTITION BY player ORDER BY number) AS losses
    FROM games WHERE reason != 'restored' AND opponent IS coalesce(:opponent, opponent)
), streaks AS (
    SELECT *, sum(result > 0) OVER (PARTITION BY player, losses ORDER BY number) AS streak_then,
        max(losses) OVER (PARTITION BY player) AS all_losses
    FROM counted
), passes AS (
    SELECT player, min(number) AS pass, ended AS passed_at FROM streaks WHERE streak_then = :goal GROUP BY player
)
SELECT player, count(result) AS played, ifnull(sum(result = 1), 0) AS won, ifnull(sum(result = 0.5), 0) AS drawn,
    ifnull(sum(result < 0), 0) AS lost, ifnull(sum(result > 0 AND losses = all_losses), 0) AS streak,
    ifnull(max(streak_then), 0) AS longest, total(result) AS total_reward, running, pass IS NOT NULL, passed_at
FROM players LEFT JOIN streaks USING (player) LEFT JOIN passes USING (player) GROUP BY player
ORDER BY pass IS NULL, player
"""
"""A row for each player. A streak is what follows the last loss; the first game with a streak of :goal is the pass."""
_SUMMARY = """
SELECT player, played, won, lost, streak_max,
    (SELECT group_concat(game) FROM games WHERE games.player = players.player AND reason = 'illegal') AS illegal,
    (SELECT group_concat(game) FROM games WHERE games.player = players.player AND reason = 'late') AS late
FROM players ORDER BY player
"""
_MOVES = """
WITH own AS (
    SELECT number AS rank, player, game, opponent, limit_s, result, reason FROM games
    UNION ALL SELECT 9e99, player, game, NULL, NULL, NULL, 'running' FROM players WHERE running
)
SELECT game, opponent, limit_s, nullif(move + 1, 0) AS column, round(taken_s, 3) AS taken_s, arrived, address,
    CASE WHEN lead(number) OVER game IS NULL THEN
        CASE WHEN result = 1 THEN 'won' WHEN result = 0.5 THEN 'drawn' WHEN result < 0 THEN 'lost' END
    END AS result,
    CASE WHEN lead(number) OVER game IS NULL THEN reason END AS reason
FROM own LEFT JOIN requests USING (player, game)
WHERE player = :player AND opponent IS coalesce(:opponent, opponent)
WINDOW game AS (PARTITION BY rank ORDER BY number) ORDER BY rank, number
"""
"""A row for each request of a player, and for each game of an earlier edition, whose requests are of no game."""


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


def read_players(path: Path, goal: int = 20, opponent: str | None = None) -> list[PlayerStanding]:
    """Return the players of a database, those who have passed first; ``goal`` games in a row without a loss are a pass.

    With ``opponent``, only games against it count. Raises UsageError if the database cannot be read.
    """
    standings = []
    for *counts, running, passed, passed_at in _read(path, _STANDINGS, goal=goal, opponent=opponent):
        standings.append(PlayerStanding(*[*counts, bool(running), bool(passed), passed_at]))
    return standings


def read_moves(path: Path, player: str, opponent: str | None = None) -> list[dict[str, Any]]:
    """Return the player's requests to move with what is known of their games, oldest first.

    ``column`` 1..7 is None for a new game, ``taken_s`` is `AnsweredRequest.taken_s`, and ``result`` and ``reason`` are
    in the last row of a game. A game of an earlier edition has one row. Raises UsageError if the database cannot be
    read.
    """
    return list(map(dict, _read(path, _MOVES, player=player, opponent=opponent)))


def summary_of(store: Store) -> Iterator[str]:
    """Yield a line for each player, such as "ab12-s: 20 games, streak 12, 1 illegal move in game 13"."""
    for player, played, won, lost, longest, *failed in store.connection.execute(_SUMMARY):
        counts = f"won {won}, drawn {played - won - lost}, lost {lost}"
        parts = [f"{player}: {played} game{'s' if played != 1 else ''}", f"streak {longest}", counts]
        for what, games in zip(("illegal move", "late move"), failed, strict=True):
            numbers = games.split(",") if games else []
            if numbers:
                plural = "s" if len(numbers) > 1 else ""
                parts.append(f"{len(numbers)} {what}{plural} in game{plural} {', '.join(numbers)}")
        yield ", ".join(parts)


def _read(path: Path, query: str, **values: Any) -> list[Any]:
    """Return the rows of a query to a copy of the database in memory, in the form of this edition."""
    try:
        with (
            closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as stored,
            closing(sqlite3.connect(":memory:")) as copy,
        ):
            stored.backup(copy)
            upgrade(copy)
            copy.row_factory = sqlite3.Row
            return copy.execute(query, values).fetchall()
    except sqlite3.Error as error:
        raise UsageError(
            f"The server's database {path} cannot be read: {error}.",
            "Check --db: it is the file of `bot serve --db FILE`.",
        ) from None
