"""A journal as server-sent events while `bot play` writes it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from bot.course.journal.reader import Journal, parse_records
from bot.course.session.events import Started
from bot.errors import BotError, JournalError
from bot.web.runs import Runs, game_json, how_it_ended, is_same_player, run_json

POLL_S = 0.1
"""Interval between two looks at the journal, seconds."""
HEARTBEAT_S = 10.0
"""Maximum silence before a comment keeps the connection alive, seconds."""


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
            if line.record is None:
                self.journal.damaged.append(line)
            else:
                self.journal.take(line.record, line.number)
                changed |= {self.journal.session.number, getattr(line.record, "game", 0)}
        return changed


class Follower:
    """Produces the events of one client's stream. It reads files, so call it outside the event loop."""

    def __init__(self, runs: Runs, name: str | None) -> None:
        self.is_done = False
        self._runs = runs
        self._name = name
        self._tail: Tail | None = None
        self._failed: Path | None = None
        self._not_journals: set[Path] = set()
        self._past: list[Journal] = []
        self._end = ""
        self._is_waiting = False

    def next_events(self) -> str | None:
        """Return the events since the last call; None if there are none."""
        try:
            path = self._runs.path(self._name) if self._name else self._latest()
            if path is None:
                return self._waiting_event()
            if self._tail is None or path != self._tail.path:
                return self._begin(path)
            return self._continue(self._tail)
        except BotError as error:
            self._failed, self._tail = (self._tail.path if self._tail else None), None
            self.is_done = self._name is not None
            return _event("fault", {"error": str(error)})

    def whole(self) -> str:
        """Return the state of the run that is followed now as one event, for a client that joins."""
        if self._tail is None or self._tail.journal is None:
            return _event("waiting", {})
        return self._run_event("run", self._tail.journal, all=[game_json(game) for game in self._tail.journal.games])

    def _waiting_event(self) -> str | None:
        self._tail = None
        if self._is_waiting:
            return None
        self._is_waiting = True
        return _event("waiting", {})

    def _begin(self, path: Path) -> str | None:
        if path == self._failed:
            return None
        self._tail = Tail(path)
        try:
            self._tail.read()
        except JournalError:
            if self._name or self._tail.journal is not None:
                raise
            self._not_journals.add(path)  # without a header it is no journal, and must not hide one
        journal = self._tail.journal
        if journal is None:  # the header is still being written
            self._tail = None
            return None
        self._past, self._is_waiting = self._runs.before(journal), False
        return self._run_event("run", journal, all=[game_json(game) for game in journal.games])

    def _latest(self) -> Path | None:
        """Return the journal written to last; if two players are playing, the one that is already followed.

        Runs that ended without a game are skipped, unless there is no other.
        """
        paths = [path for path in self._runs.paths() if path not in self._not_journals]
        by_age = sorted(paths, key=_written, reverse=True)
        newest = next((path for path in by_age if self._has_something(path)), by_age[0] if by_age else None)
        kept = self._tail.journal if self._tail else None
        if newest is None or kept is None or newest == kept.path or how_it_ended(kept) != "live":
            return newest
        try:
            return newest if is_same_player(kept, self._runs.outline(newest)) else kept.path
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

    def _continue(self, tail: Tail) -> str | None:
        known = len(tail.journal.damaged) if tail.journal else 0
        changed = tail.read()
        journal = tail.journal
        if journal is None:
            return None
        events = [_event("fault", {"error": f"{tail.path.name}: {damage}"}) for damage in journal.damaged[known:]]
        if changed or how_it_ended(journal) != self._end:
            games = [game_json(game) for game in journal.games if game.number in changed]
            events.append(self._run_event("game", journal, changed=games))
        return "".join(events) or None

    def _run_event(self, kind: str, journal: Journal, **games: list[dict[str, Any]]) -> str:
        summary = run_json(journal, self._past)
        self._end = summary["end"]
        return _event(kind, {**summary, **games})


async def follow(runs: Runs, name: str | None) -> AsyncIterator[str]:
    """Yield the events of a run, without end unless ``name`` is given and cannot be read.

    - ``waiting``: there is no journal yet.
    - ``run``: the whole run, when it is new.
    - ``game``: the games with new records, and the run's counts.
    - ``fault``: a sentence about a skipped line or an unreadable journal.

    Without ``name``, it follows the run written to last, and then the one after it.
    """
    follower = Follower(runs, name)
    sent_at_s = time.monotonic()
    while not follower.is_done:
        event = await asyncio.to_thread(follower.next_events)
        if event is None and time.monotonic() - sent_at_s > HEARTBEAT_S:
            event = ": heartbeat\n\n"
        if event is not None:
            sent_at_s = time.monotonic()
            yield event
        await asyncio.sleep(POLL_S)


def _written(path: Path) -> float:
    """Return the time of the last write, seconds since the epoch; 0 if the file is gone."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _event(kind: str, data: dict[str, Any]) -> str:
    return f"event: {kind}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n"
