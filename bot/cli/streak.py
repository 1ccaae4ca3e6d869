"""`bot streak`: is the goal met?"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.options import ApiKey, AsJson, Goal, Logs, Server, StilId
from bot.errors import BotError, ExitCode

if TYPE_CHECKING:
    from bot.config import Settings
    from bot.course.protocol import Stats
    from bot.course.run.standings import Standings


@dataclass(frozen=True, slots=True)
class _Standing:
    """What journals and server say."""

    settings: Settings
    journals: Standings
    statistics: Stats | None
    why_none: str
    """Why there are no statistics."""
    differences: list[str]
    goal: int
    playing: str | None
    """The run that is playing now, if there is one."""

    @property
    def longest(self) -> int:
        """The longest streak, by the server's statistics where they can be read."""
        if self.statistics is None:
            return self.journals.longest
        return max(self.statistics.streak, self.statistics.streak_max or 0)

    @property
    def is_met(self) -> bool:
        return self.longest >= self.goal


def streak(
    server: Server = None,
    stil_id: StilId = None,
    api_key: ApiKey = None,
    goal: Goal = 20,
    logs: Logs = Path("logs"),
    offline: Annotated[bool, typer.Option("--offline", help="Do not contact the server.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the current and the longest run of games without a loss, from the journals and the server's statistics.

    Exit code 0: the goal is met, by the server's statistics where they can be read; 5: it is not.

    \b
    Examples:
      bot streak                                   of the embedded server
      bot streak --stil-id ab1234cd-s              of a student at the course's server
    """
    from bot.config import load_settings
    from bot.course.journal.state import Identity, playing
    from bot.course.run.standings import disagreements, journal_standings

    settings = load_settings(server, stil_id, api_key)

    def note(text: str) -> None:
        typer.echo(f"Note: {text}", err=True)

    for text in settings.notes:
        note(text)
    identity = Identity.of(settings.identity, settings.player)
    run = playing(identity, logs)
    before = journal_standings(logs, settings.identity, settings.player, note)
    statistics, why = None, "not asked"
    if not offline:
        try:
            statistics, why = _ask(settings, logs)
        except BotError as error:
            why = error.message
    run = run or playing(identity, logs)
    ours = before if run is None else journal_standings(logs, settings.identity, settings.player)
    differences = disagreements(ours, statistics, None if run is None else before) if statistics else []
    standing = _Standing(settings, ours, statistics, why, differences, goal, run)
    typer.echo(json.dumps(_as_json(standing)) if as_json else _in_words(standing))
    if not standing.is_met:
        raise typer.Exit(ExitCode.GOAL_MISSED)


def _as_json(standing: _Standing) -> dict[str, object]:
    statistics = standing.statistics
    return {
        "server": standing.settings.identity,
        "stil_ids": list(standing.settings.player),
        "playing": standing.playing is not None,
        "journals": asdict(standing.journals),
        "statistics": asdict(statistics) if statistics else None,
        "books": asdict(statistics) if statistics else None,  # the first edition's name
        "disagreements": standing.differences,
        "goal": standing.goal,
        "passed": standing.is_met,
    }


def _in_words(standing: _Standing) -> str:
    ours, statistics = standing.journals, standing.statistics
    player = "+".join(standing.settings.player)
    is_left = ours.running and standing.playing is None
    lines = [
        f"{player} at {standing.settings.identity}, goal {standing.goal} games in a row without a loss",
        f"Journals: {ours.played} played, {ours.won} won, {ours.drawn} drawn, {ours.lost} lost; "
        f"streak {ours.current}, longest {ours.longest}{', a game is unfinished' if is_left else ''}",
    ]
    if standing.playing is not None:
        lines.insert(1, f"A run is playing now: {standing.playing}.")
    if statistics is None:
        lines.append(f"Server: no statistics ({standing.why_none})")
    else:
        known = "" if statistics.streak_max is None else f", longest {statistics.streak_max}"
        counts = f"{statistics.played} played, {statistics.won} won, {statistics.lost} lost"
        lines.append(f"Server: {counts}; streak {statistics.streak}{known}")
    lines += [f"They disagree: {text}" for text in standing.differences]
    source = "" if statistics is not None else " by the journals alone"
    if standing.is_met:
        lines.append(f"Goal met{source}.")
    else:
        lines.append(f"Goal not met{source}: the longest streak is {standing.longest} of {standing.goal}.")
    return "\n".join(lines)


def _ask(settings: Settings, logs: Path) -> tuple[Stats | None, str]:
    """Return the server's statistics, and why there are none."""
    from bot.cli.progress import waiting
    from bot.course.client.http import CourseClient, Timeouts

    if settings.is_embedded:
        return _embedded_statistics(settings, logs), "no game has been played yet"
    client = CourseClient(settings.server, settings.player, settings.api_key, timeouts=Timeouts(statistics_s=1.0))
    with waiting(lambda: f"Asking {settings.server} for its statistics"):
        return client.read_statistics(), "the server keeps none"


def _embedded_statistics(settings: Settings, logs: Path) -> Stats | None:
    """Return the embedded server's statistics from its database; the server need not run."""
    from bot.course.protocol import Stats
    from bot.course.server.store import Store

    path = logs / "embedded.sqlite3"
    if not path.exists():
        return None
    store = Store(path)
    try:
        record = store.read("+".join(settings.player))
    finally:
        store.close()
    return Stats(record.played, record.won, record.lost, record.streak, record.streak_max, record.total_reward)
