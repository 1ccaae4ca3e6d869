"""`bot bench levels` and `bot bench coach`: measurements of what is made for people; part of `bot bench`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.options import MAX_GAMES, AsJson
from bot.errors import ExitCode
from bot.files import LineFile


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


def coach(
    games: Annotated[int, typer.Option(metavar="N", help="Games.", min=1, max=MAX_GAMES)] = 1000,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of all games.")] = 1,
    results: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File to which finished games are appended, and from which a run resumes."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Count the mistakes in seeded games of levels 1 to 6 for which the coach has a proven reason.

    A reason is immediate when its pattern follows the move at once, near within 13 plies of best play. The file of
    results holds every stated line; `python -m tests.coach.check_reasons FILE` checks them independently.

    \b
    Examples:
      bot bench coach --games 20
      bot bench coach --results coach.jsonl
    """
    from bot.bench.coach import BEGINNING, read_records, records, summary
    from bot.cli.progress import loading_engine, progress

    with loading_engine():
        from bot.coach.coach import Coach
        from bot.engine.analysis import Analyst
        from bot.engine.perfect import shipped_book

        analyst = Analyst(shipped_book())
        analyst.warm_up()
    done = {record["number"]: record for record in read_records(results) if record["number"] < games}
    missing = [number for number in range(games) if number not in done]
    with progress() as bars, LineFile(results, beginnings=BEGINNING) as file:
        part = bars.part("games", games, len(done))
        for record in records(missing, seed, Coach(analyst)):
            done[record["number"]] = record
            file.append(json.dumps(record))
            part.advance()
    found = summary(done.values())
    if as_json:
        typer.echo(json.dumps({"seed": seed, **found}))
        return
    typer.echo(f"{found['games']} games, {found['mistakes']} mistakes: {found['by_verdict']}")
    for name in ("immediate", "near", "any"):
        typer.echo(f"  with a reason ({name}): {found['explained'].get(name, 0)}, {found['share'].get(name, 0):.1%}")
    for kind, number in found["kinds"].items():
        typer.echo(f"  {number:6}  {kind}")
