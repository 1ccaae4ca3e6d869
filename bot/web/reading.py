"""A journal as the page shows it, as far as it has been read: its games at once where its end tells them.

To pass the records of a game through the session takes 5 ms, so a journal is read in steps. What lists show of a run
that has ended is kept in the state folder.
"""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from bot import __version__
from bot.agents.external.names import without_folders
from bot.course.events import Counted
from bot.course.journal.games import RecordedGame, outcome_of
from bot.course.journal.journal import Journal, Line, parse_journal, parse_outline, parse_records
from bot.course.journal.records import as_line, parse_line
from bot.course.journal.state import state_folder
from bot.course.protocol import key_of
from bot.course.run.standings import ends_of
from bot.errors import JournalError, printable
from bot.files import replace_file
from bot.game import format_moves

LIVE_S = 20.0
"""A run without an end is "live" up to this age of its last record, seconds."""
SILENT_S = 600.0
"""Beyond `LIVE_S` and up to this age, seconds, a run is "silent": it may be waiting for its server."""
HEAD = 4096
"""Bytes at a file's beginning that show whether it is a journal."""
numbers = count(int(time.time() * 1000))
"""Numbers of readings and of their versions: they grow, also from one start of the page to the next."""
FileState = tuple[int, int]
"""A file's size, bytes, and time of its last write, nanoseconds since the epoch: what changes when it is written."""


@dataclass(slots=True)
class Known:
    """What lists show of a run beside its games, in types of JSON."""

    header: dict[str, Any] = field(default_factory=dict)
    """Empty as long as nothing of the run is known."""
    player: str = ""
    """Stands for the player at the server: the same in all of their runs."""
    ends: list[float | None] = field(default_factory=list)
    """The results that the standings count; None for an unfinished game."""
    reason: str | None = None
    """How the run ended by its journal; None without an end."""
    damaged: int = 0
    """Number of damaged lines."""
    counted: str | None = None
    """The reading of the server's statistics after the last game, as a line of a journal; None without one."""


