"""What an agent's answers are worth: accuracy, regret and blunders, each with its 95 % interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.engine.score import sign
from bot.lab.arena.statistics import Estimate, share
from bot.lab.judge.answers import Answer
from bot.lab.positions import PLIES, Judged

PHASES = {"opening": (4, 11), "middle": (12, 23), "end": (24, 39)}
"""First and last ply of each phase of a game."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """An agent's results on a set of positions."""

    agent: str
    positions: int
    failures: int
    """Positions without a legal move in time; they count as the worst column."""
    outcome: Estimate
    """Share of moves that keep the outcome (win, draw or loss)."""
    decisive: Estimate
    """The same, in the positions where at least one column gives the outcome away."""
    score: Estimate
    """Share of moves that keep the exact score: the fastest win, the slowest loss."""
    blunders: Estimate
    """Own moves that give the outcome away, in a game that lasts from ply 4 to the last ply."""
    regret: dict[str, Estimate]
    """Points given away per move by phase, where a win is worth 1 and a draw 0.5."""
    by_ply: dict[int, float]
    """Share of moves that give the outcome away, by ply."""
    seconds: float
    """Median time of a move."""

    def as_json(self) -> dict[str, Any]:
        """Return everything as one JSON object; all estimates have the size that follows from ``positions``."""
        return asdict(self, dict_factory=lambda parts: {name: part for name, part in parts if name != "size"})


def value_after(position: Judged, column: int | None) -> int:
    """Return the exact score after ``column``; the worst one where the agent failed."""
    score = None if column is None else position.scores[column]
    return position.worst if score is None else score


def points_lost(position: Judged, column: int | None) -> float:
    """Return the points given away: 1 for a win turned into a loss, 0.5 for one turned into a draw."""
    return (sign(position.best) - sign(value_after(position, column))) / 2


def accuracy(agent: str, positions: Sequence[Judged], answers: Sequence[Answer]) -> Accuracy:
    """Return the results of an agent's answers to all positions, which are in the same order."""
    pairs = [(position, answer.column) for position, answer in zip(positions, answers, strict=True)]
    lost = np.array([points_lost(*pair) for pair in pairs])
    ply = np.array([position.ply for position in positions])

    def kept(chosen: NDArray[np.bool_]) -> Estimate:
        return share(int((lost[chosen] == 0).sum()), int(chosen.sum()))

    def regret(first: int, last: int) -> Estimate:
        # Half a point counts as half a success in Wilson's interval, which is then too wide.
        chosen = (first <= ply) & (ply <= last)
        return share(float(lost[chosen].sum()), int(chosen.sum()))

    def per_game(share_kept: float) -> float:
        """All plies have equal shares in the set, so that the mean over positions is the mean over plies."""
        return PLIES / 2 * (1 - share_kept)

    outcome = kept(ply >= 0)
    return Accuracy(
        agent,
        len(pairs),
        sum(column is None for _, column in pairs),
        outcome,
        kept(np.array([position.is_decisive for position in positions])),
        share(sum(value_after(*pair) == pair[0].best for pair in pairs), len(pairs)),
        Estimate(per_game(outcome.value), per_game(outcome.high), per_game(outcome.low), outcome.size),
        {phase: regret(*plies) for phase, plies in PHASES.items()},
        {int(each): 1 - kept(ply == each).value for each in np.unique(ply)},
        median(answer.seconds for answer in answers),
    )
