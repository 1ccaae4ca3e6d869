"""Single lost replies, played out exactly: every request of the fault-free game, processed and not.

A game with one lost reply is the fault-free game up to that request. So the enumeration has no sampling error against
a deterministic bot, and says what rare faults cost: conditioned on at least one fault, hardly any game has two.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.game import format_moves
from bot.lab.arena.statistics import CONFIDENCE
from bot.lab.arena.workers import run_tasks
from bot.simulation.campaign import answers_of, trained
from bot.simulation.chooser import Policy, chooser_of
from bot.simulation.faults import FaultRates
from bot.simulation.opponents.roster import bot_called, group_of
from bot.simulation.report import SIDES, per
from bot.simulation.series import Outcome, play_series

SEEDS = (7, 8)
"""Seeds of the games against a bot that plays by chance; a deterministic bot has one game with each starter."""
_DEFAULT = Policy()
RARE = 0.001
"""Share of replies lost for which games lost per 1,000 are estimated."""


@dataclass(frozen=True, slots=True)
class SingleTask:
    """All single lost replies of one game."""

    bot: str
    we_start: bool
    seed: int
    train: int
    timing: float
    """How often the moment of the failure shows whether the request was processed: 0.5 says nothing."""
    policy: Policy = _DEFAULT


@dataclass(frozen=True, slots=True)
class Case:
    """One lost reply and the end of its game."""

    request: int
    """Number of the request in the game; 1 is the -1 that opens it."""
    was_processed: bool
    result: float
    reason: str
    moves: str
    """The game's moves, columns 1-7."""

    @property
    def is_opening(self) -> bool:
        """Whether the reply was to the request for a new game."""
        return self.request == 1


@dataclass(frozen=True, slots=True)
class SingleResult:
    """The cases of a task."""

    task: SingleTask
    requests: int
    result: float
    """Of the fault-free game."""
    cases: tuple[Case, ...]

    @property
    def moves(self) -> list[Case]:
        """The cases in which the reply to a move was lost."""
        return [case for case in self.cases if not case.is_opening]


def tasks_of(
    bots: Sequence[str], *, train: int, timing: float, starter: str = "random", policy: Policy = _DEFAULT
) -> list[SingleTask]:
    """Return a task for each bot, starter and, where the bot plays by chance, seed."""
    return [
        SingleTask(bot, we_start, seed, train, timing, policy)
        for bot in bots
        for name, we_start in (("student", True), ("bot", False))
        if starter in (name, "random")
        for seed in (SEEDS[:1] if bot_called(bot).is_deterministic else SEEDS)
    ]


def run_tasks_of(tasks: Sequence[SingleTask], workers: int) -> Iterator[SingleResult]:
    """Yield the results in the order of completion."""
    for _, result in run_tasks(play_out, tasks, workers=workers):
        yield result


def play_out(task: SingleTask) -> SingleResult:
    """Play the fault-free game and every single lost reply of it."""

    def played(script: dict[int, str]) -> Outcome:
        return play_series(
            answers_of(task.bot),
            1,
            rates=FaultRates(timing=task.timing),
            seed=task.seed,
            chooser=chooser_of(task.policy),
            starter="student" if task.we_start else "bot",
            past=trained(task.bot, task.train, "random", task.policy),
            script=script,
        )

    base = played({})
    cases = []
    for request in range(1, base.requests + 1):
        for kind in ("before", "after"):
            game = played({request: kind}).book[0]
            moves = format_moves(game.moves)
            cases.append(Case(request, kind == "after", game.result, game.reason, moves))
    return SingleResult(task, base.requests, base.book[0].result, tuple(cases))


def in_json(results: Iterable[SingleResult]) -> dict[str, Any]:
    """Return losses per 100 lost replies by group and bot, illegal moves, and losses by rare faults."""
    ordered = sorted(results, key=lambda result: (result.task.bot, not result.task.we_start, result.task.seed))
    groups: dict[str, list[SingleResult]] = {}
    for result in ordered:
        groups.setdefault(group_of(result.task.bot), []).append(result)
    bots = {result.task.bot: [other for other in ordered if other.task.bot == result.task.bot] for result in ordered}
    return {
        "groups": {name: summary(members) for name, members in groups.items()},
        "bots": {name: _rates(members)["all"] for name, members in bots.items()},
        "illegal_moves": [
            {"bot": result.task.bot, "request": case.request, "processed": case.was_processed, "moves": case.moves}
            for result in ordered
            for case in result.cases
            if case.reason == "illegal"
        ],
    }


