"""The newest journal as events while `bot play` writes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.course.journal.journal import Journal
from bot.course.journal.reader import parse_records
from bot.course.session.events import Started
from bot.errors import BotError, JournalError
from bot.web.runs import Runs, game_json, how_it_ended, run_json

PageEvent = tuple[str, dict[str, Any]]
"""An event's kind and content.

- ``waiting``: there is no journal yet.
- ``run``: the whole run, when it is new.
- ``game``: the games with new records, and the run's counts.
- ``fault``: a sentence about a skipped line or a journal that cannot be read any more.
"""


class Tail:
    """Reader of a growing journal; each `read` continues where the last one stopped."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.journal: Journal | None = None
        self._offset = 0
        self._line = 0

    def read(self) -> set[int]:
        """Read the complete lines added since the last call; return the numbers of the games with new records.

        Damaged lines are added to the journal's ``damaged``. Raises JournalError if the file cannot be read or does
        not begin with a run's header.
        """
        try:
            with self.path.open("rb") as file:
                file.seek(self._offset)
                content = file.read()
        except OSError as error:
            raise JournalError(f"The journal {self.path.name} cannot be read: {error.strerror}.") from None
        whole = content[: content.rfind(b"\n") + 1]
        self._offset += len(whole)
        changed = set()
        for line in parse_records(whole, self._line + 1):
            self._line = line.number
            if self.journal is None:
                if not isinstance(line.record, Started):
                    reason = line.problem or "the run's header is missing"
                    raise JournalError(f"Line {line.number} of {self.path.name} is damaged: {reason}.")
                self.journal = Journal(self.path)
            if line.problem:
                self.journal.damaged.append(line)
            if line.record is not None:
                self.journal.take(line.record, line.number)
                changed |= {self.journal.session.ledger.game, getattr(line.record, "game", 0)}
                changed |= {item.game for item in self.journal.session.news}
        return changed


class Follower:
    """Follows the run written to last, and then the one after it. It reads files: call it outside the event loop."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._tail: Tail | None = None
        self._unreadable: set[Path] = set()
        self._past: list[Journal] = []
        self._end = ""
        self._is_waiting = False

    def next_events(self) -> list[PageEvent]:
        """Return the events since the last call."""
        path = self._latest()
        if path is None:
            self._tail, was_waiting, self._is_waiting = None, self._is_waiting, True
            return [] if was_waiting else [("waiting", {})]
        followed = self._tail if self._tail is not None and self._tail.path == path else None
        try:
            return self._begin(path) if followed is None else self._continue(followed)
        except BotError as error:
            self._unreadable.add(path)  # it must not hide another one
            self._tail = None
            return [] if followed is None else [("fault", {"error": str(error)})]

    def whole(self) -> PageEvent:
        """Return the state of the run that is followed now as one event, for a client that joins."""
        if self._tail is None or self._tail.journal is None:
            return "waiting", {}
        return self._run_event("run", self._tail.journal, all=[game_json(game) for game in self._tail.journal.games])

    def _begin(self, path: Path) -> list[PageEvent]:
        self._tail = Tail(path)
        self._tail.read()
        if self._tail.journal is None:  # the header is still being written
            self._tail = None
            return []
        self._past, self._is_waiting = self._runs.before(self._tail.journal), False
        return [self.whole()]

    def _latest(self) -> Path | None:
        """Return the journal written to last; if two players are playing, the one that is already followed.

        Runs that ended without a game are skipped, unless there is no other.
        """
        paths = [path for path in self._runs.paths() if path not in self._unreadable]
        by_age = sorted(paths, key=_written, reverse=True)
        newest = next((path for path in by_age if self._has_something(path)), by_age[0] if by_age else None)
        kept = self._tail.journal if self._tail else None
        if newest is None or kept is None or newest == kept.path or how_it_ended(kept) != "live":
            return newest
        try:
            return newest if kept.player == self._runs.outline(newest).player else kept.path
        except (BotError, OSError):
            return kept.path

    def _has_something(self, path: Path) -> bool:
        """Return whether a run has games, or may still play some."""
        journal = self._tail.journal if self._tail is not None and path == self._tail.path else None
        try:
            journal = journal or self._runs.outline(path)
        except (BotError, OSError):
            return False
        return bool(journal.games) or how_it_ended(journal) in ("live", "silent")

    def _continue(self, tail: Tail) -> list[PageEvent]:
        journal = tail.journal
        assert journal is not None, "`_begin` keeps no other tail"
        known = len(journal.damaged)
        changed = tail.read()
        events: list[PageEvent] = [
            ("fault", {"error": f"{tail.path.name}: {line}"}) for line in journal.damaged[known:]
        ]
        if changed or how_it_ended(journal) != self._end:
            games = [game_json(game) for game in journal.games if game.number in changed]
            events.append(self._run_event("game", journal, changed=games))
        return events

    def _run_event(self, kind: str, journal: Journal, **games: list[dict[str, Any]]) -> PageEvent:
        summary = run_json(journal, self._past)
        self._end = summary["end"]
        return kind, {**summary, **games}


def _written(path: Path) -> float:
    """Return the time of the last write, seconds since the epoch; 0 if the file is gone."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
