"""`bot streak`: is the goal met?"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.errors import BotError, ExitCode

if TYPE_CHECKING:
    from bot.client.wire import Stats
    from bot.config import Settings


def streak(
    server: Annotated[str | None, typer.Option(help="Base address of the course server [env: BOT_SERVER].")] = None,
    stil_id: Annotated[
        list[str] | None, typer.Option(help="A group member's STIL id; repeat it for each one [env: BOT_STIL_ID].")
    ] = None,
    api_key: Annotated[str | None, typer.Option(help="The course's key [env: BOT_API_KEY].")] = None,
    goal: Annotated[int, typer.Option(help="Games in a row without a loss that count as a pass.", min=1)] = 20,
    logs: Annotated[Path, typer.Option(help="Folder of the journals.")] = Path("logs"),
    offline: Annotated[bool, typer.Option("--offline", help="Do not ask the server.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one object.")] = False,
) -> None:
    """Show the current and the longest run of games without a loss, from the journals and from the server's books.

    Exit code 0: the goal is met, by the server's books where they can be read; 5: it is not.
    """
    from bot.config import load_settings
    from bot.play.standings import disagreements, journal_standings

    settings = load_settings(server, stil_id, api_key)

    def note(text: str) -> None:
        typer.echo(f"Note: {text}", err=True)

    for text in settings.notes:
        note(text)
    ours = journal_standings(logs, settings.identity, settings.player, note)
    books, why = None, "not asked"
    if not offline:
        try:
            books, why = _ask(settings, logs)
        except BotError as error:
            why = error.message
    differences = disagreements(ours, books) if books else []
    longest = ours.longest if books is None else max(books.streak, books.streak_max or 0)
    met = longest >= goal
    if as_json:
        told = {
            "server": settings.identity,
            "stil_ids": list(settings.player),
            "journals": asdict(ours),
            "books": asdict(books) if books else None,
            "disagreements": differences,
            "goal": goal,
            "passed": met,
        }
        typer.echo(json.dumps(told))
    else:
        typer.echo(f"{'+'.join(settings.player)} at {settings.identity}, goal {goal} games in a row without a loss")
        typer.echo(
            f"Journals: {ours.played} played, {ours.won} won, {ours.drawn} drawn, {ours.lost} lost; "
            f"streak {ours.current}, longest {ours.longest}{', a game is unfinished' if ours.running else ''}"
        )
        if books is None:
            typer.echo(f"Server: no statistics ({why})")
        else:
            known = "" if books.streak_max is None else f", longest {books.streak_max}"
            typer.echo(
                f"Server: {books.played} played, {books.won} won, {books.lost} lost; streak {books.streak}{known}"
            )
        for text in differences:
            typer.echo(f"They disagree: {text}")
        typer.echo("Goal met." if met else f"Goal not met: the longest streak is {longest} of {goal}.")
    if not met:
        raise typer.Exit(ExitCode.GOAL_MISSED)


def _ask(settings: Settings, logs: Path) -> tuple[Stats | None, str]:
    """The server's books, and why there are none."""
    from bot.client.http import CourseClient, Timeouts

    if settings.is_embedded:
        return _embedded_books(settings, logs), "it has not been played yet"
    client = CourseClient(settings.server, settings.player, settings.api_key, Timeouts(first_contact_s=1.0))
    return client.stats(), "the server keeps none"


def _embedded_books(settings: Settings, logs: Path) -> Stats | None:
    """The embedded server's books; it need not run to be read."""
    from bot.client.wire import Stats
    from bot.server.store import Store

    path = logs / "embedded.sqlite3"
    if not path.exists():
        return None
    store = Store(path)
    try:
        record = store.read("+".join(settings.player))
    finally:
        store.close()
    return Stats(record.played, record.won, record.lost, record.streak, record.streak_max, record.total_reward)
