"""What an agent's answers are worth: accuracy, regret and blunders, each with its 95 % interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from bot.engine.score import sign
from bot.lab.arena.statistics import wilson
from bot.lab.judge.answers import Answer
from bot.lab.judge.positions import PLIES, Judged

PHASES = {"opening": (4, 11), "middle": (12, 23), "end": (24, 39)}
"""First and last ply of each phase of a game."""
Answered = Sequence[tuple[Judged, Answer]]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Verdict:
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
        """Return everything as one JSON object."""
        return asdict(self)


def value_after(position: Judged, answer: Answer) -> int:
    """Return the exact score after the answer; the worst one where the agent failed."""
    score = None if answer.column is None else position.scores[answer.column]
    return position.worst if score is None else score


def points_lost(position: Judged, answer: Answer) -> float:
    """Return the points given away: 1 for a win turned into a loss, 0.5 for one turned into a draw."""
    return (sign(position.best) - sign(value_after(position, answer))) / 2


def keeps_outcome(position: Judged, answer: Answer) -> bool:
    """Return whether the outcome after the answer is that of the position."""
    return points_lost(position, answer) == 0


def keeps_score(position: Judged, answer: Answer) -> bool:
    """Return whether the score after the answer is that of the position."""
    return value_after(position, answer) == position.best


def verdict(agent: str, positions: Sequence[Judged], answers: Sequence[Answer]) -> Verdict:
    """Return the results of an agent's answers to all positions, which are in the same order."""
    answered = list(zip(positions, answers, strict=True))
    decisive = [pair for pair in answered if pair[0].is_decisive]
    outcome = _share(answered, keeps_outcome)
    # All plies have equal shares in the set, so that the mean over positions is the mean over plies.
    own_moves = PLIES / 2
    return Verdict(
        agent,
        len(answered),
        sum(answer.column is None for answer in answers),
        outcome,
        _share(decisive, keeps_outcome),
        _share(answered, keeps_score),
        Estimate(*(own_moves * (1 - share) for share in (outcome.value, outcome.high, outcome.low))),
        {phase: _mean_loss(within(answered, *plies)) for phase, plies in PHASES.items()},
        {ply: 1 - _share(within(answered, ply, ply), keeps_outcome).value for ply in _plies(positions)},
        median(answer.seconds for answer in answers),
    )


def within(answered: Answered, first: int, last: int) -> list[tuple[Judged, Answer]]:
    """Return the answers at these plies."""
    return [pair for pair in answered if first <= pair[0].ply <= last]


def _plies(positions: Sequence[Judged]) -> list[int]:
    return sorted({position.ply for position in positions})


def _share(answered: Answered, holds: Callable[[Judged, Answer], bool]) -> Estimate:
    count = sum(holds(*pair) for pair in answered)
    return Estimate(count / max(1, len(answered)), *wilson(count, len(answered)))


def _mean_loss(answered: Answered) -> Estimate:
    """Return the mean loss; half a point counts as half a success in Wilson's interval, which is then too wide."""
    lost = sum(points_lost(*pair) for pair in answered)
    return Estimate(lost / max(1, len(answered)), *wilson(lost, len(answered)))
