"""The server's store in SQLite: every player's running game, statistics and finished games. Survives a restart."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass, field
from pathlib import Path

from bot.course.journal.state import LockedError, holder, locked, write_note
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
_CIRCUMSTANCES = """
BEGIN;
ALTER TABLE players ADD COLUMN game INTEGER NOT NULL DEFAULT 0;
UPDATE players SET game = played + running;
ALTER TABLE games ADD COLUMN game INTEGER;
ALTER TABLE games ADD COLUMN opponent TEXT;
ALTER TABLE games ADD COLUMN limit_s REAL;
ALTER TABLE requests ADD COLUMN game INTEGER;
ALTER TABLE requests ADD COLUMN taken_s REAL;
ALTER TABLE requests ADD COLUMN address TEXT;
PRAGMA user_version = 2;
COMMIT;
"""
"""What the fifth edition added; it is NULL for earlier games and requests. A player's games are counted from 1."""
_EDITIONS = (_TIMES, _CIRCUMSTANCES)
_SET_ASIDE = """
BEGIN;
INSERT INTO games (player, result, moves, student_first, reason, started, game)
    SELECT player, 0, moves, student_first, 'restored', started, game FROM players WHERE running;
UPDATE players SET running = 0;
COMMIT;
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
    started: str | None = None
    """When the request that opened the running or last game arrived; None if it was opened before times were kept."""
    game: int = 0
    """Number of the running or last game."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game as stored, its fields in the order of ``games``.

    ``reason``: "played", the student's "forfeit", "illegal" or "late" move, the bot's "failure", or "restored": set
    aside without a result, 0, because the database was a backup. ``started`` and ``ended`` are when its first and its
    last request arrived. What was not kept yet is None.
    """

    player: str
    result: float
    moves: str
    student_first: bool
    reason: str
    started: str | None = None
    ended: str | None = None
    game: int | None = None
    opponent: str | None = None
    limit_s: float | None = None


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """A request to /move as stored: the move -1 to 6, when it arrived and when the reply was ready."""

    player: str
    move: int
    arrived: str
    replied: str
    game: int | None = None
    taken_s: float | None = None
    """Time since this server's reply before it in the same game; None without one, as after a restart."""
    address: str | None = None
    """Where the request came from."""


def upgrade(connection: sqlite3.Connection) -> bool:
    """Add what later editions keep to a database; return whether it was of an earlier edition."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    missing = _EDITIONS[version:]
    for script in missing:
        connection.executescript(script)
    return bool(missing)


@contextmanager
def only_server(db: Path | None, url: str) -> Iterator[None]:
    """Hold the lock of a database while the context lasts; ``url`` is the address of the server that plays with it.

    The lock is on a file beside the database and ends with the process; readers need none. Raises UsageError if another
    server holds it or the database has a second name, OSError if the folder cannot be written or its file system has no
    locks.
    """
    if db is None:
        yield
        return
    file = db.resolve()
    if file.exists() and file.stat().st_nlink > 1:
        raise UsageError(
            f"The database {db} has several names (hard links): a second server could play with it unnoticed.",
            f"Copy it with `cp {db} copy.db` and serve the copy, or remove the other names.",
        )
    try:
        lock = file.with_name(f"{file.name}-lock")
        with locked(lock):
            write_note(lock, {"holder": holder(f"at {url}")})
            yield
    except LockedError as error:
        raise UsageError(
            f"Another server is playing with the database {db} ({error}).",
            "A second one would play the same games with options of its own. End the other one, or choose another "
            "database: --db for `bot serve`, --logs for `bot play`.",
        ) from None


class Store:
    """The database at ``path``; None keeps it in memory only. Safe for many threads.

    A hidden file beside the database holds the last request that a server has answered. A database without that request
    is a backup, and one without the file a copy: its players may have moved on since it was taken. The file is written
    after the database, so a crash between the two does no harm.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open the database and create its tables; raise UsageError if that fails.

        ``connection`` may be read. ``set_aside`` are the players whose running games were ended without a result,
        because this is a backup.
        """
        self._lock = threading.Lock()
        self._last: Path | None = None
        self.set_aside: list[str] = []
        try:
            self.connection = sqlite3.connect(path or ":memory:", check_same_thread=False)
            self.connection.row_factory = sqlite3.Row
            self.connection.execute("PRAGMA journal_mode=WAL")
            # A killed process loses no commit; a power failure may undo the last ones.
            self.connection.execute("PRAGMA synchronous=NORMAL")
            self.connection.executescript(_SCHEMA)
            is_earlier = upgrade(self.connection)
            if path is not None:
                file = path.resolve()
                self._last = file.with_name(f".{file.name}-last")
                if is_earlier:  # a new database, or one of an edition that wrote no such file
                    self._last.write_text("")
                self.set_aside = self._end_restored_games(self._last)
        except sqlite3.Error as error:
            remedy = "Make room on the disk, or choose" if "full" in str(error) else "Choose"
            raise UsageError(
                f"The server's database {path} cannot be used: {error}.",
                f"{remedy} another place: --db for `bot serve`, --logs for `bot play`.",
            ) from None

    def _end_restored_games(self, last: Path) -> list[str]:
        """End the running games of a backup or a copy without a result; return their players.

        ``last`` holds the last request that was answered; if it is empty, there was none.
        """
        request = last.read_text() if last.exists() else "of another database"
        known = self.connection.execute("SELECT 1 FROM requests WHERE number || ' ' || arrived = ?", (request,))
        if not request or known.fetchone():
            return []
        running = self.connection.execute("SELECT player FROM players WHERE running ORDER BY player").fetchall()
        self.connection.executescript(_SET_ASIDE)
        last.write_text("")
        return [player for (player,) in running]

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self.connection.close()

    def read(self, player: str) -> PlayerRecord:
        """Return the player's record; an unknown player has an empty one."""
        with self._lock, self.connection as connection:
            row = connection.execute("SELECT * FROM players WHERE player = ?", (player,)).fetchone()
        if row is None:
            return PlayerRecord(player)
        return PlayerRecord(**{**row, "grid": json.loads(row["grid"])})

    def write(self, record: PlayerRecord, request: AnsweredRequest, finished: FinishedGame | None = None) -> None:
        """Save the record, the request, and the game that ended with it, in one transaction."""
        with self._lock:
            with self.connection as connection:
                connection.execute(
                    "INSERT OR REPLACE INTO players VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                    tuple((asdict(record) | {"grid": json.dumps(record.grid)}).values()),
                )
                number = connection.execute(
                    "INSERT INTO requests VALUES (NULL,?,?,?,?,?,?,?)", astuple(request)
                ).lastrowid
                if finished is not None:  # no limit, infinity, is NULL
                    connection.execute(
                        "INSERT INTO games VALUES (NULL,?,?,?,?,?,?,?,?,?,nullif(?,9e999))", astuple(finished)
                    )
            if self._last is not None:
                with self._last.open("r+") as last:  # in place: a later request is never shorter
                    last.write(f"{number} {request.arrived}")
