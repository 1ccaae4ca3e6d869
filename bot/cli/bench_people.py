"""`bot bench levels`: the measurements of what people play with; part of `bot bench`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from bot.cli.options import MAX_GAMES, AsJson
from bot.errors import ExitCode


def levels(
    only: Annotated[
        list[int] | None, typer.Option(metavar="N", help="Level to measure; may be repeated (all).", min=1, max=10)
    ] = None,
    games: Annotated[int, typer.Option(metavar="N", help="Games per level.", min=2, max=MAX_GAMES)] = 200,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of all games.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Measure each level for people against the next lower one, and level 1 against the random agent.

    Both start equally often from the empty board. Prints the Markdown table of bot/levels/README.md, each row as soon
    as it is known. A level should score 60 % to 80 %.

    Exit code 0: every level from 2 on does; 1: one does not.

    \b
    Examples:
      bot bench levels                             all ten, 200 games each
      bot bench levels --only 3 --games 50
    """
    from bot.bench.levels import markdown, measured, row_of
    from bot.cli.progress import progress
    from bot.levels.table import LEVELS

    rows = []
    with progress(between=True) as bars:
        for number in only or [level.number for level in LEVELS]:
            part = bars.part(f"level {number}", games)
            rows.append(row_of(number, measured(number, games, seed, part.advance)))
            if not as_json:
                head, line, row = markdown(rows[-1:]).split("\n")
                typer.echo("\n".join((head, line, row) if len(rows) == 1 else (row,)))
    if as_json:
        typer.echo(json.dumps({"games": games, "seed": seed, "rows": rows}))
    if not all(row["in_range"] for row in rows if row["level"] > 1):
        raise typer.Exit(ExitCode.BUG)
