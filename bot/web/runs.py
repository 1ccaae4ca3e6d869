"""The runs in one folder as JSON for the page: all of them, one with its games, and the newest while it grows."""

from __future__ import annotations

import re
import stat
import threading
import time
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, cast

from bot.course.events import Counted
from bot.course.journal.journal import journal_files
from bot.course.journal.records import parse_line
from bot.course.run.standings import Standings, judged, standings_of_ends
from bot.errors import UsageError
from bot.web.reading import RunReading, numbers
from bot.web.room import public_name, public_run

MAX_RUNS = 500
"""Number of journals that the page knows; older ones are left out."""
STEP_S = 0.15
"""Time for which one request reads journals, seconds: what is left is read by the next one."""
LOOK_S = 0.3
"""Time for which a look at the folder holds for all who follow the newest run, seconds."""
_NAME = re.compile(r"[\w.+-]{1,200}\.jsonl", re.ASCII)


class Runs:
    """The journals directly in ``folder``. Files elsewhere are never read, not even through a link.

    All requests share what has been read: each journal is read once after a change. Safe for several threads.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._readings: dict[Path, RunReading] = {}
        """The journals at the last look, newest first."""
        self._newest: RunReading | None = None
        self._looked_at_s = float("-inf")
        self._lock = threading.Lock()

    def summaries(self, *, spectator: bool) -> list[dict[str, Any]]:
        """Return all runs, newest first; one that is not read yet or cannot be shown has an ``error``."""
        with self._lock:
            shown = []
            for reading in self._look():
                if reading.is_shown:
                    run = run_json(reading)
                    shown.append(public_run(run) if spectator else run)
                elif not spectator:
                    shown.append({"name": reading.path.name, "error": reading.failure, "listed": reading.failure != ""})
            return shown

    def newest(self, known: str, *, spectator: bool) -> dict[str, Any]:
        """Return the newest run as `run` does; its ``run`` is null where there is none."""
        with self._lock:
            if time.monotonic() - self._looked_at_s > LOOK_S or self._newest is None:
                self._newest = self._latest()
                self._looked_at_s = time.monotonic()
                if self._newest is not None:
                    self._tell(self._newest)
            nothing: dict[str, Any] = {"at": "", "run": None, "games": [], "whole": True}
            return nothing if self._newest is None else _changes(self._newest, known, spectator=spectator)

    def run(self, name: str, known: str, *, spectator: bool) -> dict[str, Any]:
        """Return the run called ``name`` in the list that its reader sees, and those of its games that have changed.

        ``known`` is the ``at`` of an earlier reply, or empty. Raises UsageError.
        """
        with self._lock:
            reading = self._named(name, spectator=spectator)
            self._tell(reading)
            if reading.failure:
                raise UsageError(reading.failure)
            return _changes(reading, known, spectator=spectator)

    def _look(self) -> list[RunReading]:
        """Read on; return the journals, newest first, at most `MAX_RUNS`: the only files that the page shows."""
        found: dict[Path, RunReading] = {}
        for path in reversed(journal_files(self.folder)):
            with suppress(OSError):  # the file has been deleted in the meantime
                status = path.lstat()
                if stat.S_ISREG(status.st_mode) and _NAME.fullmatch(path.name) and len(found) < MAX_RUNS:
                    state, known = (status.st_size, status.st_mtime_ns), self._readings.get(path)
                    found[path] = known if known is not None and known.follow(state) else RunReading(path, state)
        self._readings, until_s = found, time.monotonic() + STEP_S
        for reading in found.values():
            reading.advance(until_s)
        return list(found.values())

    def _named(self, name: str, *, spectator: bool) -> RunReading:
        for reading in self._look():
            if name == (public_name(reading.path.name) if spectator else reading.path.name):
                return reading
        raise UsageError("This journal is not in the folder.", "Choose one from the list.")

    def _latest(self) -> RunReading | None:
        """Return the newest run that is going on, else the newest one with a game, else the newest."""

        def rank(one: RunReading) -> tuple[bool, bool, str]:
            return one.end == "live", one.games != {} or one.end == "silent", one.path.name

        return max((one for one in self._look() if one.is_shown), key=rank, default=None)

    def _tell(self, reading: RunReading) -> None:
        """Read on, and find what is to be told of the run now."""
        reading.advance(time.monotonic() + STEP_S)
        if not reading.known.header:
            return
        past = [one for one in reversed(self._readings.values()) if one.path.name <= reading.path.name]
        own = [one.known.ends for one in past if one.known.player == reading.known.player]
        told = judged_json(reading, standings_of_ends(chain.from_iterable(own)))
        told["listed"] = all(one.is_listed for one in self._readings.values() if not one.failure)
        if told != reading.told:
            reading.told, reading.version = told, next(numbers)


def _changes(reading: RunReading, known: str, *, spectator: bool) -> dict[str, Any]:
    """Return what has changed in a run since a reply whose ``at`` was ``known``; ``whole``: whether that is all."""
    at = f"{reading.number}.{reading.version}"
    if at == known:
        return {"at": at}
    number, _, version = known.partition(".")
    since = int(version) if number == str(reading.number) and version.isdecimal() else 0
    games = [game for number, game in reading.games.items() if reading.changed[number] > since]
    run = public_run(reading.told) if spectator else reading.told
    return {"at": at, "run": run, "games": games, "whole": not since}


def run_json(reading: RunReading) -> dict[str, Any]:
    """Return a run's header and counts. ``listed``: whether all games are known."""
    ended = standings_of_ends(game["result"] for game in reading.games.values() if game["result"])
    return {
        **reading.known.header,
        "started": len(reading.games),
        **{name: getattr(ended, name) for name in ("played", "won", "drawn", "lost")},
        "end": reading.end,
        "damaged": reading.known.damaged,
        "listed": reading.is_listed,
    }


def judged_json(reading: RunReading, standings: Standings) -> dict[str, Any]:
    """Return a run's header and counts with the streak, whether the goal is met, and by whose count.

    ``by`` and ``verdict`` are empty between a game's end and the reading after it. ``met``: whether the server's own
    count says so; None before its reading.
    """
    known = reading.known
    fields = run_json(reading) | {"streak": standings.current, "by": "", "verdict": "", "met": None}
    if not reading.is_listed or (known.counted is None and reading.end == "live"):
        return fields
    counted = None if known.counted is None else cast(Counted, parse_line(known.counted.encode()))
    verdict = judged(known.header["goal"], standings, counted)
    met = verdict.is_met and verdict.witness == "server"
    return fields | {"by": verdict.by, "verdict": verdict.sentence, "met": met}
