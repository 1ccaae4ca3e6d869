"""Options: how one is declared, and those that several commands share, each declared once."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

MAX_GAMES = 1_000_000
"""Largest number of games that a command accepts."""

MAX_S = 86_400.0
"""Longest time that an option accepts, seconds (a day)."""


def complete_agent(incomplete: str) -> list[tuple[str, str]]:
    """Return agents that begin with ``incomplete``, with descriptions; families with the depth that is offered."""
    from bot.agents.catalogue import COURSE_BOT, agent_names, families

    found = {entry.full_name(): entry.about for entry in families()}
    found |= {name: "the course's own bot: minimax" for name in agent_names() if name.startswith(COURSE_BOT)}
    found["scripted:4455"] = "plays the listed columns in turn"
    return [(name, about) for name, about in found.items() if name.startswith(incomplete)]


def option(metavar: str, help: str, *names: str, **more: Any) -> Any:
    """Declare an option with a value. ``metavar`` names the value; ``names`` are needed where a parameter's differs."""
    return typer.Option(*names, metavar=metavar, help=help, **more)


def seconds(help: str, *, min: float) -> Any:
    """Declare an option for a time, at most a day: what a journal holds is finite."""
    return option("SECONDS", help, min=min, max=MAX_S, callback=_checked_seconds)


def _checked_seconds(value: float | None) -> float | None:
    if value is not None and not isfinite(value):
        raise typer.BadParameter("It is not a finite number of seconds.")
    return value


def flag(name: str, help: str) -> Any:
    """Declare an option without a value."""
    return typer.Option(name, help=help)


def argument(metavar: str, help: str, **more: Any) -> Any:
    """Declare an argument."""
    return typer.Argument(metavar=metavar, help=help, **more)


ServerUrl = Annotated[str | None, option("URL", "Base address of the course server [env: BOT_SERVER].")]
StilIdOption = Annotated[
    list[str] | None,
    option("ID", "STIL id of a group member; repeat it for each one [env: BOT_STIL_ID, comma-separated]."),
]
KeyFile = Annotated[
    str | None,
    option("FILE", "File that holds the course's key [env: BOT_API_KEY, the key].", "--api-key-file"),
]
Logs = Annotated[Path, option("FOLDER", "Folder of the journals.")]
Goal = Annotated[int, option("N", "Games in a row without a loss that count as a pass.", min=1, max=MAX_GAMES)]

OneAgent = Annotated[
    str, argument("AGENT", "Such as perfect, mtdf, depth8 or tommy-ab:8.", autocompletion=complete_agent)
]
Opponent = Annotated[
    str,
    option(
        "AGENT",
        "The server's bot: random, depth1..depth8, perfect, scripted:COLUMNS or any agent's name.",
        autocompletion=complete_agent,
    ),
]
Engine = Annotated[
    str,
    option(
        "AGENT",
        "Engine that chooses our moves: perfect, mtdf, alphabeta or any agent's name.",
        autocompletion=complete_agent,
    ),
]
StarterOption = Annotated[
    Literal["random", "student", "bot"], option("NAME", "Side that moves first: random, student or bot.")
]
Games = Annotated[
    int, option("N", "Games to play in this run; a game that it resumes is the first of them.", min=1, max=MAX_GAMES)
]
Seed = Annotated[int, option("N", "Seed of everything that is chosen at random.")]
RandomSeed = Annotated[
    int | None, option("N", "Seed of everything that is chosen at random; without it, no two runs are equal.")
]
TimeLimit = Annotated[float, seconds("Longest time for a move.", min=0.01)]

MOVES = argument("MOVES", 'Columns 1-7 or a-g in order of play; "" is the empty board.')
MovesArgument = Annotated[str, MOVES]
GameOption = Annotated[int | None, option("N", "Only this game of the journal.", "--game", min=1)]
RandomPlies = Annotated[
    int, option("N", "Random plies before the agents take over; two games share an opening.", min=0, max=41)
]
Workers = Annotated[int, option("N", "Processes on this machine.", min=1, max=1024)]
Scheduler = Annotated[str | None, option("ADDRESS", "Address of a Dask scheduler (extra: scale).")]
GameFile = Annotated[
    Path | None,
    option(
        "FILE",
        "Keep every game in this file; the same command resumes a run. Games of a changed agent are played again.",
    ),
]
AsJson = Annotated[bool, flag("--json", "Print JSON; columns are numbered 1 to 7 there, too.")]
