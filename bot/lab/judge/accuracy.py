"""What an agent's answers are worth: accuracy, regret and blunders, each with its 95 % interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.lab.arena.statistics import Estimate, share
from bot.lab.judge.answers import Answer
from bot.lab.judge.difficulty import is_decisive, is_hard
from bot.lab.positions import PLIES, ScoredPosition

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
    hard: Estimate
    """The same, in those where a search to eight plies does not find the only column that keeps it."""
    score: Estimate
    """Share of moves that keep the exact score: the fastest win, the slowest loss."""
    blunders: Estimate
    """Own moves that give the outcome away, in a game that lasts from ply 4 to the last ply."""
    regret: dict[str, Estimate]
    """Points given away per move by phase, where a win is worth 1 and a draw 0.5."""
    seconds: float
    """Median time of a move."""

    def as_json(self) -> dict[str, Any]:
        """Return everything as one JSON object, of an estimate its value and interval."""
        hidden = {"size", "sample", "error", "is_share"}
        return asdict(self, dict_factory=lambda parts: {name: part for name, part in parts if name not in hidden})


def accuracy(agent: str, positions: Sequence[ScoredPosition], answers: Sequence[Answer]) -> Accuracy:
    """Return the results of an agent's answers to all positions, which are in the same order."""
    chosen = [answer.column for answer in answers]
    after = np.array([position.after(column) for position, column in zip(positions, chosen, strict=True)])
    best, ply = np.array([(position.best, position.ply) for position in positions]).T
    decisive, hard = np.array([(is_decisive(position), is_hard(position)) for position in positions]).T
    lost = (np.sign(best) - np.sign(after)) / 2
    everywhere = ply >= 0

    def mean(points: NDArray[Any], where: NDArray[np.bool_]) -> Estimate:
        # Half a point counts as half a success in Wilson's interval, which is then too wide.
        return share(float(points[where].sum()), int(where.sum()))

    def per_game(share_kept: float) -> float:
        """All plies have equal shares in the set, so that the mean over positions is the mean over plies."""
        return PLIES / 2 * (1 - share_kept)

    outcome = mean(lost == 0, everywhere)
    return Accuracy(
        agent,
        len(positions),
        chosen.count(None),
        outcome,
        mean(lost == 0, decisive),
        mean(lost == 0, hard),
        mean(after == best, everywhere),
        Estimate(per_game(outcome.value), per_game(outcome.high), per_game(outcome.low), outcome.size),
        {phase: mean(lost, (first <= ply) & (ply <= last)) for phase, (first, last) in PHASES.items()},
        median(answer.seconds for answer in answers),
    )
