"""Checks of the journals: all are read and verified; unfinished games, locks and free disk space are reported."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bot.cli.checks.check_result import CheckResult, error, ok, warning
from bot.course.journal.reader import Journal, journal_files, read_journal
from bot.course.journal.sink import is_other_than_folder
from bot.course.journal.state import holders
from bot.course.journal.verify import count_problems, game_problems
from bot.errors import ExitCode, JournalError

LITTLE_ROOM = 100_000_000
"""Free disk space below which a warning is given, bytes: room for some hundred thousand games."""
SHOWN = 3
"""Maximum number of bad files that are listed; the rest is counted."""


def nearest_folder(logs: Path) -> Path | None:
    """Return ``logs``, or the nearest existing folder above it; None if the working folder has been deleted."""
    try:
        folder = logs.absolute()
    except FileNotFoundError:
        return None
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    return folder


def check_folder(logs: Path) -> Iterator[CheckResult]:
    """Check that a journal can be written."""
    if is_other_than_folder(logs):
        yield error("folder", f"{logs} is not a folder.", "Choose another --logs folder.")
        return
    folder = nearest_folder(logs)
    if folder is None:
        yield error("folder", "The working folder has been deleted.", "Change to another folder.")
        return
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        text = f"Nothing can be written in {folder}: {problem.strerror}."
        yield error("folder", text, "Choose another --logs folder.")
        return
    free = shutil.disk_usage(folder).free
    what = f"{logs} can be written" if logs.is_dir() else f"{logs} does not exist yet and can be created"
    text = f"{what}, {free / 1e9:.1f} GB free"
    if free < LITTLE_ROOM:
        yield warning("folder", text, "Free disk space: a run stops before a move that it cannot record.")
    else:
        yield ok("folder", text)


@dataclass(slots=True)
class _Health:
    runs: list[Journal] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    torn: int = 0
    games: int = 0


def check_journals(logs: Path) -> Iterator[CheckResult]:
    """Read and verify all journals; report unfinished games and running processes."""
    health = _examined(logs)
    if health.damaged:
        text = f"{_count(len(health.damaged), 'journal')} cannot be read in full. {_some(health.damaged)}"
        yield warning(
            "journals", text, "`play` and `streak` skip what cannot be read. See it: bot replay FILE --verify."
        )
    if health.wrong:
        found = f"{_count(len(health.wrong), 'journal')} with games that cannot have happened as written"
        text = f"{found}. {_some(health.wrong)}"
        yield error("journals", text, "See all of it: bot replay FILE --verify.", ExitCode.PROTOCOL)
    if not health.damaged and not health.wrong:
        torn = f", {health.torn} with an incomplete last line (harmless)" if health.torn else ""
        found = f"{_count(len(health.runs), 'journal')} with {_count(health.games, 'finished game')}"
        yield ok("journals", f"{found}, all read and verified{torn}" if health.runs else f"none yet in {logs}")
    playing = holders(logs)
    if playing:
        yield ok("lock", f"a run is playing now: {'; '.join(playing)}")
    else:
        yield ok("lock", "no run is playing now")
    yield from _left_open(health.runs, bool(playing))
    yield from _embedded_database(logs / "embedded.sqlite3")


def _examined(logs: Path) -> _Health:
    health = _Health()
    for path in journal_files(logs) if logs.is_dir() else []:
        try:
            journal = read_journal(path)
        except JournalError as problem:
            health.damaged.append(problem.message)
            continue
        health.runs.append(journal)
        health.torn += journal.torn
        health.games += sum(game.ended is not None for game in journal.games)
        if journal.damaged:
            more = f" And {len(journal.damaged) - 1} more." if len(journal.damaged) > 1 else ""
            health.damaged.append(f"{path}: {journal.damaged[0]}{more}")
            continue
        problems = [problem for game in journal.games for problem in game_problems(game)]
        problems += [*journal.problems, *count_problems(journal)]
        if problems:
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            health.wrong.append(f"{path}: {problems[0]}{more}")
    return health


def _left_open(runs: list[Journal], playing: bool) -> Iterator[CheckResult]:
    """Report the last game of each player at each server if it is unfinished."""
    last = {run.player: run for run in runs}
    for run in last.values():
        if run.unfinished is None:
            continue
        text = f"game {run.unfinished} of {'+'.join(run.stil_ids)} at {run.server} is unfinished ({run.path})"
        if playing:
            yield ok("unfinished", f"{text}: the current run may be playing it")
        else:
            next_step = "Run `bot play` as before: it resumes the game; --fresh abandons it, which counts as a loss."
            yield warning("unfinished", text, next_step)


def _embedded_database(path: Path) -> Iterator[CheckResult]:
    """Check the embedded server's database beside the journals."""
    if not path.exists():
        return
    try:
        database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1)
        try:
            verdict = database.execute("PRAGMA quick_check").fetchone()[0]
            games = database.execute("SELECT count(*) FROM games").fetchone()[0]
        finally:
            database.close()
    except sqlite3.Error as problem:
        verdict, games = str(problem), 0
    if verdict == "ok":
        yield ok("embedded", f"the embedded server's database holds {_count(games, 'game')}")
    else:
        text = f"The embedded server's database {path} is damaged: {verdict}."
        yield error("embedded", text, "Move the file away; the journals still contain the games.")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _some(texts: list[str]) -> str:
    rest = len(texts) - SHOWN
    return " ".join(texts[:SHOWN]) + (f" And {rest} more." if rest > 0 else "")
