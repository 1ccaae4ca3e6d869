"""The session against a virtual server, network, clock and disk, and what faults cost: python -m tests.simulation."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import Annotated

import typer
from scipy.stats import binomtest

from bot.cli.formatting import print_table
from bot.cli.options import StarterOption, flag
from tests.simulation.bots import GROUPS, chosen
from tests.simulation.faults import KINDS, parsed
from tests.simulation.series import Task, play_out, play_task, seed_of

SERIES = 20
"""Games of a series: the length of the course's streak."""
HEAD = ("opponent", "games", "won", "drawn", "lost", "illegal", "forfeit", "invented", "wrong", "unfinished", "kills")
SIDES = {"of lost replies": ("True", "False"), "moving first": ("True",), "moving second": ("False",)}


def simulate(
    games: int = 1000,
    opponents: str = "open",
    faults: str = "default",
    played: float = 0.5,
    starter: StarterOption = "random",
    seed: int = 1,
    train: int = 0,
    one_loss: Annotated[bool, flag("--one-loss", "Lose the reply to one move of each game.")] = False,
    single_losses: Annotated[bool, flag("--single-losses", "Lose every reply of a game in turn.")] = False,
    workers: int = 2,
) -> None:
    """Play series of games, and print what they cost: equal seeds print equal tables.

    tests/simulation/README.md describes the options. Exit code 1: a game was forfeited, a result invented, or a series
    not played to its end.
    """
    bots = chosen(opponents)
    if single_losses:
        starters = ("student", "bot") if starter == "random" else (starter,)
        kinds = [(bot, first) for bot in bots for first in starters for _ in range(1 + bot.is_stochastic)]
        tasks = [
            Task(bot.name, 1, seed_of(seed, number, bot.name), starter=first, train=train)
            for number, (bot, first) in enumerate(kinds)
        ]
    else:
        plan, loss = ({}, played) if one_loss else (parsed(faults, played), None)
        tasks = []
        for number, first in enumerate(range(0, games, SERIES)):
            name = bots[number % len(bots)].name
            length = min(SERIES, games - first)
            tasks.append(Task(name, length, seed_of(seed, number, name), plan, loss, starter, train))
    sums: dict[str, Counter[str]] = {}
    with ProcessPoolExecutor(workers) as pool:
        found = pool.map(play_out if single_losses else play_task, tasks)
        for task, counts in zip(tasks, found, strict=True):
            sums[task.bot] = sums.get(task.bot, Counter()) + counts
    sums |= {group: sum((sums.get(bot.name, Counter()) for bot in GROUPS[group]), Counter()) for group in GROUPS}
    sums = {name: counts for name, counts in sums.items() if counts}
    print_table([[*HEAD, "requests", "faults", *SIDES], *(row(name, counts) for name, counts in sums.items())])
    if any(counts[mistake] for counts in sums.values() for mistake in ("forfeit", "invented", "unfinished")):
        raise typer.Exit(1)


def row(name: str, counts: Counter[str]) -> list[object]:
    """Return the cells of an opponent or a group."""
    counts["lost"] = counts["lost True"] + counts["lost False"]
    losses = [
        [sum(counts[f"{what} {side}"] for side in sides) for what in ("lost", "replies")] for sides in SIDES.values()
    ]
    faults = sum(counts[kind] for kind in KINDS)
    return [name, *(counts[key] for key in HEAD[1:]), counts["requests"], faults, *(share(*each) for each in losses)]


def share(lost: int, replies: int) -> str:
    """Return lost games per 100 lost replies with their 95 % interval (Wilson)."""
    if not replies or lost > replies:
        return f"{lost} of {replies}"
    low, high = (100 * bound for bound in binomtest(lost, replies).proportion_ci(method="wilson"))
    return f"{lost} of {replies}: {100 * lost / replies:.1f} ({low:.1f}-{high:.1f})"


if __name__ == "__main__":
    typer.run(simulate)
