"""The server's store in SQLite: every player's games, the running one included, and requests. Survives a restart.

Its readers, at the end, write nothing: who has passed, and a player's moves, also while a server is playing.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic.dataclasses import dataclass

from bot.course.journal.state import LockedError, PlayerState, holder, locked, write_note
from bot.course.protocol import Stats
from bot.course.server.rules import MutableGrid, grid_after
from bot.errors import UsageError

GOAL = 20
"""Games in a row without a loss that are a pass in the course."""
_FOURTH_EDITION = """
BEGIN;
CREATE TABLE players (
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
    student_first INTEGER NOT NULL DEFAULT 1,
    started TEXT
);
CREATE TABLE games (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    player TEXT NOT NULL,
    result REAL NOT NULL,
    moves TEXT NOT NULL,
    student_first INTEGER NOT NULL,
    reason TEXT NOT NULL,
    started TEXT,
    ended TEXT
);
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
"""The tables as the fourth edition made them. Times are UTC, ISO 8601 with milliseconds."""
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
"""What the fifth edition added; it is NULL for earlier games and requests."""
_RUNNING_GAMES = """
BEGIN;
INSERT INTO games (player, result, moves, student_first, reason, started, game)
    SELECT player, 0, moves, student_first, 'running', started, game FROM players WHERE running;
UPDATE games SET game =
    (SELECT count(*) FROM games AS earlier WHERE earlier.player = games.player AND earlier.number <= games.number);
DROP TABLE players;
CREATE INDEX games_of_player ON games (player);
PRAGMA user_version = 3;
COMMIT;
"""
"""A running game is one of the games, and statistics are counted from them. Each player's are numbered from 1."""
_EDITIONS = (_FOURTH_EDITION, _CIRCUMSTANCES, _RUNNING_GAMES)


@dataclass(slots=True)
class StoredGame:
    """A player's game; its fields are the columns of the table ``games``, in order.

    ``started`` and ``ended`` are when its first and its last request so far arrived, ``opponent`` and ``limit_s`` those
    of the server that began it, whatever the options of the one that goes on with it. What an earlier edition did not
    keep is None.
    """

    number: int | None
    """By which the games of all players are ordered; None if it is not stored yet."""
    player: str
    result: float = 0.0
    """0 also without a result: while the game runs, and if it is set aside."""
    moves: str = ""
    """Columns 1-7 in order of play."""
    student_first: bool = True
    reason: str = "running"
    """Why it ended: "played", the student's "forfeit", "illegal" or "late" move, the bot's "failure", or "restored":
    set aside, since the database was a backup. "running" before; "none" in place of a game before the first."""
    started: str | None = None
    ended: str | None = None
    game: int = 0
    """Number among the player's games, from 1."""
    opponent: str | None = None
    limit_s: float | None = None
    """None also without a limit."""

    @property
    def is_running(self) -> bool:
        """Whether the player's next move belongs to this game."""
        return self.reason == "running"

    def play(self, column: int) -> None:
        """Add a move 0..6."""
        self.moves += str(column + 1)

    @property
    def grid(self) -> MutableGrid:
        """The board."""
        return grid_after([int(column) - 1 for column in self.moves], self.student_first)


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

    @property
    def stats(self) -> Stats:
        """The counts as /stats gives them."""
        return Stats(self.played, self.won, self.lost, self.streak, self.longest, self.total_reward)


_STANDINGS = """
WITH names AS (
    SELECT player FROM games WHERE :player IS NULL UNION SELECT :player WHERE :player IS NOT NULL
), counted AS (
    SELECT player, number, result, ended, sum(result < 0) OVER (PARTITION BY player ORDER BY number) AS losses
    FROM games JOIN names USING (player) WHERE result != 0 AND opponent IS coalesce(:opponent, opponent)
), streaks AS (
    SELECT *, sum(result > 0) OVER (PARTITION BY player, losses ORDER BY number) AS streak_then,
        max(losses) OVER (PARTITION BY player) AS all_losses
    FROM counted
), passes AS (
    SELECT player, min(number) AS pass, ended AS passed_at FROM streaks WHERE streak_then = :goal GROUP BY player
)
SELECT player, count(result) AS played, ifnull(sum(result = 1), 0) AS won, ifnull(sum(result = 0.5), 0) AS drawn,
    ifnull(sum(result < 0), 0) AS lost, ifnull(sum(result > 0 AND losses = all_losses), 0) AS streak,
    ifnull(max(streak_then), 0) AS longest, total(result) AS total_reward,
    EXISTS (SELECT 1 FROM games WHERE games.player = names.player AND reason = 'running'
        AND opponent IS coalesce(:opponent, opponent)) AS running,
    pass IS NOT NULL AS passed, passed_at
FROM names LEFT JOIN streaks USING (player) LEFT JOIN passes USING (player) GROUP BY player
ORDER BY pass IS NULL, player
"""
"""A row for each player, or for :player. A streak is what follows the last loss; the first game with a streak of :goal
is the pass."""
_ADD_REQUEST = """
INSERT INTO requests VALUES (
    NULL, ?, ?, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now', ?), strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'), ?, ?, ?
)
"""
_PUT_GAME = """
INSERT OR REPLACE INTO games
SELECT :number, :player, :result, :moves, :student_first, :reason, coalesce(:started, arrived), arrived, :game,
    :opponent, :limit_s
FROM requests ORDER BY number DESC LIMIT 1
"""
"""A game that the last request has changed."""
_LAST_REQUEST = "SELECT number || ' ' || arrived FROM requests ORDER BY number DESC LIMIT 1"
_FAILED_MOVES = """
SELECT reason, count(*), group_concat(game, ', ') FROM games
WHERE player = ? AND reason IN ('illegal', 'late') GROUP BY reason ORDER BY reason
"""
_MOVES = """
SELECT game, opponent, limit_s, nullif(move + 1, 0) AS column, round(taken_s, 3) AS taken_s, arrived, address,
    CASE WHEN lead(requests.number) OVER game IS NULL THEN
        CASE WHEN result = 1 THEN 'won' WHEN result = 0.5 THEN 'drawn' WHEN result < 0 THEN 'lost' END
    END AS result,
    CASE WHEN lead(requests.number) OVER game IS NULL THEN reason END AS reason
FROM games LEFT JOIN requests USING (player, game)
WHERE player = :player AND opponent IS coalesce(:opponent, opponent)
WINDOW game AS (PARTITION BY games.number ORDER BY requests.number) ORDER BY games.number, requests.number
"""
"""A row for each request of a player, and for each game of an earlier edition, whose requests are of no game."""


