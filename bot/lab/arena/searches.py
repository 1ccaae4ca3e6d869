"""A task of its own: one textbook search in one position, to a fixed depth (`bot.agents.algorithms.catalogue`)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import lru_cache

from bot.agents.algorithms.catalogue import Searched, search
from bot.engine.agent import StopFlag
from bot.game import Board
from bot.lab.arena.tasks import Labels, TaskResult


@dataclass(frozen=True)
class PlannedSearch:
    """A search by one algorithm: its value, column, leaves, nodes, passes and seconds."""

    algorithm: str
    position: str
    """Columns 0 to 6 from the empty board."""
    depth: int
    """In plies."""
    labels: Labels = field(default_factory=dict)

    def agent_names(self) -> list[str]:
        """Return none: the algorithms' own modules decide."""
        return []

    def perform(self, _seed: str, _stop: StopFlag) -> TaskResult:
        """Search once."""
        return asdict(searched(self.algorithm, self.position, self.depth))


@lru_cache(maxsize=1024)
def searched(algorithm: str, position: str, depth: int) -> Searched:
    """Return a search whose first guess, where it needs one, is the value two plies before.

    Values of even and odd depths differ, so the depth before would be a bad guess.
    """
    guess = 0
    if depth > 2:
        guess = searched("alpha-beta + table", position, depth - 2).value
    return search(algorithm, Board.from_moves(map(int, position)), depth, guess)
