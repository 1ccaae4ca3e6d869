"""`bot soak`: many games over a failing network with a player that is killed at random."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Annotated

from typer import Exit, echo

from bot.cli.formatting import counted, print_json
from bot.cli.options import AsJson, Engine, Games, Seed, Starter, option
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
    from bot.trials.faults.plan import FaultSpec
    from bot.trials.simulation.opponents.agent import agents_of
    from bot.trials.simulation.soak import SoakPlan
    from bot.trials.simulation.soak import soak as run_soak

    opponents = agents_of(opponent, seed)
    FaultSpec.parse(faults)  # reports a mistake in the plan before anything runs
    if not opponents:
        raise UsageError("No opponent is given.", "Leave --opponent out for four foreign bots.")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: ends the players too
    folder = _empty_folder(keep)
    is_kept = True
    try:
        with cleanup(_CLEANUP_S), progress("games") as bar:
            plan = SoakPlan(games, folder, faults, kill, seed, starter, engine)
            report = run_soak(plan, opponents, lambda part, done: bar.update(done, games, part))
        is_kept = keep is not None or not report.passed
        print_json(report.as_json()) if as_json else echo(_in_words(report))
    finally:
        if is_kept and any(folder.iterdir()):
            echo(f"Journals and databases are in {folder}", err=True)
        elif keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    if not report.passed:
        raise Exit(ExitCode.GOAL_MISSED)


def _empty_folder(keep: Path | None) -> Path:
    """Return the folder ``keep``, or a new temporary one. Raises UsageError when it is not empty."""
    folder = (keep or Path(mkdtemp(prefix="bot-soak-"))).absolute()
    empty_folder(folder, "--keep")
    return folder


def _in_words(report: SoakReport) -> str:
    """Return the sums by their names in --json, the problems, and whether the soak passed."""
    lines = [f"{name.replace('_', ' ')}: {count}" for name, count in report.in_all.items()]
    for name, part in report.opponents.items():
        share = (part.predicted or {}).get("lost_per_100_lost_replies", {}).get("all", {}).get("value")
        expected = "" if share is None else f" (the simulation predicts {share:.1f} per 100)"
        found = f"{counted(part.games, 'game')}, {len(part.lost)} lost, {part.lost_moves} lost replies to moves"
        lines.append(f"{name}: {found}{expected}")
        for problems in (part.lost, part.unexplained, part.given_away, part.disagreements, part.failures):
            lines += [f"  {text}" for text in problems[:_SHOWN]]
            lines += [f"  ... and {len(problems) - _SHOWN} more"] if len(problems) > _SHOWN else []
    lost = counted(report.in_all["lost"], "game")
    if report.passed:
        return "\n".join([*lines, "Passed."])
    if report.faultless:
        return "\n".join([*lines, f"Not passed: {lost} lost, but no forfeit, no avoidable mistake and no failed run."])
    return "\n".join([*lines, f"Failed: {lost} lost."])
