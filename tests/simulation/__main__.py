"""The session against a virtual server, network, clock and disk, and what faults cost: python -m tests.simulation."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import typer
from scipy.stats import binomtest

from bot.cli.formatting import print_table
from tests.simulation.bots import chosen
from tests.simulation.faults import KINDS, parsed
from tests.simulation.series import Task, play_task, seed_of

SERIES = 20
"""Games of a series: the length of the course's streak."""
COUNTS = ("games", "won", "drawn", "lost", "illegal", "forfeit", "invented", "wrong", "unfinished", "kills", "requests")
SIDES = ("in all", "moving first", "moving second")
"""Lost games by lost replies."""


def simulate(
    games: int = 1000,
    opponents: str = "open",
    faults: str = "default",
    played: float = 0.5,
    starter: str = "random",
    seed: int = 1,
    train: int = 0,
    one_loss: bool = False,
    workers: int = 2,
) -> None:
    """Play series of games, and print what they cost: equal seeds print equal tables.

    tests/simulation/README.md describes the options. Exit code 1: a game was forfeited, a result invented, or a series
    not played to its end.
    """
    bots, plan = chosen(opponents), {} if one_loss else parsed(faults, played)
    loss = played if one_loss else None
    tasks = []
    for number, first in enumerate(range(0, games, SERIES)):
        bot = bots[number % len(bots)].name
        length = min(SERIES, games - first)
        tasks.append(Task(bot, length, seed_of(seed, number, bot), plan, loss, starter, train))
    sums = {name: Counter[str]() for name in (*(bot.name for bot in bots), "together")}
    with ProcessPoolExecutor(workers) as pool:
        for task, counts in zip(tasks, pool.map(play_task, tasks), strict=True):
            sums[task.bot] += counts
            sums["together"] += counts
    print_table([["opponent", *COUNTS, "faults", *SIDES], *(row(name, counts) for name, counts in sums.items())])
    if any(map(sums["together"].get, ("forfeit", "invented", "unfinished"))):
        raise typer.Exit(1)


def row(name: str, counts: Counter[str]) -> list[object]:
    """Return the cells of an opponent."""
    losses = [share(counts[f"lost {side}"], counts[f"replies {side}"]) for side in SIDES]
    return [name, *(counts[key] for key in COUNTS), sum(counts[kind] for kind in KINDS), *losses]


def share(lost: int, replies: int) -> str:
    """Return lost games per 100 lost replies with their 95 % interval (Wilson)."""
    if not replies or lost > replies:
        return f"{lost} of {replies}"
    low, high = binomtest(lost, replies).proportion_ci(method="wilson")
    return f"{lost} of {replies}: {100 * lost / replies:.1f} ({100 * low:.1f}-{100 * high:.1f})"


if __name__ == "__main__":
    typer.run(simulate)
