"""Checks of the journals: all are read and verified; unfinished games, locks and free disk space are reported."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bot.cli.checks.check_result import CheckResult, error, ok, warning
from bot.cli.formatting import with_count
from bot.course.journal.games import game_problems
from bot.course.journal.journal import Journal, journal_files, read_journal
from bot.course.journal.state import holders, state_folder
from bot.errors import JournalError
from bot.files import is_other_than_folder

LITTLE_ROOM = 100_000_000
"""Free disk space below which a warning is given, bytes: room for some hundred thousand games."""
SHOWN = 3
"""Maximum number of bad files that are listed."""


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
    wrong: list[str] = []
    for path in journal_files(logs) if logs.is_dir() else []:
        try:
            journal = read_journal(path)
        except JournalError as problem:
            wrong.append(problem.message)
            continue
        runs.append(journal)
        in_games = [text for game in journal.games for text in game_problems(game)]
        problems = [*map(str, journal.damaged), *journal.problems, *in_games]
        if problems:
            wrong.append(f"{path}: {problems[0]}")
    if wrong:
        shown = wrong[:SHOWN]
        if len(wrong) > SHOWN:
            shown.append("...")
        text = f"{with_count(len(wrong), 'journal')} with problems: {' '.join(shown)}"
        next_step = "`play` and `streak` skip what cannot be read. See all of it: bot replay FILE --verify."
        yield warning("journals", text, next_step)
    elif runs:
        games = with_count(sum(game.ended is not None for run in runs for game in run.games), "finished game")
        yield ok("journals", f"{with_count(len(runs), 'journal')} with {games}, all read and verified")
    else:
        yield ok("journals", f"none yet in {logs}")
    playing = holders(state_folder(), logs)
    if playing:  # and perhaps one of the unfinished games
        yield ok("lock", f"a run is playing now: {'; '.join(playing)}")
        return
    last = {run.player: run for run in runs}
    for run in last.values():
        if run.unfinished is None:
            continue
        if not run.unfinished_was_answered:
            text = f"game {run.unfinished} of {run.player} was requested and never answered ({run.path})"
            yield ok("unfinished", f"{text}: `bot play` finds out whether the server has it")
        else:
            text = f"game {run.unfinished} of {run.player} is unfinished ({run.path})"
            next_step = "Run `bot play` as before: it resumes the game; --fresh abandons it, which counts as a loss."
            yield warning("unfinished", text, next_step)
