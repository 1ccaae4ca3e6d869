"""`bot simulate`: the session against a virtual server, network and disk; thousands of games a minute."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from bot.simulation.campaign import SeriesResult, SeriesTask


def simulate(
    games: Annotated[int, typer.Option(help="Games to play, in series of 20.", min=1)] = 1000,
    faults: Annotated[
        str, typer.Option(help="What goes wrong: none, default, or KIND=RATE,...; see below.", metavar="PLAN")
    ] = "default",
    opponents: Annotated[
        str,
        typer.Option(help="Bots or groups, comma-separated: open, held-out, all, perfect, random, tommy-ab:4, ..."),
    ] = "open",
    starter: Annotated[str, typer.Option(help="Who moves first: random, student or bot.")] = "random",
    seed: Annotated[int, typer.Option(help="Seed of everything that chance decides.")] = 1,
    train: Annotated[int, typer.Option(help="Games without faults before each series.", min=0)] = 0,
    values: Annotated[bool, typer.Option("--values", help="Count moves that gave value away.")] = False,
    journals: Annotated[Path | None, typer.Option(help="Empty folder for the journal of each series.")] = None,
    workers: Annotated[int, typer.Option(help="Processes on this machine.", min=1)] = 2,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play series of games in virtual time, without sockets, and count what the faults cost.

    Equal seeds give equal games and byte-identical journals, whatever the number of
    processes. A plan of faults reads lost=0.05,kill=0.01; rates are for each request:
    lost (half before, half after processing), lost_opening, unsent, slow, stale,
    duplicate, partial, restart, statistics; kill for each record of the journal;
    lag: seconds by which statistics lag; timing: how often the moment of a failure
    shows whether the request was processed (0.5: says nothing).

    Exit code 0: no forfeit, no invented result; 5: not so.
    """
    from bot.simulation.campaign import tasks_of
    from bot.simulation.faults import FaultRates
    from bot.simulation.opponents.roster import chosen
    from bot.simulation.report import Report
    from bot.simulation.server import STARTERS

    if starter not in STARTERS:
        raise UsageError(f"There is no starter {starter!r}.", f"Choose among {', '.join(STARTERS)}.")
    if journals is not None:
        journals.mkdir(parents=True, exist_ok=True)
        if any(journals.iterdir()):
            raise UsageError(f"The folder {journals} is not empty.", "Name another with --journals.")
    tasks = tasks_of(
        [bot.name for bot in chosen(opponents.split(","))],
        games,
        seed=seed,
        rates=FaultRates.parse(faults),
        starter=starter,
        train=train,
        checks_values=values,
        journals=journals,
    )
    start = time.monotonic()
    results, interrupted = _played(tasks, workers)
    seconds = time.monotonic() - start
    report = Report.of(results)
    speed = round(60 * report.games / max(seconds, 0.001))
    if as_json:
        run = {"seed": seed, "faults": faults, "starter": starter, "train": train, "interrupted": interrupted}
        typer.echo(json.dumps({**run, **report.as_json(), "seconds": round(seconds, 1), "games_per_minute": speed}))
    else:
        typer.echo(f"{report.in_words()}\n{report.games} games in {seconds:.0f} s: {speed} a minute.")
    if interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)
    if not report.faultless:
        raise typer.Exit(ExitCode.GOAL_MISSED)


def _played(tasks: list[SeriesTask], workers: int) -> tuple[list[SeriesResult], bool]:
    """Play with a progress bar on stderr; Ctrl-C keeps the series that are finished."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from bot.simulation.campaign import run_campaign

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    results: list[SeriesResult] = []
    with Progress(*columns, console=Console(stderr=True)) as bar:
        shown = bar.add_task("games", total=sum(task.games for task in tasks))
        try:
            for result in run_campaign(tasks, workers):
                results.append(result)
                bar.advance(shown, result.games)
        except KeyboardInterrupt:
            return results, True
    return results, False
