"""The figures of single lost replies: losses by group and kind of bot, with intervals, beside those of the oracle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from bot.trials.simulation.opponents.roster import bot_called, group_of
from bot.trials.simulation.report import SIDES, Share, by_side, difference, parted, per, shown, signed
from bot.trials.simulation.single import SingleResult


def in_json(results: Iterable[SingleResult]) -> dict[str, Any]:
    """Return the object of --json: losses per 100 lost replies by group, kind and bot, and illegal moves."""
    every = sorted(results, key=lambda result: (result.task.bot, not result.task.we_start, result.task.seed))
    ordered = [result for result in every if not result.task.oracle]
    groups = {}
    for group, members in parted(every, lambda result: group_of(result.task.bot)).items():
        kinds = {kind: summary(part) for kind, part in parted(members, _kind).items()}
        groups[group] = {**summary(members), "kinds": kinds}
    return {
        "groups": groups,
        "bots": {bot: _rate(members) for bot, members in parted(ordered, lambda result: result.task.bot).items()},
        "illegal_moves": [
            {"bot": result.task.bot, "request": case.request, "processed": case.was_processed, "moves": case.moves}
            for result in ordered
            for case in result.cases
            if case.reason == "illegal"
        ],
    }


def _kind(result: SingleResult) -> str:
    """Return whether the bot's answer is a function of the position (and our last move), or also of chance."""
    return "deterministic" if bot_called(result.task.bot).is_deterministic else "stochastic"


def summary(every: Sequence[SingleResult]) -> dict[str, Any]:
    """Return the figures of a group, or a part of one, with those of its oracle."""
    results = [result for result in every if not result.task.oracle]
    oracle = [result for result in every if result.task.oracle]
    cases = [case for result in results for case in result.cases]
    moves = [case for case in cases if not case.is_opening]
    compared = None
    if oracle:
        compared = {
            "lost_per_100_lost_replies": _by_side(_rate, oracle),
            "policy_loses_more": _by_side(partial(more, than=oracle), results),
        }
    return {
        "games": len(results),
        "lost_without_faults": sum(result.result < 0 for result in results),
        "lost_per_100_lost_replies": _by_side(_rate, results),
        "oracle": compared,
        "illegal_per_100": per(100, sum(case.reason == "illegal" for case in moves), len(moves)),
        "lost_by_opening": per(100, sum(case.result < 0 for case in cases if case.is_opening), 2 * len(results)),
        "forfeits": sum(case.reason == "forfeit" for case in cases),
    }


def _by_side(figure: Callable[[list[SingleResult]], dict[str, Any]], results: Sequence[SingleResult]) -> dict[str, Any]:
    figures = {}
    for name, sides in SIDES.items():
        figures[name] = figure([result for result in results if result.task.we_start in sides])
    return figures


def _rate(results: Iterable[SingleResult]) -> dict[str, Any]:
    counts = [counts_of(result) for result in results]
    return per(100, sum(lost for lost, _ in counts), sum(replies for _, replies in counts))


def counts_of(result: SingleResult) -> Share:
    """Return the lost replies to moves that cost the game, and all of them."""
    return sum(case.result < 0 for case in result.moves), len(result.moves)


def more(results: Iterable[SingleResult], than: Iterable[SingleResult]) -> dict[str, Any]:
    """Return the losses less those of ``than`` in the same games, per 100 lost replies, with an interval over games."""
    known = {result.task.game: counts_of(result) for result in than}
    return difference(
        100, [(counts_of(result), known[result.task.game]) for result in results if result.task.game in known]
    )


def in_words(figures: dict[str, Any]) -> str:
    """Return the figures as lines."""
    lines = []
    for name, group in figures["groups"].items():
        lines += _lines(name, group)
        if len(group["kinds"]) > 1:
            for kind, part in group["kinds"].items():
                lines += _lines(f"{name}, {kind}", part)
    for case in figures["illegal_moves"]:
        side = "processed" if case["processed"] else "not processed"
        lines.append(f"Illegal move: {case['bot']}, request {case['request']} {side}: {case['moves']}.")
    return "\n".join(lines)


def _lines(name: str, part: dict[str, Any]) -> list[str]:
    """Return the lines of a group or a part of one."""
    lines = [f"{name}: lost per 100 lost replies: {by_side(part['lost_per_100_lost_replies'])}."]
    if oracle := part["oracle"]:
        excess = by_side(oracle["policy_loses_more"], signed)
        lines += [f"  The oracle: {by_side(oracle['lost_per_100_lost_replies'])}. The policy loses more: {excess}."]
    return [
        *lines,
        f"  By illegal moves: {shown(part['illegal_per_100'])}. By a lost reply to -1: "
        f"{shown(part['lost_by_opening'])}. Forfeits: {part['forfeits']}.",
    ]
