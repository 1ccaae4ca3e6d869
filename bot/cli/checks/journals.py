"""Checks of the journals: all are read and verified; unfinished games, locks and free disk space are reported."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bot.cli.checks.check_result import CheckResult, error, ok, warning
from bot.cli.formatting import counted
from bot.course.journal.reader import Journal, journal_files, read_journal
from bot.course.journal.state import holders
from bot.course.journal.verify import game_problems
from bot.errors import ExitCode, JournalError
from bot.files import is_other_than_folder

LITTLE_ROOM = 100_000_000
"""Free disk space below which a warning is given, bytes: room for some hundred thousand games."""
SHOWN = 3
"""Maximum number of bad files that are listed; the rest is counted."""


def nearest_folder(logs: Path) -> Path:
    """Return ``logs``, or the nearest existing folder above it."""
    folder = logs.absolute()
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    return folder


def check_folder(logs: Path) -> Iterator[CheckResult]:
    """Check that a journal can be written."""
    if is_other_than_folder(logs):
        yield error("folder", f"{logs} is not a folder.", "Choose another --logs folder.")
        return
    folder = nearest_folder(logs)
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


def check_journals(logs: Path) -> Iterator[CheckResult]:
    """Read and verify all journals; report unfinished games and running processes."""
    runs: list[Journal] = []
    damaged: list[str] = []
    wrong: list[str] = []
    for path in journal_files(logs) if logs.is_dir() else []:
        try:
            journal = read_journal(path)
        except JournalError as problem:
            damaged.append(problem.message)
            continue
        runs.append(journal)
        problems = [*journal.problems, *(text for game in journal.games for text in game_problems(game))]
        if journal.damaged:
            damaged.append(_first(path, journal.damaged))
        elif problems:
            wrong.append(_first(path, problems))
    if damaged:
        text = f"{counted(len(damaged), 'journal')} cannot be read in full. {_some(damaged)}"
        yield warning(
            "journals", text, "`play` and `streak` skip what cannot be read. See it: bot replay FILE --verify."
        )
    if wrong:
        found = f"{counted(len(wrong), 'journal')} with games that cannot have happened as written"
        text = f"{found}. {_some(wrong)}"
        yield error("journals", text, "See all of it: bot replay FILE --verify.", ExitCode.PROTOCOL)
    if not damaged and not wrong:
        games = counted(sum(game.ended is not None for run in runs for game in run.games), "finished game")
        torn = sum(run.torn for run in runs)
        cut = f", {torn} with an incomplete last line (harmless)" if torn else ""
        found = f"{counted(len(runs), 'journal')} with {games}, all read and verified{cut}"
        yield ok("journals", found if runs else f"none yet in {logs}")
    playing = holders(logs)
    yield ok("lock", f"a run is playing now: {'; '.join(playing)}" if playing else "no run is playing now")
    yield from _left_open(runs, bool(playing))


def _first(path: Path, problems: Sequence[object]) -> str:
    """Return a file's first problem, and how many more it has."""
    more = f" And {len(problems) - 1} more." if len(problems) > 1 else ""
    return f"{path}: {problems[0]}{more}"


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


def _some(texts: list[str]) -> str:
    rest = len(texts) - SHOWN
    return " ".join(texts[:SHOWN]) + (f" And {rest} more." if rest > 0 else "")
