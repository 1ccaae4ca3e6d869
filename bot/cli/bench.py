"""`bot bench`: the speed of the solver, and the policy for lost replies."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer

from bot.cli.bench_solver import peer, solver
from bot.cli.formatting import print_json
from bot.cli.options import AsJson, Workers, option
from bot.errors import UsageError

bench = typer.Typer(help="Measure the solver, and the policy for lost replies.", no_args_is_help=True)
for _command in (solver, peer):
    bench.command()(_command)


@bench.command()
def recovery(
    half: Annotated[
        Literal["open", "held-out", "both"], option("NAME", "Opponents: open, held-out, or both.")
    ] = "both",
    only: Annotated[str | None, option("NAMES", "Ingredients to switch off, comma-separated (all by default).")] = None,
    setting: Annotated[
        list[str] | None, option("NAME", "Situation, by its name in the table; may be repeated (all by default).")
    ] = None,
    workers: Workers = 2,
    results: Annotated[
        Path | None, option("FILE", "File to which finished games are appended, and from which a run resumes.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure what each ingredient of the policy for lost replies contributes, by playing without it.

    Every single lost reply of games against foreign bots is played out, at first contact and after 20 games. Prints
    the Markdown table of bot/course/session/README.md.

    \b
    Examples:
      bot bench recovery --half open --results recovery.jsonl
    """
    from bot.cli.progress import progress
    from bot.trials.bench.recovery import SETTINGS, VARIANTS, finished, markdown, measured, table_of, tasks
    from bot.trials.simulation.opponents.roster import GROUPS

    chosen = list(VARIANTS) if only is None else ["whole policy", *(name.strip() for name in only.split(","))]
    if not set(chosen) <= VARIANTS.keys():
        raise UsageError("There is no such ingredient.", f"Choose among: {', '.join(list(VARIANTS)[1:])}.")
    settings = [each for each in SETTINGS if not setting or each.name in setting]
    if len(settings) < len(setting or ()) or not settings:
        raise UsageError("There is no such setting.", f"Choose among: {'; '.join(each.name for each in SETTINGS)}.")
    places = tasks(GROUPS if half == "both" else (half,), chosen, settings)
    done = finished(results, places)
    with progress("games", len(places), len(done), between=True) as played:
        for result in measured([each for each in places if each not in done], workers, results):
            done[result.task] = result
            played.advance()
    table = table_of(places, done.values())
    if as_json:
        cells = {
            place: {name: {each: asdict(cell) for each, cell in column.items()} for name, column in settings.items()}
            for place, settings in table.items()
        }
        print_json(cells)
    else:
        typer.echo(markdown(table))
