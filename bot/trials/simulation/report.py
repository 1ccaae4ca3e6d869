"""The figures of a campaign: counts by group and bot, losses per 100 lost replies with intervals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from bot.lab.arena.statistics import CONFIDENCE, wilson
from bot.trials.simulation.campaign import SeriesCounts, SeriesResult
from bot.trials.simulation.judging import in_words as illegal_in_words
from bot.trials.simulation.opponents.roster import group_of

T = TypeVar("T")
K = TypeVar("K")
REASONS = ("played", "illegal", "forfeit", "duplicate")
SHOWN_ILLEGAL = 10
"""Maximum number of illegal moves in the text; --json has all."""
SIDES = {"all": (True, False), "moving_first": (True,), "moving_second": (False,)}
"""Parts of the games, by whether we had started."""


def in_json(results: Iterable[SeriesResult]) -> dict[str, Any]:
    """Return the object of --json, without times."""
    ordered = sorted(results, key=lambda result: result.number)
    groups = parted(ordered, lambda result: group_of(result.bot))
    bots = parted(ordered, lambda result: result.bot)
    return {
        "games": sum(result.counts.games for result in ordered),
        "groups": {name: figures(part) for name, part in groups.items()},
        "bots": {name: figures(part) for name, part in sorted(bots.items())},
    }


def parted(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Return the items by their keys."""
    parts: dict[K, list[T]] = {}
    for item in items:
        parts.setdefault(key(item), []).append(item)
    return parts


def figures(results: Iterable[SeriesResult]) -> dict[str, Any]:
    """Return the sums over series by the names of `SeriesCounts`, with shares and their 95 % Wilson intervals."""
    counts = sum((result.counts for result in results), SeriesCounts())
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
    """Return whether the client forfeited no game, invented no result and gave no value away avoidably."""
    return not any(
        sums["lost_by"]["forfeit"] or sums["invented"] or sums["given_away"] or sums["stopped"]
        for sums in summary["groups"].values()
    )


def per(unit: int, count: int, trials: int) -> dict[str, Any]:
    """Return ``count`` per ``unit`` trials with its interval; None for both without trials."""
    if trials == 0 or count > trials:
        return {"count": count, "of": trials, "value": None, "interval": None}
    interval = [round(unit * bound, 3) for bound in wilson(count, trials)]
    return {"count": count, "of": trials, "value": round(unit * count / trials, 3), "interval": interval}


Share = tuple[int, int]
"""Count and trials."""


def difference(unit: int, pairs: Sequence[tuple[Share, Share]]) -> dict[str, Any]:
    """Return the first shares' total less the second's, per ``unit``, with a 95 % interval.

    Each pair is one cluster (a game, a series) in both treatments; the interval is that of a difference of two ratios
    over clusters.
    """
    rate, residuals = _rate_and_residuals([first for first, _ in pairs])
    other_rate, other_residuals = _rate_and_residuals([second for _, second in pairs])
    if rate is None or other_rate is None:
        return {"value": None, "interval": None, "of": len(pairs)}
    squares = [(one - other) ** 2 for one, other in zip(residuals, other_residuals, strict=True)]
    spread = sum(squares) * len(pairs) / max(1, len(pairs) - 1)
    value = unit * (rate - other_rate)
    half = unit * CONFIDENCE * math.sqrt(spread)
    return {"value": round(value, 3), "interval": [round(value - half, 3), round(value + half, 3)], "of": len(pairs)}


def _rate_and_residuals(shares: Sequence[Share]) -> tuple[float | None, list[float]]:
    """Return the rate of all shares together, and each one's deviation from it; None and nothing without trials."""
    total = sum(trials for _, trials in shares)
    if not total:
        return None, []
    rate = sum(count for count, _ in shares) / total
    return rate, [(count - rate * trials) / total for count, trials in shares]


def in_words(summary: dict[str, Any]) -> str:
    """Return the figures as text, some lines for each group."""
    lines = []
    for name, sums in summary["groups"].items():
        lines += _lines(name, sums)
    return "\n".join(lines)


def _lines(name: str, sums: dict[str, Any]) -> list[str]:
    by, rates = sums["lost_by"], sums["lost_per_100_lost_replies"]
    lines = [
        f"{name}: {sums['games']} games: {sums['won']} won, {sums['drawn']} drawn, {sums['lost']} lost "
        f"({by['played']} played out, {by['illegal']} by an illegal move, {by['forfeit']} forfeited).",
        f"  Lost per 1,000 games: {shown(sums['lost_per_1000_games'])}. Lost per 100 lost replies: {by_side(rates)}.",
        f"  {sums['requests']} requests, {sum(sums['faults'].values())} faults, {sums['kills']} kills. "
        f"Invented results: {sums['invented']}; wrong inferences: {sum(sums['wrong_guesses'].values())}.",
    ]
    if sums["given_away"] or sums["unavoidable"]:
        lines.append(
            f"  Moves that gave value away: {sums['given_away']} where a right column was known, "
            f"{sums['unavoidable']} where none was."
        )
    lines += [f"  Stopped early ({count} series): {why}" for why, count in sums["stopped"].items()]
    return lines + _illegal(sums["illegal"])


def _illegal(moves: Sequence[dict[str, Any]]) -> list[str]:
    """Return lines about illegal moves."""
    if not moves:
        return []
    others = [move for move in moves if not move["avoidable"]]
    noun = "other" if len(others) == 1 else "others"
    lines = [
        f"  Illegal moves: {len(moves) - len(others)} although a column that was legal in all hypotheses was as good, "
        f"{len(others)} {noun}."
    ]
    lines += [f"  {illegal_in_words(move)}" for move in others[:SHOWN_ILLEGAL]]
    hidden = len(others) - SHOWN_ILLEGAL
    if hidden > 0:
        lines.append(f"  {hidden} more are listed with --json.")
    return lines


def shown(share: dict[str, Any]) -> str:
    """Return a share from `per` as text: "2.96 (1.9 to 4.4, of 778)"."""
    if share["value"] is None:
        return f"{share['count']} of {share['of']}"
    low, high = share["interval"]
    return f"{share['value']:.2f} ({low:.1f} to {high:.1f}, of {share['of']})"


def by_side(figures: dict[str, Any], words: Callable[[dict[str, Any]], str] = shown) -> str:
    """Return a figure for each of SIDES as text."""
    parts = [words(figures["all"])]
    for side in ("moving_first", "moving_second"):
        parts.append(f"{side.replace('_', ' ')} {words(figures[side])}")
    return "; ".join(parts)


def signed(difference: dict[str, Any]) -> str:
    """Return a difference with its interval as text: "+0.52 (-0.10 to +1.14)"."""
    if difference["value"] is None:
        return "(no games)"
    low, high = difference["interval"]
    return f"{difference['value']:+.2f} ({low:+.2f} to {high:+.2f})"
