"""The server's store in SQLite: every player's running game, statistics and finished games. Survives a restart."""

from __future__ import annotations

import json
import sqlite3
import threading
from dataclasses import asdict, astuple, dataclass, field
from pathlib import Path

from bot.course.server.rules import MutableGrid, empty_grid
from bot.errors import UsageError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS players (
    player TEXT PRIMARY KEY,
    played INTEGER NOT NULL DEFAULT 0,
    won INTEGER NOT NULL DEFAULT 0,
    lost INTEGER NOT NULL DEFAULT 0,
    streak INTEGER NOT NULL DEFAULT 0,
    streak_max INTEGER NOT NULL DEFAULT 0,
    total_reward REAL NOT NULL DEFAULT 0,
    running INTEGER NOT NULL DEFAULT 0,
    grid TEXT NOT NULL DEFAULT '',
    moves TEXT NOT NULL DEFAULT '',
    student_first INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE IF NOT EXISTS games (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    player TEXT NOT NULL,
    result REAL NOT NULL,
    moves TEXT NOT NULL,
    student_first INTEGER NOT NULL,
    reason TEXT NOT NULL
);
"""


@dataclass(slots=True)
class PlayerRecord:
    """One player's statistics and running game; its fields are the columns of the table ``players``, in order."""

    player: str
    played: int = 0
    won: int = 0
    lost: int = 0
    streak: int = 0
    streak_max: int = 0
    total_reward: float = 0.0
    running: bool = False
    grid: MutableGrid = field(default_factory=empty_grid)
    moves: str = ""
    """Columns 1-7 in order of play."""
    student_first: bool = True


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game as stored, its fields in the order of ``games``.

    ``reason``: "played", the student's "forfeit" or "illegal" move, or the bot's "failure".
    """

    player: str
    result: float
    moves: str
    student_first: bool
    reason: str


class Store:
    """The database at ``path``; None keeps it in memory only. Safe for many threads."""

    def __init__(self, path: Path | None = None) -> None:
        """Open the database and create its tables; raise UsageError if that fails."""
        self._lock = threading.Lock()
        try:
            self._connection = sqlite3.connect(path or ":memory:", check_same_thread=False)
            self._connection.row_factory = sqlite3.Row
            self._connection.execute("PRAGMA journal_mode=WAL")
            # A killed process loses no commit; a power failure may undo the last ones.
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.executescript(_SCHEMA)
        except sqlite3.Error as error:
            remedy = "Make room on the disk, or choose" if "full" in str(error) else "Choose"
            raise UsageError(
                f"The server's database {path} cannot be used: {error}.",
                f"{remedy} another place: --db for `bot serve`, --logs for `bot play`.",
            ) from None

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self._connection.close()

    def read(self, player: str) -> PlayerRecord:
        """Return the player's record; an unknown player has an empty one."""
        with self._lock, self._connection as connection:
            row = connection.execute("SELECT * FROM players WHERE player = ?", (player,)).fetchone()
        if row is None:
            return PlayerRecord(player)
        return PlayerRecord(**{**row, "grid": json.loads(row["grid"])})

    def write(self, record: PlayerRecord, finished: list[FinishedGame] | None = None) -> None:
        """Save the record and the games that ended with this request, in one transaction."""
        with self._lock, self._connection as connection:
            connection.execute(
                "INSERT OR REPLACE INTO players VALUES (?,?,?,?,?,?,?,?,?,?,?)",
                tuple((asdict(record) | {"grid": json.dumps(record.grid)}).values()),
            )
            connection.executemany(
                "INSERT INTO games (player, result, moves, student_first, reason) VALUES (?,?,?,?,?)",
                map(astuple, finished or ()),
            )

    def games(self, player: str) -> list[FinishedGame]:
        """Return the player's finished games, oldest first."""
        with self._lock, self._connection as connection:
            rows = connection.execute(
                "SELECT player, result, moves, student_first, reason FROM games WHERE player = ? ORDER BY number",
                (player,),
            ).fetchall()
        return [FinishedGame(*row) for row in rows]
