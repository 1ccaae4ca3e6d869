"""`bot simulate`: the session against a virtual server, network and disk; thousands of games a minute."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from bot.errors import ExitCode, UsageError

Result = TypeVar("Result")


def simulate(
    games: Annotated[int, typer.Option(help="Games to play, in series of 20.", min=1)] = 1000,
    faults: Annotated[
        str | None, typer.Option(help="What goes wrong: none, default, or KIND=RATE,...; see below.", metavar="PLAN")
    ] = None,
    opponents: Annotated[
        str,
        typer.Option(help="Bots or groups, comma-separated: open, held-out, all, perfect, random, tommy-ab:4, ..."),
    ] = "open",
    starter: Annotated[str, typer.Option(help="Who moves first: random, student or bot.")] = "random",
    seed: Annotated[int, typer.Option(help="Seed of everything that chance decides.")] = 1,
    train: Annotated[int, typer.Option(help="Games without faults before each series.", min=0)] = 0,
    single_losses: Annotated[
        bool, typer.Option("--single-losses", help="Play out every single lost reply of one game with each starter.")
    ] = False,
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
    shows whether the request was processed (0.5: says nothing). With --single-losses
    only timing is used, and results are exact but for bots that play by chance.

    Exit code 0: no forfeit, no invented result; 5: not so.
    """
    from bot.simulation.faults import FaultRates
    from bot.simulation.opponents.roster import chosen
    from bot.simulation.server import STARTERS

    if starter not in STARTERS:
        raise UsageError(f"There is no starter {starter!r}.", f"Choose among {', '.join(STARTERS)}.")
    rates = FaultRates.parse(faults or ("none" if single_losses else "default"))
    bots = [bot.name for bot in chosen(opponents.split(","))]
    if single_losses:
        from bot.simulation import single

        plan = single.tasks_of(bots, train=train, timing=rates.timing, starter=starter)
        found, interrupted = collected("single losses", single.run_tasks_of(plan, workers), len(plan))
        told = {"timing": rates.timing, "train": train, "interrupted": interrupted, **single.in_json(found)}
        typer.echo(json.dumps(told) if as_json else single.in_words(told))
        _end(interrupted, passed=not any(group["forfeits"] for group in told["groups"].values()))
        return

    from bot.simulation.campaign import run_campaign, tasks_of
    from bot.simulation.report import Report

    tasks = tasks_of(
        bots,
        games,
        seed=seed,
        rates=rates,
        starter=starter,
        train=train,
        checks_values=values,
        journals=_empty(journals),
    )
    start = time.monotonic()
    results, interrupted = collected("games", run_campaign(tasks, workers), games, lambda result: result.games)
    seconds = time.monotonic() - start
    report = Report.of(results)
    speed = round(60 * report.games / max(seconds, 0.001))
    if as_json:
        run = {"seed": seed, "faults": faults, "starter": starter, "train": train, "interrupted": interrupted}
        typer.echo(json.dumps({**run, **report.as_json(), "seconds": round(seconds, 1), "games_per_minute": speed}))
    else:
        typer.echo(f"{report.in_words()}\n{report.games} games in {seconds:.0f} s: {speed} a minute.")
    _end(interrupted, passed=report.faultless)


def _empty(folder: Path | None) -> Path | None:
    """Return the folder, made if need be; raises UsageError when something is in it."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(f"The folder {folder} is not empty.", "Name another with --journals.")
    return folder


def _end(interrupted: bool, *, passed: bool) -> None:
    if interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)
    if not passed:
        raise typer.Exit(ExitCode.GOAL_MISSED)


def collected(
    what: str, results: Iterable[Result], total: int, size: Callable[[Result], int] = lambda _: 1
) -> tuple[list[Result], bool]:
    """Return the results, with a progress bar on stderr, and whether Ctrl-C came first: then those that are there."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    found: list[Result] = []
    with Progress(*columns, console=Console(stderr=True)) as bar:
        shown = bar.add_task(what, total=total)
        try:
            for result in results:
                found.append(result)
                bar.advance(shown, size(result))
        except KeyboardInterrupt:
            return found, True
    return found, False
