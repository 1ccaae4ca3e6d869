"""The figures of a simulation: counts by group and bot, losses per 100 lost replies with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import Any

from bot.lab.arena.statistics import wilson
from bot.trials.simulation.campaign import SeriesCounts, SeriesResult
from bot.trials.simulation.roster import GROUP_OF

REASONS = ("played", "illegal", "forfeit", "duplicate")
SIDES = {"all": (True, False), "moving_first": (True,), "moving_second": (False,)}
"""Parts of the games, by whether we had started."""


def in_json(results: Iterable[SeriesResult]) -> dict[str, Any]:
    """Return the object of --json, without times."""
    ordered = sorted(results, key=lambda result: result.number)
    bots = _figures_by(lambda bot: bot, ordered)
    return {
        "games": sum(sums["games"] for sums in bots.values()),
        "groups": _figures_by(lambda bot: GROUP_OF[bot], ordered),
        "bots": dict(sorted(bots.items())),
    }


def _figures_by(name_of: Callable[[str], str], results: Sequence[SeriesResult]) -> dict[str, Any]:
    """Return the figures of all bots that have a name in common."""
    sums: dict[str, SeriesCounts] = {}
    for result in results:
        name = name_of(result.bot)
        sums[name] = sums.get(name, SeriesCounts()) + result.counts
    return {name: figures(counts) for name, counts in sums.items()}


def figures(counts: SeriesCounts) -> dict[str, Any]:
    """Return the sums by the names of `SeriesCounts`, with shares and their 95 % Wilson intervals."""
    lost = counts.lost.total()
    by_reason = Counter(dict.fromkeys(REASONS, 0))
    for (_, reason), count in counts.lost.items():
        by_reason[reason] += count
    return {
        **{each.name: getattr(counts, each.name) for each in fields(SeriesCounts)},
        "lost": lost,
        "lost_by": by_reason,
        "lost_replies": counts.lost_replies.total(),
        "lost_per_1000_games": per(1000, lost, counts.games),
        "lost_per_100_lost_replies": {name: _per_lost_reply(counts, sides) for name, sides in SIDES.items()},
    }


def _per_lost_reply(counts: SeriesCounts, sides: Sequence[bool]) -> dict[str, Any]:
    lost = sum(count for (we_started, _), count in counts.lost.items() if we_started in sides)
    return per(100, lost, sum(counts.lost_replies[side] for side in sides))


def is_faultless(summary: dict[str, Any]) -> bool:
    """Return whether the client forfeited no game, invented no result and ended no series early."""
    return not any(
        sums["lost_by"]["forfeit"] or sums["invented"] or sums["stopped"] for sums in summary["groups"].values()
    )


def per(unit: int, count: int, trials: int) -> dict[str, Any]:
    """Return ``count`` per ``unit`` trials with its interval; None for both without trials."""
    if trials == 0 or count > trials:
        return {"count": count, "of": trials, "value": None, "interval": None}
    interval = [round(unit * bound, 3) for bound in wilson(count, trials)]
    return {"count": count, "of": trials, "value": round(unit * count / trials, 3), "interval": interval}


def in_words(summary: dict[str, Any]) -> str:
    """Return the figures as text, some lines for each group."""
    lines = []
    for name, sums in summary["groups"].items():
        by = sums["lost_by"]
        lines += [
            f"{name}: {sums['games']} games: {sums['won']} won, {sums['drawn']} drawn, {sums['lost']} lost "
            f"({by['played']} played out, {by['illegal']} by an illegal move, {by['forfeit']} forfeited).",
            f"  Lost per 1,000 games: {shown(sums['lost_per_1000_games'])}.",
            f"  Lost per 100 lost replies: {by_side(sums['lost_per_100_lost_replies'])}.",
            f"  {sums['requests']} requests, {sum(sums['faults'].values())} faults, {sums['kills']} kills. "
            f"Invented results: {sums['invented']}; wrong inferences: {sum(sums['wrong_guesses'].values())}.",
        ]
        lines += [f"  Stopped early ({count} series): {why}" for why, count in sums["stopped"].items()]
    return "\n".join(lines)


def shown(share: dict[str, Any]) -> str:
    """Return a share from `per` as text: "2.96 (1.9 to 4.4, of 778)"."""
    if share["value"] is None:
        return f"{share['count']} of {share['of']}"
    low, high = share["interval"]
    return f"{share['value']:.2f} ({low:.1f} to {high:.1f}, of {share['of']})"


def by_side(shares: dict[str, Any]) -> str:
    """Return a share for each of SIDES as text."""
    first, second = shown(shares["moving_first"]), shown(shares["moving_second"])
    return f"{shown(shares['all'])}; moving first {first}; moving second {second}"
