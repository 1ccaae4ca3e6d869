"""`bot simulate`: the session against a virtual server, network and disk; thousands of games a minute."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from bot.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from bot.simulation.campaign import SeriesResult
    from bot.simulation.faults import FaultRates

Result = TypeVar("Result")


def simulate(
    games: Annotated[
        int | None,
        typer.Option(help="Games in all: 1000 in series of 20; with --exhaustive 10, --optimum 60 positions.", min=1),
    ] = None,
    faults: Annotated[
        str | None, typer.Option(help="What goes wrong: none, default, or KIND=RATE,...; see below.", metavar="PLAN")
    ] = None,
    opponents: Annotated[
        str,
        typer.Option(help="Bots or groups, comma-separated: open, held-out, all, perfect, random, tommy-ab:4, ..."),
    ] = "open",
    starter: Annotated[str, typer.Option(help="Who moves first: random, student or bot.")] = "random",
    seed: Annotated[int, typer.Option(help="Seed of everything that chance decides.")] = 1,
    timing: Annotated[
        float | None, typer.Option(help="Overrides the plan's timing (0.5 unless named there).", min=0.0, max=1.0)
    ] = None,
    train: Annotated[int, typer.Option(help="Games without faults before each series.", min=0)] = 0,
    single_losses: Annotated[
        bool, typer.Option("--single-losses", help="Play out every single lost reply of one game with each starter.")
    ] = False,
    exhaustive: Annotated[
        bool, typer.Option("--exhaustive", help="Play every fault and kill, and all pairs of them, of some games.")
    ] = False,
    optimum: Annotated[
        bool, typer.Option("--optimum", help="Compare with the best possible decisions against known bots.")
    ] = False,
    max_faults: Annotated[int, typer.Option(help="Faults in one case of --exhaustive.", min=1, max=3)] = 2,
    oracle: Annotated[
        bool, typer.Option("--oracle", help="Play again with an oracle, which knows the bot's true answers; see below.")
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
    only timing is used, and results are exact but for bots that play by chance. The
    same lost replies are also decided by an oracle: the policy with the bot's true
    answers in place of its prediction. Option --oracle plays series of games a
    second time so; single losses are then also decided by an oracle that plans
    with the answers from the start (slow against bots that play by chance). With
    --exhaustive no rates are used: every kind of fault meets every request, every
    reading and every record of the journal, up to states that are equal. With --optimum
    the bot is known and the plan's rate of lost replies holds: late positions are solved
    exactly, and lines of whole games searched in which one lost reply costs nothing.

    Exit code 0: no forfeit, no invented result; 5: not so.
    """
    from bot.simulation.faults import FaultRates
    from bot.simulation.opponents.roster import chosen
    from bot.simulation.server import STARTERS

    if starter not in STARTERS:
        raise UsageError(f"There is no starter {starter!r}.", f"Choose among {', '.join(STARTERS)}.")
    if single_losses + exhaustive + optimum > 1:
        raise UsageError("--single-losses, --exhaustive and --optimum exclude each other.", "Give one of them.")
    rates = FaultRates.parse(faults or ("none" if single_losses else "lost=0.05" if optimum else "default"))
    plan = Plan(
        bots=tuple(bot.name for bot in chosen(opponents.split(","))),
        games=games or (10 if exhaustive else 60 if optimum else 1000),
        rates=rates if timing is None else replace(rates, timing=timing),
        starter=starter,
        seed=seed,
        train=train,
        max_faults=max_faults,
        oracle=oracle,
        values=values,
        journals=journals,
        workers=workers,
    )
    found = (_single if single_losses else _exhaustive if exhaustive else _optimum if optimum else _series)(plan)
    run = {"seed": seed, "starter": starter, "train": train, "interrupted": found.interrupted}
    typer.echo(json.dumps({**run, **found.told}) if as_json else found.words)
    if found.interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)
    if not found.passed:
        raise typer.Exit(ExitCode.GOAL_MISSED)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to simulate."""

    bots: tuple[str, ...]
    games: int
    rates: FaultRates
    starter: str
    seed: int
    train: int
    max_faults: int
    oracle: bool
    values: bool
    journals: Path | None
    workers: int


@dataclass(frozen=True, slots=True)
class Found:
    """What a simulation showed."""

    told: dict[str, Any]
    words: str
    interrupted: bool
    passed: bool


def _series(plan: Plan) -> Found:
    from bot.simulation.campaign import run_campaign, tasks_of
    from bot.simulation.oracle import ORACLE
    from bot.simulation.report import Report

    tasks = tasks_of(
        plan.bots,
        plan.games,
        seed=plan.seed,
        rates=plan.rates,
        starter=plan.starter,
        train=plan.train,
        checks_values=plan.values,
        journals=_empty(plan.journals),
    )
    start = time.monotonic()
    results, interrupted = collected("games", run_campaign(tasks, plan.workers), plan.games, lambda each: each.games)
    seconds = time.monotonic() - start
    decided: list[SeriesResult] = []
    if plan.oracle and not interrupted:
        again = [replace(task, oracle=ORACLE, checks_values=False, journals=None) for task in tasks]
        played = run_campaign(again, plan.workers)
        decided, interrupted = collected("games of the oracle", played, plan.games, lambda each: each.games)
    report = Report.of(results, decided)
    speed = round(60 * report.games / max(seconds, 0.001))
    told = {"faults": asdict(plan.rates), **report.as_json(), "seconds": round(seconds, 1), "games_per_minute": speed}
    words = f"{report.in_words()}\n{report.games} games in {seconds:.0f} s: {speed} a minute."
    return Found(told, words, interrupted, report.faultless)


def _single(plan: Plan) -> Found:
    from bot.simulation.oracle import KINDS, ORACLE
    from bot.simulation.single import run_tasks_of, tasks_of
    from bot.simulation.single_report import in_json, in_words

    oracles = KINDS if plan.oracle else (ORACLE,)
    tasks = tasks_of(plan.bots, train=plan.train, timing=plan.rates.timing, starter=plan.starter, oracles=oracles)
    results, interrupted = collected("single losses", run_tasks_of(tasks, plan.workers), len(tasks))
    told = in_json(results)
    passed = not any(group["forfeits"] for group in told["groups"].values())
    return Found({"timing": plan.rates.timing, **told}, in_words(told), interrupted, passed)


def _exhaustive(plan: Plan) -> Found:
    from bot.simulation.exhaustive import in_json, in_words, run_tasks_of, tasks_of

    tasks = tasks_of(
        plan.bots,
        plan.games,
        max_faults=plan.max_faults,
        seed=plan.seed,
        starter=plan.starter,
        train=plan.train,
    )
    results, interrupted = collected("games of the first fault", run_tasks_of(tasks, plan.workers), len(tasks))
    told = in_json(results)
    return Found({"max_faults": plan.max_faults, **told}, in_words(told), interrupted, not told["violations"])


def _optimum(plan: Plan) -> Found:
    from bot.simulation import lines
    from bot.simulation.optimum import in_json, in_words, run_tasks_of, tasks_of

    positions = tasks_of(plan.bots, plan.games, rate=plan.rates.lost, seed=plan.seed)
    solved, interrupted = collected("positions", run_tasks_of(positions, plan.workers), len(positions))
    games = lines.tasks_of(plan.bots)
    found: list[lines.LineResult] = []
    if not interrupted:
        found, interrupted = collected("lines", lines.run_tasks_of(games, plan.workers), len(games))
    told = {**in_json(solved), "lines": lines.in_json(found)}
    return Found(told, in_words(told), interrupted, not told["lines"]["lost_in_replay"])


def _empty(folder: Path | None) -> Path | None:
    """Return the folder, made if need be; raises UsageError when something is in it."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(f"The folder {folder} is not empty.", "Name another with --journals.")
    return folder


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
