"""The server's store in SQLite: every player's running game, statistics and finished games. Survives a restart."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass, field
from pathlib import Path

from bot.course.journal.lock import LockedError, locked
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
"""The tables as the third edition made them."""
_TIMES = """
BEGIN;
ALTER TABLE players ADD COLUMN started TEXT;
ALTER TABLE games ADD COLUMN started TEXT;
ALTER TABLE games ADD COLUMN ended TEXT;
CREATE TABLE requests (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    player TEXT NOT NULL,
    move INTEGER NOT NULL,
    arrived TEXT NOT NULL,
    replied TEXT NOT NULL
);
PRAGMA user_version = 1;
COMMIT;
"""
"""What the fourth edition added; the times of earlier games are NULL. All times are UTC, ISO 8601 with milliseconds."""

_GAME_COLUMNS = "player, result, moves, student_first, reason, started, ended"


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
    started: str | None = None
    """When the request that opened the running or last game arrived; None if it was opened before times were kept."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game as stored, its fields in the order of ``games``.

    ``reason``: "played", the student's "forfeit", "illegal" or "late" move, or the bot's "failure". ``started`` and
    ``ended`` are when its first and its last request arrived; None before times were kept.
    """

    player: str
    result: float
    moves: str
    student_first: bool
    reason: str
    started: str | None = None
    ended: str | None = None


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """A request to /move as stored: the move -1 to 6, when it arrived and when the reply was ready."""

    player: str
    move: int
    arrived: str
    replied: str


@contextmanager
def only_server(db: Path | None, url: str) -> Iterator[None]:
    """Hold the lock of a database while the context lasts; ``url`` is the address of the server that plays with it.

    The lock is on a file beside the database and ends with the process; readers need none. Raises UsageError if another
    server holds it, OSError if the folder cannot be written or its file system has no locks.
    """
    if db is None:
        yield
        return
    file = db.resolve()
    try:
        with locked(file.with_name(f"{file.name}-lock"), f"at {url}"):
            yield
    except LockedError as error:
        raise UsageError(
            f"Another server is playing with the database {db} ({error.holder}).",
            "A second one would play the same games with options of its own. End the other one, or choose another "
            "database: --db for `bot serve`, --logs for `bot play`.",
        ) from None


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
            if not self._connection.execute("PRAGMA user_version").fetchone()[0]:
                self._connection.executescript(_TIMES)
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

    def write(self, record: PlayerRecord, request: AnsweredRequest, finished: FinishedGame | None = None) -> None:
        """Save the record, the request, and the game that ended with it, in one transaction."""
        with self._lock, self._connection as connection:
            connection.execute(
                "INSERT OR REPLACE INTO players VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                tuple((asdict(record) | {"grid": json.dumps(record.grid)}).values()),
            )
            connection.execute(
                "INSERT INTO requests (player, move, arrived, replied) VALUES (?,?,?,?)", astuple(request)
            )
            if finished is not None:
                connection.execute(f"INSERT INTO games ({_GAME_COLUMNS}) VALUES (?,?,?,?,?,?,?)", astuple(finished))

    def games(self, player: str) -> list[FinishedGame]:
        """Return the player's finished games, oldest first."""
        with self._lock, self._connection as connection:
            rows = connection.execute(
                f"SELECT {_GAME_COLUMNS} FROM games WHERE player = ? ORDER BY number",
                (player,),
            ).fetchall()
        return [FinishedGame(*row) for row in rows]
