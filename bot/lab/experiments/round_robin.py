"""Ratings of a field of agents beside the exact accuracy of the same agents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bot.lab.arena.statistics import Estimate, Rating, rate
from bot.lab.experiments.compare import estimate_of
from bot.lab.experiments.frame import Frame


@dataclass(frozen=True)
class Standing:
    """One agent of a field: its rating, its points, and its accuracy where it was asked for it."""

    agent: str
    rating: Rating
    points: float
    games: int
    kept: Estimate | None
    """Share of positions in which its column keeps the exact outcome."""


def standings(frame: Frame, judged: Frame | None) -> list[Standing]:
    """Return the agents of a round robin, best first; ``judged`` are their answers in positions."""
    agents = list(dict.fromkeys([*frame.values("one"), *frame.values("other")]))
    points, games = np.zeros((2, len(agents), len(agents)))
    for row, part in frame.groups(["one", "other"]):
        one, other = agents.index(row["one"]), agents.index(row["other"])
        games[one, other] = games[other, one] = part.size
        points[one, other], points[other, one] = part.evaluate("one.points"), part.evaluate("other.points")
    found = []
    for number, (agent, rating) in enumerate(zip(agents, rate(points, games), strict=True)):
        answers = None if judged is None else judged.where({"agent": agent})
        kept = estimate_of(answers, "it.kept / n", ["position"]) if answers is not None and answers.size else None
        total = points[number].sum(), int(games[number].sum())
        found.append(Standing(str(agent), rating, *total, kept))
    return sorted(found, key=lambda each: -each.rating.elo)


def agreement(found: list[Standing]) -> float | None:
    """Return Spearman's correlation of rating and accuracy; None for fewer than three agents with both."""
    from scipy.stats import spearmanr

    pairs = [(each.rating.elo, each.kept.value) for each in found if each.kept is not None]
    return float(spearmanr(*zip(*pairs, strict=True)).statistic) if len(pairs) > 2 else None
