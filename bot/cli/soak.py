"""`bot soak`: many games over a failing network with a player that is killed at random."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.formatting import counted, print_json
from bot.cli.options import AsJson, Engine, Games, Seed, Starter, Think, option
from bot.errors import ExitCode, UsageError
from bot.files import empty_folder

if TYPE_CHECKING:
    from bot.trials.simulation.soak_judge import SoakReport

OPPONENTS = "o-table-3,o-tutorial-3,h-windows-plain,h-even-threats"
"""Foreign bots that search 3 plies; two of them are held out: nothing was tuned on them."""
_SHOWN = 20
"""Maximum number of lines of each kind of problem."""
_CLEANUP_S = 5.0
"""Longest time for ending the players after Ctrl-C, seconds."""


def soak(
    games: Games = 30,
    faults: Annotated[str, option("PLAN", "Requests that fail, as in `serve --faults`; or none.")] = "default",
    kill: Annotated[
        float, option("P", "Probability, per request, that the player is killed soon after.", min=0.0, max=0.9)
    ] = 0.02,
    opponent: Annotated[
        str,
        option("NAMES", "The server's bots, comma-separated: foreign bots, open, held-out, all, random, depth3, ..."),
    ] = OPPONENTS,
    starter: Starter = "random",
    engine: Engine = "perfect",
    think: Think = 0.1,
    seed: Seed = 1,
    keep: Annotated[
        Path | None,
        option("FOLDER", "Empty folder for journals and databases; else they are deleted unless the soak fails."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play through a failing network with a player that is killed at random, and judge by the server's database.

    The embedded server runs behind the faults of `serve --faults` (default: 20 % of the requests); `play` runs as a
    process, is killed at random moments and started again. Exit code 0: no game was lost, no move gave value away where
    a safe one existed, no run failed, and journals and server agree; 5: otherwise.

    \b
    Examples:
      bot soak                                     30 games against four foreign bots
      bot soak --games 8 --opponent perfect --faults default=0.4 --kill 0.1
    """
    from bot.cli.interrupt import cleanup
    from bot.cli.progress import progress
    from bot.course.server import referee
    from bot.trials.simulation.opponents.agent import agents_of
    from bot.trials.simulation.soak import SoakPlan
    from bot.trials.simulation.soak import soak as run_soak

    opponents = agents_of(opponent, seed)
    if not opponents:
        raise UsageError("No opponent is given.", "Leave --opponent out for four foreign bots.")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: ends the players too
    folder = _empty_folder(keep)
    is_kept = True
    try:
        with cleanup(_CLEANUP_S), progress("games") as bar:
            plan = SoakPlan(games, folder, faults, kill, seed, referee.Starter(starter), engine, think)
            plan.fault_plan()  # reports a mistake in the plan before anything runs
            report = run_soak(plan, opponents, lambda part, done, total: bar.update(done, total, part))
        is_kept = keep is not None or not report.passed
        print_json(report.as_json()) if as_json else _in_words(report)
    finally:
        if is_kept and any(folder.iterdir()):
            typer.echo(f"Journals and databases are in {folder}", err=True)
        elif keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    if not report.passed:
        raise typer.Exit(ExitCode.GOAL_MISSED)


def _empty_folder(keep: Path | None) -> Path:
    """Return the folder ``keep``, or a new temporary one. Raises UsageError when it is not empty."""
    folder = (keep or Path(mkdtemp(prefix="bot-soak-"))).absolute()
    empty_folder(folder, "--keep")
    return folder


def _in_words(report: SoakReport) -> str:
    faults = ", ".join(f"{kind} {count}" for kind, count in sorted(report.faults.items())) or "none"
    lines = [
        f"Games: {report.games} played, {report.won} won, {report.drawn} drawn, {len(report.lost)} lost "
        f"by the server's database; longest streak {report.streak_max}.",
        f"Forfeits: {report.forfeits}. Illegal moves: {report.illegal}.",
        f"Faults: {sum(report.faults.values())} of {report.requests} requests ({faults}).",
        f"Player: killed {_times(report.kills)}, {counted(report.resumes, 'game')} resumed, "
        f"{counted(len(report.failures), 'run')} failed.",
        f"Lost replies: {report.lost_replies}, {report.reconciled} times reconciled with a later board; "
        f"{counted(report.unsafe, 'choice')} without a column that was right in every hypothesis.",
        f"Moves: {report.moves} checked, {len(report.given_away)} gave value away "
        f"({len(report.excused)} more under doubt, where no safe column existed), {report.unchecked} unchecked, "
        f"{report.late} late.",
        f"Journals and server: {counted(len(report.disagreements), 'disagreement')}.",
        *(_opponent(name, part.summary()) for name, part in report.opponents.items()),
    ]
    for found in (report.lost, report.unexplained, report.given_away, report.disagreements, report.failures):
        lines += [f"  {text}" for text in found[:_SHOWN]]
        lines += [f"  ... and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
    return "\n".join([*lines, f"{_verdict(report)} ({report.seconds:.0f} s)"])


def _opponent(name: str, summary: dict[str, Any]) -> str:
    """Return the line about one opponent."""
    per = f"{100 * summary['lost'] / summary['lost_replies']:.1f}" if summary["lost_replies"] else "no"
    line = (
        f"  {name}: {counted(summary['games'], 'game')}, {summary['won']} won, {summary['drawn']} drawn, "
        f"{summary['lost']} lost; "
        f"{summary['lost_replies']} lost replies to moves, {per} losses per 100"
    )
    if "predicted" not in summary:
        return f"{line}."
    share = summary["predicted"]["lost_per_100_lost_replies"]["all"]
    if share["value"] is None:
        return f"{line}."
    low, high = share["interval"]
    return f"{line}; the simulation predicts {share['value']:.1f} ({low:.1f} to {high:.1f})."


def _verdict(report: SoakReport) -> str:
    if report.passed:
        return "Passed."
    if report.faultless:
        lost = counted(len(report.lost), "game")
        return f"Not passed: {lost} lost, but no forfeit, no avoidable mistake, no disagreement and no failed run."
    return "Failed."


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
