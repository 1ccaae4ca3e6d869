"""Enumerate single lost replies: at every move of a game without faults, processed and not processed.

A game with one lost reply equals the game without faults up to that request. Against a deterministic bot the
enumeration therefore has no sampling error. It measures the cost of rare faults: few games with a fault have two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.trials.simulation.campaign import SeriesCounts, SeriesResult, SeriesTask, outcome_of, seed_of
from bot.trials.simulation.faults import FaultPlan
from bot.trials.simulation.roster import chosen


def single_tasks(bots: Sequence[str], *, seed: int, train: int = 0, starter: str = "random") -> list[SeriesTask]:
    """Return a game for each bot and starter; two against a stochastic bot, whose games differ by their seed."""
    starters = ("student", "bot") if starter == "random" else (starter,)
    tasks: list[SeriesTask] = []
    for bot in chosen(bots):
        games = 1 if bot.is_deterministic else 2
        for first in starters:
            for _ in range(games):
                number = len(tasks)
                own_seed = seed_of(seed, number, bot.name)
                tasks.append(SeriesTask(number, bot.name, 1, own_seed, starter=first, train=train))
    return tasks


def play_out(task: SeriesTask) -> SeriesResult:
    """Play the game of the task with every single lost reply to a move, and sum up what happened."""
    requests = outcome_of(task).dice.requests
    counts = SeriesCounts()
    for request in range(2, requests + 1):  # the first is the -1 that opens the game
        for kind in ("reset_before", "reset_after"):
            loss = replace(task, faults=FaultPlan({request: {kind: 1.0}}))
            counts += SeriesCounts.of(outcome_of(loss))
    return SeriesResult(task.number, task.bot, counts)
