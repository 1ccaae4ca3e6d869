"""The session against a virtual server, network, clock and disk, and what faults cost: python -m tests.simulation."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import typer
from scipy.stats import binomtest

from bot.cli.formatting import print_table
from tests.simulation.bots import BOTS, HELD_OUT, OPEN
from tests.simulation.faults import KINDS, parsed
from tests.simulation.series import Task, play_task, seed_of

SERIES = 20
"""Games of a series: the length of the course's streak."""
COUNTS = ("games", "won", "drawn", "lost", "illegal", "forfeit", "invented", "wrong", "unfinished", "kills", "requests")
GROUPS = {"open": OPEN, "held-out": HELD_OUT, "all": BOTS}


def simulate(
    games: int = 1000,
    opponents: str = "open",
    faults: str = "default",
    played: float = 0.5,
    seed: int = 1,
    train: int = 0,
    workers: int = 2,
) -> None:
    """Play series of games, and print what they cost: equal seeds print equal tables.

    tests/simulation/README.md describes the options. Exit code 1: a game was forfeited, a result invented, or a series
    not played to its end.
    """
    bots = [*GROUPS.get(opponents, opponents.split(","))]
    plan, tasks = parsed(faults, played), []
    for number, first in enumerate(range(0, games, SERIES)):
        bot = bots[number % len(bots)]
        tasks.append(Task(bot, min(SERIES, games - first), seed_of(seed, number, bot), plan, train))
    sums = {name: Counter[str]() for name in (*bots, "together")}
    with ProcessPoolExecutor(workers, get_context("forkserver")) as pool:
        for task, counts in zip(tasks, pool.map(play_task, tasks), strict=True):
            sums[task.bot] += counts
            sums["together"] += counts
    heads = ["opponent", *COUNTS, "faults", "lost games by lost replies"]
    print_table([heads, *(row(name, counts) for name, counts in sums.items())])
    if any(map(sums["together"].get, ("forfeit", "invented", "unfinished"))):
        raise typer.Exit(1)


def row(name: str, counts: Counter[str]) -> list[object]:
    """Return the cells of an opponent, the last one with a 95 % interval (Wilson) per 100 lost replies."""
    lost, replies = counts["lost"], counts["replies"]
    share = f"{lost} of {replies}"
    if 0 < replies >= lost:
        low, high = binomtest(lost, replies).proportion_ci(method="wilson")
        share = f"{share}: {100 * lost / replies:.1f} ({100 * low:.1f}-{100 * high:.1f})"
    return [name, *(counts[key] for key in COUNTS), sum(counts[kind] for kind in KINDS), share]


if __name__ == "__main__":
    typer.run(simulate)
