"""The figures of `bot simulate --optimum`: the policy beside the best possible play, as JSON and as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bot.lab.arena.statistics import CONFIDENCE
from bot.simulation.optimum import OptimumResult


def in_json(results: Iterable[OptimumResult]) -> dict[str, Any]:
    """Return means with their interval, and the number of positions in which the policy is optimal."""
    found = sorted(results, key=lambda each: (each.task.bot, each.task.board.mask, each.task.board.current))
    gaps = [1000 * (each.best - each.policy) for each in found]
    mean, half = _mean(gaps)
    lost = sum(each.lost_replies for each in found)
    return {
        "positions": len(found),
        "rate": found[0].task.rate if found else None,
        "lost_per_1000_games": {
            "best_possible": round(_mean([1000 * (1 - each.best) for each in found])[0], 4),
            "policy": round(_mean([1000 * (1 - each.policy) for each in found])[0], 4),
            "difference": round(mean, 4),
            "interval": [round(max(0.0, mean - half), 4), round(mean + half, 4)],
            "largest": round(max(gaps, default=0.0), 4),
        },
        "lost_per_100_lost_replies": {
            "best_possible": _share(sum(1 - each.best for each in found), lost),
            "policy": _share(sum(1 - each.policy for each in found), lost),
        },
        "policy_is_optimal": sum(gap < 1e-6 for gap in gaps),
        "boards": sum(each.boards for each in found),
    }


def in_words(figures: dict[str, Any]) -> str:
    """Return the figures of positions and of whole games as lines."""
    lost, replies, lines = figures["lost_per_1000_games"], figures["lost_per_100_lost_replies"], figures["lines"]
    low, high = lost["interval"]
    words = [
        f"{figures['positions']} positions, {100 * (figures['rate'] or 0):g} % of the replies lost, the bot known.",
        f"Lost per 1,000 games: best possible {lost['best_possible']:.2f}, policy {lost['policy']:.2f}; difference "
        f"{lost['difference']:.2f} ({low:.2f} to {high:.2f}), at most {lost['largest']:.2f}.",
        f"Lost per 100 lost replies: best possible {_shown(replies['best_possible'])}, "
        f"policy {_shown(replies['policy'])}. The policy is optimal in {figures['policy_is_optimal']} positions.",
        f"Whole games: {lines['safe_lines']} of {lines['games']} have a line in which no single lost reply costs the "
        f"game; {len(lines['lost_in_replay'])} of {lines['lost_replies_replayed']} replayed lost replies cost it.",
    ]
    words += [f"  No line: {game}." for game in lines["without_line"]]
    words += [f"  Lost in the replay: {case}." for case in lines["lost_in_replay"]]
    return "\n".join(words)


def _shown(share: float | None) -> str:
    return "none" if share is None else f"{share:.2f}"


def _share(part: float, whole: float) -> float | None:
    return round(100 * part / whole, 4) if whole else None


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and half of its 95 % interval."""
    if not values:
        return 0.0, 0.0
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return mean, CONFIDENCE * (spread / len(values)) ** 0.5
