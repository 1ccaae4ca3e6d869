"""The newest journal as events while `bot play` writes it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

from bot.course.journal.journal import Journal, parse_records
from bot.web.runs import FoundFile, Runs, game_json, how_it_ended, run_json, unreadable, whole_run_json

PageEvent = tuple[str, dict[str, Any]]
"""An event's kind and content.

- ``waiting``: there is no run to follow.
- ``run``: the whole run, when another one is followed.
- ``game``: the games with new records, and the run's counts.
- ``fault``: a sentence about a skipped line or a journal that cannot be read any more.
"""
RETRY_S = 5.0
"""Time until a journal that could not be shown is tried again although it has not changed, seconds."""


class Tail:
    """A journal that grows, as far as it has been read; each `read` continues where the last one stopped."""

    def __init__(self, path: Path) -> None:
        self.journal = Journal(path)
        self.past: Sequence[Journal] = ()
        """The earlier runs of the same player."""
        self._end = ""
        self.offset = 0
        """Bytes that have been read."""
        self._line = 0

    def read(self) -> set[int]:
        """Read the complete lines added since the last call; return the numbers of the games with new records.

        Damaged lines are added to the journal's ``damaged``. Raises OSError if the file cannot be read.
        """
        with self.journal.path.open("rb") as file:
            file.seek(self.offset)
            content = file.read()
        whole = content[: content.rfind(b"\n") + 1]
        self.offset += len(whole)
        changed = set()
        for line in parse_records(whole, self._line + 1):
            self._line = line.number
            self.journal.read(line)
            if line.record is not None:
                changed |= {self.journal.session.game, getattr(line.record, "game", 0)}
                changed |= {item.game for item in self.journal.session.news}
        self._end = how_it_ended(self.journal)
        return changed

    def whole(self) -> PageEvent:
        """Return the run as far as it has been read."""
        return "run", whole_run_json(self.journal, self.past)

    def changes(self) -> list[PageEvent]:
        """Read on; return the events since the last reading."""
        journal, end, known = self.journal, self._end, len(self.journal.damaged)
        changed = self.read()
        events: list[PageEvent] = []
        for line in journal.damaged[known:]:
            events.append(("fault", {"error": f"{journal.path.name}: {line}"}))
        if changed or self._end != end:
            games = [game_json(game) for game in journal.games if game.number in changed]
            events.append(("game", {**run_json(journal, self.past), "changed": games}))
        return events


class Follower:
    """Follows the run written to last, and then the one after it. It reads files: call it outside the event loop."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._tail: Tail | None = None
        self._failures: dict[Path, tuple[FoundFile, float]] = {}
        """The journals that could not be shown: the file, and when that was."""

    def whole(self) -> PageEvent:
        """Return the state after all events so far as one event, for a client that joins."""
        return ("waiting", {}) if self._tail is None else self._tail.whole()

    def next_events(self) -> list[PageEvent]:
        """Return the events since the last call."""
        followed, file = self._tail, self._latest()
        if file is None:
            self._tail = None
            return [] if followed is None else [self.whole()]
        tail = followed
        if tail is None or tail.journal.path != file.path or file.size < tail.offset:  # replaced by a shorter one
            tail = Tail(file.path)
        try:
            if tail is followed:
                return tail.changes()
            tail.read()
            tail.past = self._runs.before(tail.journal)
            event = tail.whole()
        except Exception as error:
            problem = unreadable(file.path, error)
            self._failures[file.path] = file, time.monotonic()
            if tail is not followed:
                return []
            self._tail = None
            return [("fault", {"error": str(problem)}), self.whole()]
        self._tail = tail
        return [event]

    def _latest(self) -> FoundFile | None:
        """Return the journal written to last; if two players are playing, that of the one who is already followed.

        Runs that ended without a game are skipped, unless there is no other.
        """
        followed = None if self._tail is None else self._tail.journal
        is_live = followed is not None and how_it_ended(followed) == "live"
        without_games: FoundFile | None = None
        for file in sorted(self._runs.files(), key=attrgetter("written_ns"), reverse=True):
            journal = self._journal(file)
            if journal is None or (followed is not None and is_live and journal.player != followed.player):
                continue
            if journal.games or how_it_ended(journal) in ("live", "silent"):
                return file
            without_games = without_games or file
        return without_games

    def _journal(self, file: FoundFile) -> Journal | None:
        """Return the run in a file, or its outline; None if it cannot be shown, or could not a moment ago."""
        if self._tail is not None and self._tail.journal.path == file.path:
            return self._tail.journal
        failed, at_s = self._failures.get(file.path, (None, 0.0))
        if failed == file and time.monotonic() - at_s < RETRY_S:
            return None
        outline = self._runs.outline(file)
        return outline if isinstance(outline, Journal) else None
