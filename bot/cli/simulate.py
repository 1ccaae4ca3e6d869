"""`bot simulate`: the session against a virtual server, network and disk; thousands of games a minute."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Exit

from bot.cli.formatting import echo, print_json, with_count
from bot.cli.options import MAX_GAMES, AsJson, Seed, StarterOption, Workers, flag, option
from bot.errors import ExitCode, UsageError
from bot.files import empty_folder

if TYPE_CHECKING:
    from bot.trials.simulation.campaign import SeriesResult, SeriesTask

PLAYED = 0.5
"""Default of --played: as many lost replies to moves that were played as to moves that were not."""
_CLEANUP_S = 2.0
"""Longest time for ending the workers after Ctrl-C, seconds."""


def simulate(
    games: Annotated[int, option("N", "Games in all, in series of 20.", min=1, max=100 * MAX_GAMES)] = 1000,
    faults: Annotated[str | None, option("PLAN", "Faults, as described above. By default: default.")] = None,
    opponents: Annotated[
        str, option("NAMES", "Bots or groups, comma-separated: open, held-out, all, random, o-table-3, ...")
    ] = "open",
    starter: StarterOption = "random",
    seed: Seed = 1,
    train: Annotated[int, option("N", "Games without faults before each series.", min=0)] = 0,
    single_losses: Annotated[
        bool, flag("--single-losses", "Play out every single lost reply to a move of one game with each starter.")
    ] = False,
    one_loss: Annotated[
        bool, flag("--one-loss", "Lose the reply to exactly one move of each game, and to no other.")
    ] = False,
    played: Annotated[
        float,
        option("SHARE", "Probability that a lost reply belongs to a move that was played.", min=0.0, max=1.0),
    ] = PLAYED,
    journals: Annotated[Path | None, option("FOLDER", "Empty folder for the journal of each series.")] = None,
    workers: Workers = 2,
    as_json: AsJson = False,
) -> None:
    """Play series of games in virtual time, without sockets, and count what the faults cost.

    Equal seeds give equal games and byte-identical journals, whatever the number of processes. A plan of faults is
    none, or a list of items with commas between them:

    \b
    default           one request in six fails, some readings of the statistics fail, and the client is killed at times
    default=0.4       the same, so that 40 % of the requests fail
    KIND=0.05         this share fails in this way
    @7:KIND           the 7th request fails in this way

    Kinds of faults of a request for a move: refuse (it is not sent), reset_before and reset_after (lost before or after
    processing), silent_before and silent_after (the same, noticed by a timeout), truncate, stale, duplicate, restart
    (of the server, without its data); reset and silent alone are both, in the shares that --played gives. Of a reading
    of the statistics: unread, behind (by one game). Of a record of the journal: kill.

    --one-loss draws one of our moves in each game; the session learns from game to game in a series. --single-losses
    loses the reply to every move in turn, before and after processing, and learns nothing between them.

    Exit code 0: no forfeit, no invented result; 5: otherwise; 130: Ctrl-C, with the games played so far.

    \b
    Examples:
      bot simulate --games 2000                          the default faults, against open bots
      bot simulate --single-losses --opponents random    every lost reply of a few games
      bot simulate --one-loss --played 0.85              lost replies mostly of moves that were played
      bot simulate --faults reset=0.2,kill=0.05 --json
    """
    from bot.trials.simulation.faults import FaultPlan
    from bot.trials.simulation.roster import chosen

    if faults is not None and (single_losses or one_loss):
        raise UsageError("--faults has no effect on --single-losses and --one-loss.", "Leave it out.")
    if single_losses and (one_loss or played != PLAYED or journals is not None):
        raise UsageError("--one-loss, --played and --journals have no effect on --single-losses.", "Leave them out.")
    if journals is not None:
        empty_folder(journals, "--journals")
    if faults is None:
        faults = "none" if one_loss or single_losses else "default"
    plan = FaultPlan.parse(faults, played)
    bots = [bot.name for bot in chosen(opponents.split(","))]

    from bot.trials.simulation.campaign import play_task, tasks_of
    from bot.trials.simulation.report import in_json, in_words, is_faultless
    from bot.trials.simulation.single import play_out, single_tasks

    if single_losses:
        work, tasks = play_out, single_tasks(bots, seed=seed, train=train, starter=starter)
    else:
        losing_share = played if one_loss else None
        settings = {"starter": starter, "train": train, "faults": plan, "one_loss": losing_share, "journals": journals}
        work, tasks = play_task, tasks_of(bots, games, seed=seed, **settings)
    start = time.monotonic()
    results, is_interrupted = _collected(work, tasks, workers)
    seconds = time.monotonic() - start
    figures = in_json(results)
    if as_json:
        given = {"seed": seed, "starter": starter, "train": train, "one_loss": one_loss, "played": played}
        shares = {**plan.shares, **plan.others}
        measured = {"interrupted": is_interrupted, **figures, "seconds": round(seconds, 1)}
        print_json({**given, "faults": shares, **measured})
    else:
        speed = round(60 * figures["games"] / max(seconds, 0.001))
        echo(in_words(figures))
        echo(f"{with_count(figures['games'], 'game')} in {seconds:.0f} s: {speed} per minute.")
    if is_interrupted:
        raise Exit(ExitCode.INTERRUPTED)
    if not is_faultless(figures):
        raise Exit(ExitCode.GOAL_MISSED)


def _collected(
    work: Callable[[SeriesTask], SeriesResult], tasks: Sequence[SeriesTask], workers: int
) -> tuple[list[SeriesResult], bool]:
    """Return the tasks' results, and whether Ctrl-C ended them early; the results so far are then returned."""
    from bot.cli.interrupt import cleanup
    from bot.cli.progress import progress
    from bot.lab.arena.workers import run_tasks

    results: list[SeriesResult] = []
    with cleanup(_CLEANUP_S), progress("games", sum(task.games for task in tasks)) as played:
        try:
            for task, result in run_tasks(work, tasks, workers=workers):
                results.append(result)
                played.advance(task.games)
        except KeyboardInterrupt:
            return results, True
    return results, False
