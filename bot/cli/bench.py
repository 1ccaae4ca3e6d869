"""`bot bench`: the speed of the solver and the engine, and the policy for lost replies."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.bench_solver import peer, solver
from bot.cli.formatting import counted
from bot.cli.help import complete_agent
from bot.cli.options import MAX_GAMES, AsJson, Think, TimeLimit, Workers
from bot.errors import UsageError

bench = typer.Typer(help="Measure the solver, the engine, and the policy for lost replies.", no_args_is_help=True)
for _command in (solver, peer):
    bench.command()(_command)


@bench.command()
def engine(
    engine: Annotated[
        str, typer.Option(metavar="AGENT", help="Engine to measure.", autocompletion=complete_agent)
    ] = "perfect",
    opponent: Annotated[
        str, typer.Option(metavar="AGENT", help="Its opponent.", autocompletion=complete_agent)
    ] = "depth3",
    games: Annotated[
        int, typer.Option(metavar="N", help="Games; the engine moves first in every other one.", min=1, max=MAX_GAMES)
    ] = 20,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the random positions and of the agents.")] = 1,
    time_limit: TimeLimit = 5.0,
    think: Think = 0.2,
    as_json: AsJson = False,
) -> None:
    """Play an engine from random positions (0 to 20 plies) to the end and show its move times.

    Everything is compiled before the first move. The engine keeps its table from game to game, as in `bot play`.

    \b
    Examples:
      bot bench engine                             the bot against the course's depth 3
      bot bench engine --engine mtdf --opponent perfect --games 4
    """
    from bot.agents.catalogue import make_agent
    from bot.cli.progress import loading_engine, progress
    from bot.engine.agent import Limit
    from bot.engine.warmup import warm_up
    from bot.trials.bench.engine import move_times, rows_of

    with loading_engine():
        ours, other = make_agent(engine, seed=seed), make_agent(opponent, seed=seed)
        warm_up_s = warm_up(ours, other)
    times = []
    with progress(between=True) as bars:
        part = bars.part("games", games)
        for game in move_times(ours, other, games, seed, Limit(hard_s=time_limit, think_s=think)):
            times += game
            part.advance()
    rows = rows_of(times)
    if as_json:
        run = {"engine": engine, "opponent": opponent, "games": games, "seed": seed, "warm_up_s": warm_up_s}
        typer.echo(json.dumps({**run, "rows": rows}))
        return
    typer.echo(f"{engine} against {opponent}, {counted(games, 'game')}; ready after {warm_up_s:.2f} s")
    typer.echo(f"{'':10}  moves  median ms      95 %      99 %  worst ms")
    for row in rows:
        shown = "  ".join(f"{row[key] * 1000:8.2f}" for key in ("median_s", "p95_s", "p99_s", "worst_s"))
        typer.echo(f"{row['name']:10}  {row['moves']:5}   {shown}")


@bench.command()
def recovery(
    half: Annotated[str, typer.Option(metavar="NAME", help="Opponents: open, held-out, or both.")] = "both",
    only: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Ingredients to switch off, comma-separated (all by default).")
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Situation, by its name in the table; may be repeated (all by default)."),
    ] = None,
    workers: Workers = 2,
    results: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File to which finished games are appended, and from which a run resumes."),
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

    if half not in (*GROUPS, "both"):
        raise UsageError(f"There is no group of opponents called {half!r}.", "Choose open, held-out or both.")
    chosen = list(VARIANTS) if only is None else ["whole policy", *(name.strip() for name in only.split(","))]
    if not set(chosen) <= VARIANTS.keys():
        raise UsageError("There is no such ingredient.", f"Choose among: {', '.join(list(VARIANTS)[1:])}.")
    settings = [each for each in SETTINGS if not setting or each.name in setting]
    if len(settings) < len(setting or ()) or not settings:
        raise UsageError("There is no such setting.", f"Choose among: {'; '.join(each.name for each in SETTINGS)}.")
    places = tasks(GROUPS if half == "both" else (half,), chosen, settings)
    done = finished(results, places)
    with progress(between=True) as bars:
        part = bars.part("games", len(places), len(done))
        for result in measured([each for each in places if each not in done], workers, results):
            done[result.task] = result
            part.advance()
    table = table_of(places, done.values())
    if as_json:
        cells = {
            place: {name: {each: asdict(cell) for each, cell in column.items()} for name, column in settings.items()}
            for place, settings in table.items()
        }
        typer.echo(json.dumps(cells))
    else:
        typer.echo(markdown(table))
