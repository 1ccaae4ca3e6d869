"""What each ingredient of the policy for lost replies gains: the ablation of `bot/course/session/README.md`.

The unit is a lost reply of `bot.trials.simulation.single`: for each of our moves in a fault-free game, its reply is
lost once with the move processed and once without. Every variant plays its own fault-free games, so differences are
paired by game (bot, starter, seed), and their intervals are over games.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from bot.files import LineFile
from bot.trials.simulation.chooser import Policy
from bot.trials.simulation.opponents.roster import GROUPS, group
from bot.trials.simulation.report import Share, difference
from bot.trials.simulation.single import Case, SingleResult, SingleTask, run_tasks_of, tasks_of

_BEGINNING = ('{"task": ',)
"""What a file of results begins with."""
FULL = Policy()
VARIANTS: dict[str, Policy] = {
    "whole policy": FULL,
    "memory of answers": Policy(uses_memory=False),
    "plan": Policy(plans=False),
    "plan beyond the next answer": Policy(deepest_plan=0),
}
"""The policy without each ingredient, by the ingredient's name."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A situation in which the variants are measured."""

    name: str
    train: int


SETTINGS = (
    Setting("first contact", 0),
    Setting("after 20 games", 20),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """Losses per 100 lost replies of a variant, and how many more than with the whole policy."""

    lost: int
    replies: int
    value: float
    more: float
    interval: tuple[float, float]
    """95 % interval of ``more``."""


def tasks(
    halves: Sequence[str] = GROUPS, variants: Iterable[str] = VARIANTS, settings: Iterable[Setting] = SETTINGS
) -> dict[SingleTask, tuple[str, str, str]]:
    """Return every task with its half, setting and variant."""
    return {
        task: (half, setting.name, variant)
        for half in halves
        for setting in settings
        for variant in variants
        for task in tasks_of(
            [bot.name for bot in group(half)],
            train=setting.train,
            policy=VARIANTS[variant],
        )
    }


def measured(remaining: Sequence[SingleTask], workers: int, file: Path | None) -> Iterator[SingleResult]:
    """Yield the results as they come, and append each to ``file``."""
    with LineFile(file, beginnings=_BEGINNING) as output:
        for result in run_tasks_of(remaining, workers):
            output.append(json.dumps(_as_json(result)))
            yield result


def finished(file: Path | None, places: Iterable[SingleTask]) -> dict[SingleTask, SingleResult]:
    """Return the results in ``file`` of these tasks."""
    by_key = {repr(task): task for task in places}
    found = [json.loads(line) for line in LineFile(file, beginnings=_BEGINNING).lines()]
    return {
        by_key[line["task"]]: SingleResult(
            by_key[line["task"]], line["requests"], line["result"], tuple(Case(*case) for case in line["cases"])
        )
        for line in found
        if line["task"] in by_key
    }


def _as_json(result: SingleResult) -> dict[str, Any]:
    cases = [list(astuple(case)) for case in result.cases]
    return {"task": repr(result.task), "requests": result.requests, "result": result.result, "cases": cases}


def table_of(places: dict[SingleTask, tuple[str, str, str]], results: Iterable[SingleResult]) -> dict[str, Any]:
    """Return cells by half, setting and variant."""
    by_place: dict[tuple[str, str, str], Games] = {}
    for result in results:
        moves = result.moves
        game = (result.task.bot, result.task.we_start, result.task.seed)
        counts = (sum(case.result < 0 for case in moves), len(moves))
        by_place.setdefault(places[result.task], {})[game] = counts
    return {
        half: {
            setting.name: {
                variant: _cell(by_place[half, setting.name, "whole policy"], by_place[half, setting.name, variant])
                for variant in VARIANTS
                if (half, setting.name, variant) in by_place
            }
            for setting in SETTINGS
            if (half, setting.name, "whole policy") in by_place
        }
        for half in GROUPS
        if any(place[0] == half for place in by_place)
    }


Games = dict[tuple[str, bool, int], Share]
"""(lost, replies) by game."""


def _cell(whole: Games, variant: Games) -> Cell | None:
    """Return the variant's losses beside those of the whole policy in the same games; None without such games."""
    games = sorted(whole.keys() & variant.keys())
    more = difference(100, [(variant[game], whole[game]) for game in games])
    if more["value"] is None:
        return None
    lost, replies = (sum(variant[game][part] for game in games) for part in (0, 1))
    low, high = more["interval"]
    return Cell(lost=lost, replies=replies, value=100 * lost / replies, more=more["value"], interval=(low, high))


def markdown(table: dict[str, Any]) -> str:
    """Return the table for `bot/course/session/README.md`."""
    lines = []
    for half, settings in table.items():
        names = list(settings)
        lines += [
            f"Losses per 100 lost replies, {half} half. In brackets: how many more than with the whole policy, and its "
            "95 % interval.",
            "",
            f"| without | {' | '.join(names)} |",
            f"|---|{'---|' * len(names)}",
        ]
        variants = dict.fromkeys(variant for cells in settings.values() for variant in cells)
        for variant in variants:
            cells = " | ".join(_in_words(settings[name].get(variant), variant) for name in names)
            lines.append(f"| {'(nothing)' if variant == 'whole policy' else variant} | {cells} |")
        replies = " / ".join(str(settings[name]["whole policy"].replies) for name in names)
        lines += ["", f"Lost replies of the whole policy: {replies}.", ""]
    return "\n".join(lines)


def _in_words(cell: Cell | None, variant: str) -> str:
    if cell is None:
        return ""
    if variant == "whole policy":
        return f"**{cell.value:.2f}**"
    return f"{cell.value:.2f} ({cell.more:+.2f}; {cell.interval[0]:+.2f} to {cell.interval[1]:+.2f})"