class RunReading:
    """A journal as far as it has been read. For one thread at a time."""

    def __init__(self, path: Path, state: FileState) -> None:
        self.path, self.state = path, state
        self.number = self.version = next(numbers)
        self.known = Known()
        self.games: dict[int, dict[str, Any]] = {}
        """By number, see `game_json`."""
        self.changed: dict[int, int] = {}
        """By number of a game, the version in which it changed last."""
        self.is_listed = False
        """Whether all games are known."""
        self.is_read = False
        """Whether nothing is left to be read."""
        self.told: dict[str, Any] = {}
        """What was said last of the run, without its games."""
        self.failure = ""
        """Why the journal cannot be shown, a sentence."""
        self.journal: Journal | None = None
        """The run with all records that have been read; None where lists need no more than what is known."""
        self._lines: Iterator[Line | None] = iter(())
        """The lines that ``journal`` has not taken."""
        self._found: set[int] = set()
        """Numbers of the games with records that `take` has not seen."""

    def follow(self, state: FileState) -> bool:
        """Take the file as it is now; return whether this reading goes on with it."""
        is_same = state == self.state
        grows = self.journal is not None and state[0] > self.state[0]
        self.is_read = self.is_read and is_same
        self.state = state
        return is_same or grows

    @property
    def is_shown(self) -> bool:
        """Whether something of the run is known, and can be shown."""
        return self.known.header != {} and not self.failure

    @property
    def end(self) -> str:
        """How the run ended.

        "finished", "interrupted" or "error" as the journal says; without an end, "live", "silent" or "broken off" by
        the age of its last record.
        """
        if self.known.reason is not None:
            return self.known.reason
        age_s = time.time() - self.state[1] / 1e9
        if age_s < LIVE_S:
            return "live"
        return "silent" if age_s < SILENT_S else "broken off"

    def advance(self, until_s: float) -> None:
        """Read on until all games are known or time is over.

        Why a journal cannot be shown is kept as ``failure``. A bug must not hide the other runs: it is only printed.
        """
        if self.failure:
            return
        try:
            if not self.known.header and self.journal is None and not self._recall():
                self._outline()
            if not self.is_read:
                self._read_on(until_s)
        except Exception as error:
            self.failure = unreadable(self.path, error)
            self.journal = None
            if isinstance(error, OSError):
                self.state = -1, 0  # the next look tries again

    def _outline(self) -> None:
        """List the games that the last record tells of a run that has ended, with the reading of statistics before."""
        content = self.path.read_bytes()
        *_, before, last = [b"", b"", *content.rstrip(b"\n").rsplit(b"\n", 2)]
        if b'"finished"' in last:
            outline = parse_outline(content, self.path)
            with suppress(ValueError):
                record = parse_line(before)
                outline.session.counted = record if isinstance(record, Counted) else None
            self.is_listed = self.is_read = True
            self.take(outline, {game.number for game in outline.games})
            self._keep()

    def _read_on(self, until_s: float) -> None:
        """Pass lines through the session until time is over."""
        if self.journal is None:
            content = self.path.read_bytes()
            first = content[: content.find(b"\n", HEAD) + 1 or content.rfind(b"\n") + 1 or None]
            self.journal = parse_journal(first, self.path)
            self._lines = self._tail(len(first))
            self._found = {game.number for game in self.journal.games}
        journal, found = self.journal, self._found
        is_over = False
        while not self.is_read and not is_over:
            line = next(self._lines)
            if line is None:
                self.is_read = self.is_listed = True
            else:
                journal.read(line)
                found |= {journal.session.game, getattr(line.record, "game", 0)}
                found |= {item.game for item in journal.session.news}
            is_over = time.monotonic() > until_s
        self.take(journal, found)
        found.clear()
        if self.is_read and self.end not in ("live", "silent"):
            self._keep()
            self.journal = None  # a thousand games take 40 MB

    def _tail(self, offset: int) -> Iterator[Line | None]:
        """Yield the whole lines from ``offset`` on, in bytes, and None where no more is written yet.

        Their numbers are not those in the file: the page shows none.
        """
        while True:
            with self.path.open("rb") as file:
                file.seek(offset)
                content = file.read()
            whole = content[: content.rfind(b"\n") + 1]
            yield from parse_records(whole)
            offset += len(whole)
            if not whole:
                yield None

    def take(self, journal: Journal, found: set[int]) -> None:
        """Take over the games with these numbers, and what is known of the run."""
        self.version = next(numbers)
        for game in journal.games:
            if game.number in found and (shown := game_json(game)) != self.games.get(game.number):
                self.games[game.number] = shown
                self.changed[game.number] = self.version
        options, end, counted = journal.header.options, journal.run_end, journal.session.counted
        texts = {
            "name": journal.path.name,
            "server": options.server,
            "player": "+".join(options.stil_ids),
            "time": journal.header.time,
            "engine": without_folders(options.engine),
        }
        self.known = Known(
            {name: printable(text) for name, text in texts.items()} | {"goal": max(1, min(1000, options.goal))},
            journal.player.key,
            ends_of(journal),
            None if end is None else end.reason,
            len(journal.damaged),
            None if counted is None else as_line(counted, "").decode(),
        )

    # What is kept on the disk

    @property
    def _place(self) -> Path:
        return state_folder() / "page" / f"{key_of(str(self.path.absolute()))}.json"

    def _recall(self) -> bool:
        """Take over what is kept of the file in its present state, by this version of the program, if anything is."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(self._place.read_bytes())
            if kept["of"] == [*self.state, __version__]:
                self.known, self.is_listed, self.is_read = Known(**kept["known"]), True, True
                self.games = {game["number"]: game for game in kept["games"]}
                self.changed = dict.fromkeys(self.games, self.version)
        return self.is_listed

    def _keep(self) -> None:
        """Keep what is known of a run that has ended. On a full disk, it is read again after the next start."""
        kept = {
            "of": [*self.state, __version__],
            "known": asdict(self.known),
            "games": list(self.games.values()),
        }
        with suppress(OSError):
            self._place.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._place, json.dumps(kept).encode(), mode=0o600)


def unreadable(path: Path, error: Exception) -> str:
    """Return why a journal cannot be shown, a sentence; a bug is printed."""
    if isinstance(error, JournalError):
        return str(error)
    if isinstance(error, OSError):
        return f"The journal {path.name} cannot be read: {error.strerror}."
    traceback.print_exception(error)
    return bug_sentence(f"The journal {path.name} cannot be shown", error)


def bug_sentence(what: str, error: Exception) -> str:
    """Return what a bug means for the user of the page, and what to do next."""
    means = f"{what}. Your game is safe. Try again, or reload the page."
    return f"{means} Details are in the terminal ({type(error).__name__})."


def game_json(game: RecordedGame) -> dict[str, Any]:
    """Return a game as lists show it: its moves (columns 1-7) and its result."""
    return {
        "number": game.number,
        "result": game.result,
        "outcome": "running" if game.result is None else outcome_of(game.result),
        "we_started": game.we_started is not False,
        "moves": format_moves(game.moves),
    }
