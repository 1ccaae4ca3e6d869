"""Following a journal while `play` writes it, as server-sent events."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from bot.errors import BotError, JournalError
from bot.journal.reader import Journal, add_record
from bot.journal.schema import complaint
from bot.web.runs import Runs, game_json, run_json

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
        """The numbers of the games that have new records; raises JournalError at a damaged line."""
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
            record = self._record(line)
            if self.journal is None:
                self.journal = Journal(self.path, record)
            else:
                add_record(self.journal, record)
                changed.add(record.get("game", 0))
        return changed

    def _record(self, line: bytes) -> dict[str, Any]:
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        problem = complaint(record)
        if problem is None and self.journal is None and record["type"] != "run":
            problem = "the run's header is missing"
        if problem is not None:
            raise JournalError(f"Line {self._line} of {self.path.name} is damaged: {problem}.")
        return dict(record)


async def follow(runs: Runs, name: str | None) -> AsyncIterator[str]:
    """Events: ``waiting`` (no journal yet), ``run`` (the whole run, when it is new), ``game`` (a game that has grown,
    and the run's counts), ``fault`` (a sentence; nothing follows until another run begins).

    Without a ``name`` it is always the run that was written to last.
    """
    tail: Tail | None = None
    failed: Path | None = None
    past: list[Journal] = []
    spoke = 0.0
    while True:
        event: str | None = None
        try:
            path = runs.path(name) if name else _latest(runs)
            if path is None:
                event = _event("waiting", {}) if spoke == 0 else None
            elif tail is None or path != tail.path:
                if path != failed:
                    tail = Tail(path)
                    tail.read()
                    if tail.journal is not None:
                        past = runs.before(tail.journal)
                        event = _event("run", _whole(tail.journal, past))
                    else:
                        tail = None
            else:
                event = _news(tail, past)
        except BotError as error:
            failed, tail = (tail.path if tail else None), None
            event = _event("fault", {"error": str(error)})
            if name:
                yield event
                return
        if event is None and time.monotonic() - spoke > HEARTBEAT_S:
            event = ": still here\n\n"
        if event is not None:
            spoke = time.monotonic()
            yield event
        await asyncio.sleep(POLL_S)


def _latest(runs: Runs) -> Path | None:
    return max(runs.paths(), key=_written, default=None)


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _whole(journal: Journal, past: list[Journal]) -> dict[str, Any]:
    return {**run_json(journal, past), "all": [game_json(game) for game in journal.games]}


def _news(tail: Tail, past: list[Journal]) -> str | None:
    changed = tail.read()
    if not changed or tail.journal is None:
        return None
    games = [game_json(game) for game in tail.journal.games if game.number in changed]
    return _event("game", {**run_json(tail.journal, past), "changed": games})


def _event(kind: str, data: dict[str, Any]) -> str:
    return f"event: {kind}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n"
