"""`bot soak`: does any fault, or any death of the player, cost a game?"""

from __future__ import annotations

import json
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.errors import UsageError

if TYPE_CHECKING:
    from bot.match.soak import SoakReport


def soak(
    games: Annotated[int, typer.Option(help="How many games to play.", min=1)] = 30,
    faults: Annotated[
        str, typer.Option(help="Which requests fail, as `serve --faults` reads it; or none.", metavar="PLAN")
    ] = "default",
    kill: Annotated[
        float, typer.Option(help="The chance, for each request, that the player is killed.", min=0.0, max=0.9)
    ] = 0.02,
    opponent: Annotated[str, typer.Option(help="The server's bot: random, depth1..depth8, ...")] = "depth3",
    starter: Annotated[str, typer.Option(help="Who moves first: random, student or bot.")] = "random",
    engine: Annotated[str, typer.Option(help="Who chooses our moves.")] = "perfect",
    think: Annotated[float, typer.Option(help="Seconds that a search aims at, as in play.", min=0.01)] = 0.1,
    seed: Annotated[int, typer.Option(help="Makes faults, kills, the bot and the starter repeatable.")] = 1,
    keep: Annotated[
        Path | None,
        typer.Option(help="Empty folder for journals and the server's books; else they are thrown away."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one object at the end.")] = False,
) -> None:
    """Play through a failing network with a player that is killed at random, and judge by the server's books.

    The embedded server runs behind the faults of `serve --faults` (default: 20 % of the requests); `play` runs as
    a process, is killed at random moments and started again. Exit code 0: no game was lost, no move gave value away
    where a safe one existed, and journals and server agree; 5: not so.
    """
    from dataclasses import asdict
    from tempfile import TemporaryDirectory

    from bot.cli.agents import make_agent
    from bot.errors import ExitCode
    from bot.match.soak import SoakPlan
    from bot.match.soak import soak as run_soak
    from bot.server.opponents import make_opponent
    from bot.server.referee import Starter

    if starter not in set(Starter):
        raise UsageError(f"There is no starter {starter!r}.", "Choose random, student or bot.")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: no player is left behind
    with ExitStack() as stack:
        folder = (keep or Path(stack.enter_context(TemporaryDirectory(prefix="bot-soak-")))).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(f"The folder {folder} is not empty.", "Name another with --keep.")
        plan = SoakPlan(games, folder, faults, kill, seed, Starter(starter), engine, think)
        report = run_soak(plan, make_opponent(opponent, seed, make_agent), _progress(stack))
    if as_json:
        typer.echo(json.dumps({**asdict(report), "passed": report.passed}))
    else:
        typer.echo(_in_words(report))
    if not report.passed:
        raise typer.Exit(ExitCode.GOAL_MISSED)


def _progress(stack: ExitStack):  # type: ignore[no-untyped-def]
    """A bar on stderr for each part of the work."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = stack.enter_context(Progress(*columns, console=Console(stderr=True)))
    parts: dict[str, object] = {}

    def progress(part: str, done: int, total: int) -> None:
        if part not in parts:
            parts[part] = bar.add_task(part, total=total)
        bar.update(parts[part], completed=done)  # type: ignore[arg-type]

    return progress


def _in_words(report: SoakReport) -> str:
    faults = ", ".join(f"{kind} {count}" for kind, count in sorted(report.faults.items())) or "none"
    lines = [
        f"Games: {report.games} played, {report.won} won, {report.drawn} drawn, {len(report.lost)} lost "
        f"on the server's books; longest streak {report.streak_max}.",
        f"Faults: {sum(report.faults.values())} of {report.requests} requests ({faults}).",
        f"Player: killed {report.kills} times, {report.resumes} games taken up, {len(report.failures)} runs failed.",
        f"Worlds: {report.unknown} requests of unknown fate, {report.resolved} resolved, "
        f"{report.unsafe} choices without a safe column.",
        f"Moves: {report.moves} checked, {len(report.given_away)} gave value away "
        f"({len(report.excused)} more where no safe column existed), {report.unchecked} unchecked, {report.late} late.",
        f"Journals and server: {len(report.disagreements)} disagreements.",
    ]
    for found in (report.lost, report.given_away, report.disagreements, report.failures):
        lines += [f"  {text}" for text in found[:20]]
    lines.append(f"{'Passed' if report.passed else 'Failed'} in {report.seconds:.0f} s.")
    return "\n".join(lines)