def summary(results: Sequence[SingleResult]) -> dict[str, Any]:
    """Return a group's figures."""
    cases = [case for result in results for case in result.cases]
    return {
        "games": len(results),
        "lost_without_faults": sum(result.result < 0 for result in results),
        "lost_per_100_lost_replies": _rates(results),
        "illegal_per_100": per(100, sum(case.reason == "illegal" for case in _moves(results)), len(_moves(results))),
        "lost_by_opening": per(100, sum(case.result < 0 for case in cases if case.is_opening), 2 * len(results)),
        "forfeits": sum(case.reason == "forfeit" for case in cases),
        "lost_per_1000_games_at_0.1_percent": {
            "all": rare(results),
            **{name: rare([each for each in results if each.task.we_start is side]) for name, side in SIDES},
        },
    }


def _moves(results: Iterable[SingleResult]) -> list[Case]:
    return [case for result in results for case in result.moves]


def _rates(results: Sequence[SingleResult]) -> dict[str, Any]:
    sides = {name: [result for result in results if result.task.we_start is side] for name, side in SIDES}
    return {
        name: per(100, sum(case.result < 0 for case in _moves(members)), len(_moves(members)))
        for name, members in (("all", results), *sides.items())
    }


def rare(results: Sequence[SingleResult], rate: float = RARE) -> dict[str, Any]:
    """Return games lost per 1,000 when each reply is lost with probability ``rate``, and a 95 % interval over games.

    The first fault comes at request n with probability rate x (1 - rate)^(n - 1), before or after processing with one
    half each; what a second fault in the same game would add is of the order of rate squared and is left out.
    """
    if not results:
        return {"value": None, "interval": None, "of": 0}
    lost = [
        1000 * sum(rate * (1 - rate) ** (case.request - 1) / 2 for case in result.cases if case.result < 0)
        for result in results
        if result.result >= 0  # a game lost without faults is not lost by them
    ] or [0.0]
    mean = sum(lost) / len(lost)
    spread = math.sqrt(sum((each - mean) ** 2 for each in lost) / max(1, len(lost) - 1) / len(lost))
    interval = [round(max(0.0, mean - CONFIDENCE * spread), 4), round(mean + CONFIDENCE * spread, 4)]
    return {"value": round(mean, 4), "interval": interval, "of": len(lost)}


def in_words(told: dict[str, Any]) -> str:
    """Return the figures as lines."""
    from bot.simulation.report import shown

    lines = []
    for name, group in told["groups"].items():
        rates, rarely = group["lost_per_100_lost_replies"], group["lost_per_1000_games_at_0.1_percent"]
        lines += [
            f"{name}: lost per 100 lost replies: {shown(rates['all'])}; moving first {shown(rates['moving_first'])}; "
            f"moving second {shown(rates['moving_second'])}.",
            f"  By illegal moves: {shown(group['illegal_per_100'])}. By a lost reply to -1: "
            f"{shown(group['lost_by_opening'])}. Forfeits: {group['forfeits']}.",
            f"  Lost per 1,000 games at 0.1 % lost replies: {_rarely(rarely['all'])}; moving first "
            f"{_rarely(rarely['moving_first'])}; moving second {_rarely(rarely['moving_second'])}.",
        ]
    for case in told["illegal_moves"]:
        side = "processed" if case["processed"] else "not processed"
        lines.append(f"Illegal move: {case['bot']}, request {case['request']} {side}: {case['moves']}.")
    return "\n".join(lines)


def _rarely(share: dict[str, Any]) -> str:
    if share["value"] is None:
        return "no games"
    low, high = share["interval"]
    return f"{share['value']:.3f} ({low:.3f} to {high:.3f})"
