"""`bot doctor`: is everything in order on this machine?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bot.doctor import Finding


def doctor(
    server: Annotated[str | None, typer.Option(help="Base address of the course server [env: BOT_SERVER].")] = None,
    stil_id: Annotated[
        list[str] | None, typer.Option(help="A group member's STIL id; repeat it for each one [env: BOT_STIL_ID].")
    ] = None,
    api_key: Annotated[str | None, typer.Option(help="The course's key [env: BOT_API_KEY].")] = None,
    logs: Annotated[Path, typer.Option(help="Folder of the journals.")] = Path("logs"),
    time_limit: Annotated[float, typer.Option(help="Seconds that a move may take.", min=0.5)] = 5.0,
    compile_anew: Annotated[
        bool, typer.Option("--compile", help="Measure compiling too, in a fresh folder; takes some 15 s.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one list of objects.")] = False,
) -> None:
    """Examine this machine: Python, packages, engine, speed, book, journals, server; each with the next step.

    Nothing is changed and no move is sent; a server is asked for its title and
    its statistics only. Exit code 0: no errors; else that of the first one.
    """
    from bot.doctor import Examination, Level, examine

    found = []
    for finding in examine(Examination(server, tuple(stil_id or ()), api_key, logs, time_limit, compile_anew)):
        found.append(finding)
        if not as_json:
            _show(finding)
    if as_json:
        typer.echo(json.dumps([finding.as_json() for finding in found], indent=1))
    wrong = [finding for finding in found if finding.level is Level.ERROR]
    if not as_json:
        warnings = sum(finding.level is Level.WARNING for finding in found)
        typer.echo(f"{_counted(len(wrong), 'error')}, {_counted(warnings, 'warning')}.")
    if wrong:
        raise typer.Exit(wrong[0].exit_code)


def _show(finding: Finding) -> None:
    colour = {"ok": typer.colors.GREEN, "warning": typer.colors.YELLOW, "error": typer.colors.RED}
    level = finding.level.value
    typer.echo(f"{typer.style(f'{level:8}', fg=colour[level])} {finding.name:11} {finding.text}")
    if finding.next_step:
        typer.echo(f"{'':20} -> {finding.next_step}")


def _counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
