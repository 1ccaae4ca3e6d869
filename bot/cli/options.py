"""Options that several commands share: one description of each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.help import complete_agent

MAX_GAMES = 1_000_000
"""Largest number of games that a command accepts."""

Server = Annotated[str | None, typer.Option(metavar="URL", help="Base address of the course server [env: BOT_SERVER].")]
StilId = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ID", help="STIL id of a group member; repeat it for each one [env: BOT_STIL_ID, comma-separated]."
    ),
]
ApiKey = Annotated[
    str | None,
    typer.Option(metavar="KEY", help="The course's key [env: BOT_API_KEY]. --api-key-file FILE keeps it private."),
]
Logs = Annotated[Path, typer.Option(metavar="FOLDER", help="Folder of the journals.")]
Goal = Annotated[int, typer.Option(metavar="N", help="Games in a row without a loss that count as a pass.", min=1)]

Opponent = Annotated[
    str,
    typer.Option(
        metavar="AGENT",
        help="Bot of the embedded server: depth1..depth8, random or any agent's name.",
        autocompletion=complete_agent,
    ),
]
Seed = Annotated[int, typer.Option(metavar="N", help="Seed of everything that is chosen at random.")]
TimeLimit = Annotated[float, typer.Option(metavar="SECONDS", help="Longest time for a move.", min=0.01)]
Think = Annotated[
    float,
    typer.Option(metavar="SECONDS", help="Time that an engine without a fixed depth aims at for a move.", min=0.0),
]
RandomPlies = Annotated[
    int,
    typer.Option(
        metavar="N", help="Random plies before the agents take over; two games share an opening.", min=0, max=41
    ),
]
Workers = Annotated[int, typer.Option(metavar="N", help="Processes on this machine.", min=1, max=1024)]
Scheduler = Annotated[str | None, typer.Option(metavar="ADDRESS", help="Address of a Dask scheduler (extra: scale).")]
GameFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Keep every game in this file; the same command resumes an interrupted run."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
