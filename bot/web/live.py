"""Following a journal while `play` writes it, as server-sent events."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from bot.errors import BotError, JournalError
from bot.journal.reader import Damage, Journal, Line, add_record, check_schema, parse_line
from bot.web.runs import Runs, game_json, how_it_ended, is_same_player, run_json

POLL_S = 0.1
HEARTBEAT_S = 10.0


class Tail:
    """One growing journal. ``read`` takes in the whole lines that were added since the last call."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.journal: Journal | None = None
        self._offset = 0
        self._line = 0

    def read(self) -> set[int]:
        """Return the numbers of the games that have new records. Damaged lines go to the journal's ``damaged``.

        Raises JournalError when the file cannot be read or does not begin with a run's header.
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
        for line in whole.splitlines():
            self._line += 1
            parsed = parse_line(line, self._line, 1 if self.journal is None else self.journal.header["schema"])
            if self.journal is None:
                self.journal = self._begin(parsed)
            elif parsed.record is None:
                self.journal.damaged.append(Damage(parsed.number, parsed.problem))
            else:
                add_record(self.journal, parsed.record, parsed.number)
                changed.add(parsed.record.get("game", 0))
        return changed

    def _begin(self, first: Line) -> Journal:
        if first.record is None or first.record["type"] != "run":
            reason = first.problem or "the run's header is missing"
            raise JournalError(f"Line {first.number} of {self.path.name} is damaged: {reason}.")
        check_schema(first.record, self.path)
        return Journal(self.path, first.record)


class Follower:
    """Asked again and again, tells what is new in a run; it reads files, so not in the event loop."""

    def __init__(self, runs: Runs, name: str | None) -> None:
        self.is_done = False
        self._runs = runs
        self._name = name
        self._tail: Tail | None = None
        self._failed: Path | None = None
        self._strangers: set[Path] = set()
        self._past: list[Journal] = []
        self._end = ""
        self._waits = False

    def news(self) -> str | None:
        """The next event, if there is one."""
        try:
            path = self._runs.path(self._name) if self._name else self._latest()
            if path is None:
                return self._waiting()
            if self._tail is None or path != self._tail.path:
                return self._begin(path)
            return self._go_on(self._tail)
        except BotError as error:
            self._failed, self._tail = (self._tail.path if self._tail else None), None
            self.is_done = self._name is not None
            return _event("fault", {"error": str(error)})

    def _waiting(self) -> str | None:
        self._tail = None
        if self._waits:
            return None
        self._waits = True
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
            self._strangers.add(path)  # not even a header: whatever it is, it hides no run
        journal = self._tail.journal
        if journal is None:  # its header is being written
            self._tail = None
            return None
        self._past, self._waits = self._runs.before(journal), False
        return self._told("run", journal, all=[game_json(game) for game in journal.games])

    def _latest(self) -> Path | None:
        """The run that was written to last; of two players' runs at once, the one that is followed already."""
        newest = max((path for path in self._runs.paths() if path not in self._strangers), key=_written, default=None)
        kept = self._tail.journal if self._tail else None
        if newest is None or kept is None or newest == kept.path or how_it_ended(kept) != "live":
            return newest
        try:
            return newest if is_same_player(kept, self._runs.outline(newest)) else kept.path
        except (BotError, OSError):
            return kept.path

    def _go_on(self, tail: Tail) -> str | None:
        known = len(tail.journal.damaged) if tail.journal else 0
        changed = tail.read()
        journal = tail.journal
        if journal is None:
            return None
        events = [_event("fault", {"error": f"{tail.path.name}: {damage}"}) for damage in journal.damaged[known:]]
        if changed or how_it_ended(journal) != self._end:
            games = [game_json(game) for game in journal.games if game.number in changed]
            events.append(self._told("game", journal, changed=games))
        return "".join(events) or None

    def _told(self, kind: str, journal: Journal, **games: list[dict[str, Any]]) -> str:
        told = run_json(journal, self._past)
        self._end = told["end"]
        return _event(kind, {**told, **games})


async def follow(runs: Runs, name: str | None) -> AsyncIterator[str]:
    """Events: ``waiting`` (no journal yet), ``run`` (the whole run, when it is new), ``game`` (the games that have
    grown, and the run's counts), ``fault`` (a sentence about a skipped line, or an unreadable journal).

    Without a ``name`` it is the run that was written to last, and the one after it when it has ended.
    """
    follower = Follower(runs, name)
    spoke = time.monotonic()
    while not follower.is_done:
        event = await asyncio.to_thread(follower.news)
        if event is None and time.monotonic() - spoke > HEARTBEAT_S:
            event = ": still here\n\n"
        if event is not None:
            spoke = time.monotonic()
            yield event
        await asyncio.sleep(POLL_S)


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _event(kind: str, data: dict[str, Any]) -> str:
    return f"event: {kind}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n"
