"""The server's store in SQLite: every player's running game, statistics and finished games. Survives a restart.

Its readers, at the end, write nothing: who has passed, and a player's moves, also while a server is playing.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, astuple, dataclass, field
from pathlib import Path
from typing import Any

from bot.course.journal.state import LockedError, PlayerState, holder, locked, write_note
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
            write_note(lock, PlayerState(holder(f"at {url}")))
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


# Readers

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
