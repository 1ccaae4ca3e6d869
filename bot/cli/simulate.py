"""`bot simulate`: the session against a virtual server, network and disk; thousands of games a minute."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

from typer import Exit

from bot.cli.formatting import echo, print_json, with_count
from bot.cli.options import MAX_GAMES, AsJson, Seed, StarterOption, Workers, flag, option
from bot.errors import ExitCode, UsageError
from bot.files import empty_folder

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

PLAYED = 0.5
"""Default of --played: as many lost replies to moves that were played as to moves that were not."""
_CLEANUP_S = 2.0
"""Longest time for ending the workers after Ctrl-C, seconds."""


def simulate(
    games: Annotated[int, option("N", "Games in all, in series of 20.", min=1, max=100 * MAX_GAMES)] = 1000,
    faults: Annotated[str | None, option("PLAN", "Faults, as described above. By default: default.")] = None,
    opponents: Annotated[
        str, option("NAMES", "Bots or groups, comma-separated: open, held-out, all, perfect, random, o-table-3, ...")
    ] = "open",
    starter: StarterOption = "random",
    seed: Seed = 1,
    train: Annotated[int, option("N", "Games without faults before each series.", min=0)] = 0,
    single_losses: Annotated[
        bool, flag("--single-losses", "Play out every single lost reply of one game with each starter.")
    ] = False,
    one_loss: Annotated[
        bool, flag("--one-loss", "Lose the reply to exactly one move of each game, and to no other.")
    ] = False,
    played: Annotated[
        float,
        option("SHARE", "Probability that a lost reply belongs to a move that was played.", min=0.0, max=1.0),
    ] = PLAYED,
    values: Annotated[bool, flag("--values", "Count moves that gave value away.")] = False,
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
    loses every reply in turn, before and after processing; its cases are also decided by an oracle that knows the bot's
    true answers.

    Exit code 0: no forfeit, no invented result; 5: otherwise; 130: Ctrl-C, with the games played so far.

    \b
    Examples:
      bot simulate --games 2000                          the default faults, against open bots
      bot simulate --single-losses --opponents perfect   every lost reply of one game
      bot simulate --one-loss --played 0.85              lost replies mostly of moves that were played
      bot simulate --faults reset=0.2,kill=0.05 --json
    """
    from bot.trials.simulation.faults import FaultPlan
    from bot.trials.simulation.opponents.roster import chosen

    if faults is not None and (single_losses or one_loss):
        raise UsageError("--faults has no effect on --single-losses and --one-loss.", "Leave it out.")
    if single_losses and (one_loss or played != PLAYED):
        raise UsageError("--one-loss and --played have no effect on --single-losses.", "Leave them out.")
    if journals is not None:
        empty_folder(journals, "--journals")
    if faults is None:
        faults = "none" if one_loss else "default"
    plan = FaultPlan.parse(faults, played)
    bots = [bot.name for bot in chosen(opponents.split(","))]
    losing_share = played if one_loss else None
    if single_losses:
        simulation = _single_losses(bots, workers, starter=starter, train=train)
    else:
        simulation = _series(
            bots,
            games,
            workers,
            starter=starter,
            train=train,
            faults=plan,
            seed=seed,
            checks_values=values,
            journals=journals,
            one_loss=losing_share,
        )
    if as_json:
        given = {"seed": seed, "starter": starter, "train": train, "one_loss": one_loss, "played": played}
        print_json({**given, "interrupted": simulation.is_interrupted, **simulation.figures})
    else:
        echo(simulation.text)
    if simulation.is_interrupted:
        raise Exit(ExitCode.INTERRUPTED)
    if not simulation.has_passed:
        raise Exit(ExitCode.GOAL_MISSED)


@dataclass(frozen=True, slots=True)
class _Simulation:
    """What a simulation has found."""

    figures: dict[str, Any]
    """What --json prints, without the options."""
    text: str
    has_passed: bool
    is_interrupted: bool
    """Whether Ctrl-C ended it early."""


def _series(bots: list[str], games: int, workers: int, **settings: Any) -> _Simulation:
    from bot.trials.simulation.campaign import play_task, tasks_of
    from bot.trials.simulation.report import in_json, in_words, is_faultless

    tasks = tasks_of(bots, games, **settings)
    start = time.monotonic()
    results, is_interrupted = _collected("games", play_task, tasks, workers, lambda task: task.games)
    seconds = time.monotonic() - start
    figures = in_json(results)
    count = figures["games"]
    speed = round(60 * count / max(seconds, 0.001))
    text = f"{in_words(figures)}\n{with_count(count, 'game')} in {seconds:.0f} s: {speed} per minute."
    shares = {**settings["faults"].shares, **settings["faults"].others}
    whole = {"faults": shares, **figures, "seconds": round(seconds, 1), "games_per_minute": speed}
    return _Simulation(whole, text, is_faultless(figures), is_interrupted)


def _single_losses(bots: list[str], workers: int, **settings: Any) -> _Simulation:
    from bot.trials.simulation.single import play_out, tasks_of
    from bot.trials.simulation.single_report import in_json, in_words

    tasks = tasks_of(bots, with_oracle=True, **settings)
    results, is_interrupted = _collected("games", play_out, tasks, workers)
    figures = in_json(results)
    has_passed = not any(group["forfeits"] for group in figures["groups"].values())
    return _Simulation(figures, in_words(figures), has_passed, is_interrupted)


def _collected(
    what: str,
    work: Callable[[_Task], _Result],
    tasks: Sequence[_Task],
    workers: int,
    size: Callable[[_Task], int] = lambda _: 1,
) -> tuple[list[_Result], bool]:
    """Return the tasks' results, and whether Ctrl-C ended them early; the results so far are then returned."""
    from bot.cli.interrupt import cleanup
    from bot.cli.progress import progress
    from bot.lab.arena.workers import run_tasks

    results: list[_Result] = []
    with cleanup(_CLEANUP_S), progress(what, sum(map(size, tasks))) as played:
        try:
            for task, result in run_tasks(work, tasks, workers=workers):
                results.append(result)
                played.advance(size(task))
        except KeyboardInterrupt:
            return results, True
    return results, False
