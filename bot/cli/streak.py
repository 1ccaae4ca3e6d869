"""`bot streak`: is the goal met?"""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from typer import Exit

from bot.cli.formatting import echo, print_json
from bot.cli.options import AsJson, Goal, KeyFile, Logs, ServerUrl, StilIdOption
from bot.errors import BotError, ExitCode, UsageError
from bot.game.notation import with_count

if TYPE_CHECKING:
    from bot.config import Settings
    from bot.course.events import Counted
    from bot.course.protocol import Stats
    from bot.course.run.standings import Standings

_LOGS = Path("logs")


def streak(
    *,
    server: ServerUrl = None,
    stil_id: StilIdOption = None,
    key_file: KeyFile = None,
    goal: Goal = 20,
    logs: Logs = _LOGS,
    as_json: AsJson = False,
) -> None:
    """Show the current and the longest run of games without a loss.

    The runs are counted from the journals and the server's statistics.

    Exit code 0: the goal is met, by the server's statistics where they can be read; 5: it is not.

    \b
    Examples:
      bot streak                                   of the embedded server
      bot streak --stil-id ab1234cd-s              of a student at the course's server
    """
    from bot.config import load_settings, read_key
    from bot.course.journal.journal import journals
    from bot.course.journal.state import last_folder, playing
    from bot.course.protocol import Identity
    from bot.course.run.standings import disagreements, judged, standings_of, why_unread

    if logs != _LOGS and not logs.is_dir():  # before the first run there is no default folder yet
        raise UsageError(f"There is no folder {logs}.", "Check --logs.")
    settings = load_settings(server, stil_id, read_key(key_file))
    identity = Identity.of(settings.identity, settings.player)
    run = playing(identity, logs)
    ours = standings_of(journals(logs, identity, _note))
    counted = _read_statistics(settings, logs, ours.played)
    statistics = counted.stats
    run = run or playing(identity, logs)
    differences = []
    if statistics is not None and run is None:  # a game of a running one may end meanwhile
        differences = disagreements(ours, statistics)
    verdict = judged(goal, ours, counted)
    other = last_folder(identity)
    if other is not None and other.resolve() != logs.resolve() and other.is_dir():
        _note(f"The newest games of {identity} are in {other}: bot streak --logs {other} counts them.")
    if as_json:
        summary = {
            "server": settings.identity,
            "stil_ids": list(settings.player),
            "playing": run is not None,
            "journals": asdict(ours),
            "statistics": None if statistics is None else asdict(statistics),
            "disagreements": differences,
            "goal": goal,
            "passed": verdict.is_met,
            "witness": verdict.witness,
        }
        print_json(summary)
    else:
        echo(
            f"{'+'.join(settings.player)} at {settings.identity}, "
            f"goal {with_count(goal, 'game')} in a row without a loss"
        )
        if run is not None:
            echo(f"A run is playing now: {run}.")
        echo(_journals(ours, run))
        echo(f"Server: {_counts(statistics) if statistics else f'no statistics ({why_unread(counted)})'}")
        if counted.hint and counted.kind != "http 404":
            _note(counted.hint)
        for text in differences:
            echo(f"They disagree: {text}")
        echo(verdict.sentence)
    if not verdict.is_met:
        raise Exit(ExitCode.GOAL_MISSED)


def _note(text: str) -> None:
    echo(f"Note: {text}", err=True)


def _journals(ours: Standings, run: str | None) -> str:
    """Return what the journals count; ``run`` is the one that is playing now."""
    left = ", a game is unfinished" if ours.running and run is None else ""
    failed = f"; the engine failed in {with_count(ours.substituted_moves, 'move')}" if ours.substituted_moves else ""
    return (
        f"Journals: {ours.played} played, {ours.won} won, {ours.drawn} drawn, {ours.lost} lost; "
        f"streak {ours.current}{ours.aside}, longest {ours.longest}{left}{failed}"
    )


def _counts(statistics: Stats) -> str:
    known = "" if statistics.streak_max is None else f", longest {statistics.streak_max}"
    counts = f"{statistics.played} played, {statistics.won} won, {statistics.lost} lost"
    return f"{counts}; streak {statistics.streak}{known}"


def _read_statistics(settings: Settings, logs: Path, played: int) -> Counted:
    """Return the server's statistics, or why there are none; ``played`` games are in the journals."""
    from bot.course.events import Counted

    if not settings.is_embedded:
        return _ask(settings, played)
    try:
        return Counted(0.0, _embedded_statistics(settings, logs), message="No game has been played yet.")
    except BotError as error:
        return Counted(0.0, None, message=error.message, hint=error.hint)


def _ask(settings: Settings, played: int) -> Counted:
    """Ask the server for its statistics.

    A reading with fewer games than the ``played`` ones of the journals may lag, and is repeated.
    """
    from bot.cli.progress import ProgressLine
    from bot.course.client.http import CourseClient, Timeouts
    from bot.course.session import REREAD_AFTER_S, REREADS

    client = CourseClient(settings.server, settings.player, settings.api_key, timeouts=Timeouts(statistics_s=1.0))
    with ProgressLine(f"Asking {settings.server} for its statistics"):
        counted = client.statistics(None)
        for _ in range(REREADS):
            if counted.stats is None or counted.stats.played >= played:
                break
            time.sleep(REREAD_AFTER_S)
            again = client.statistics(None)
            counted = counted if again.stats is None else again
    return counted


def _embedded_statistics(settings: Settings, logs: Path) -> Stats | None:
    """Return the embedded server's statistics from its database; the server need not run."""
    from bot.course.server.store import read_players

    path = logs / "embedded.sqlite3"
    if not path.exists():
        return None
    for each in read_players(path):
        if each.player == "+".join(settings.player):
            return each.stats
    return None