def upgrade(connection: sqlite3.Connection) -> bool:
    """Make the tables of this edition, in a new database or of earlier ones; return whether there was anything to do.

    The version of a database is the number of scripts that have run in it.
    """
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
    if file.is_file() and file.stat().st_nlink > 1:
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
            # A killed process loses no commit; a power failure may undo the last ones.
            self.connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;")
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
        running = self.connection.execute("SELECT player FROM games WHERE reason = 'running' ORDER BY player")
        players = [player for (player,) in running]
        with self.connection as connection:
            connection.execute("UPDATE games SET reason = 'restored' WHERE reason = 'running'")
        last.write_text("")
        return players

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self.connection.close()

    def last_game(self, player: str) -> StoredGame:
        """Return the player's running game, or the one that ended last; before the first, a game with the number 0."""
        rows = self._rows("SELECT * FROM games WHERE player = ? ORDER BY number DESC LIMIT 1", (player,))
        return StoredGame(**rows[0]) if rows else StoredGame(None, player, reason="none")

    def write(
        self,
        games: Sequence[StoredGame],
        move: int,
        *,
        ago_s: float = 0.0,
        taken_s: float | None = None,
        address: str | None = None,
    ) -> None:
        """Save a request to /move and the games that it has changed, its own one last, in one transaction.

        The request arrived ``ago_s`` seconds ago. ``taken_s`` is the time since this server's reply before it in the
        same game, None without one, as after a restart. ``address`` is where it came from.
        """
        game = games[-1]
        with self._lock:
            with self.connection as connection:
                connection.execute(
                    _ADD_REQUEST, (game.player, move, f"-{ago_s:.3f} seconds", game.game, taken_s, address)
                )
                connection.executemany(_PUT_GAME, map(asdict, games))
            if self._last is not None:
                (request,) = self.connection.execute(_LAST_REQUEST).fetchone()
                with self._last.open("r+") as last:  # in place: a later request is never shorter
                    last.write(request)

    def standings(self, player: str | None = None) -> list[PlayerStanding]:
        """Return the standings of all players, or that of one; an unknown player has zeros."""
        rows = self._rows(_STANDINGS, {"player": player, "opponent": None, "goal": GOAL})
        return [PlayerStanding(**row) for row in rows]

    def summary(self) -> Iterator[str]:
        """Yield a line for each player, with the longest streak, whether it is a pass, and illegal and late moves."""
        for each in self.standings():
            parts = [
                f"{each.player}: {each.played} game{'' if each.played == 1 else 's'}",
                f"longest streak {each.longest} of {GOAL} ({'passed' if each.passed else 'not passed'})",
                f"won {each.won}, drawn {each.drawn}, lost {each.lost}",
            ]
            for reason, number, games in self._rows(_FAILED_MOVES, (each.player,)):
                plural = "" if number == 1 else "s"
                parts.append(f"{number} {reason} move{plural} in game{plural} {games}")
            yield ", ".join(parts)

    def _rows(self, query: str, values: Any) -> list[Any]:
        """Return the rows of a query: never those of a request that another thread is about to save."""
        with self._lock:
            return self.connection.execute(query, values).fetchall()


# Readers


def read_players(path: Path, goal: int = GOAL, opponent: str | None = None) -> list[PlayerStanding]:
    """Return the players of a database, those who have passed first; ``goal`` games in a row without a loss are a pass.

    With ``opponent``, only games against it count. Raises UsageError if there is none, or the database cannot be read.
    """
    if opponent is not None:
        known = [row["opponent"] for row in _read(path, "SELECT DISTINCT opponent FROM games WHERE opponent NOT NULL")]
        if opponent not in known:
            raise UsageError(
                f"{path} has no game against {opponent}.", f"Its opponents: {', '.join(sorted(known)) or 'none yet'}."
            )
    return [PlayerStanding(**row) for row in _read(path, _STANDINGS, player=None, opponent=opponent, goal=goal)]


def read_moves(path: Path, player: str, opponent: str | None = None) -> list[dict[str, Any]]:
    """Return the player's requests to move with what is known of their games, oldest first.

    ``column`` 1..7 is None for a new game, ``taken_s`` is that of `Store.write`, and ``result`` and ``reason`` are in
    the last row of a game. A game of an earlier edition has one row. Raises UsageError if the database cannot be read.
    """
    return list(map(dict, _read(path, _MOVES, player=player, opponent=opponent)))


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
