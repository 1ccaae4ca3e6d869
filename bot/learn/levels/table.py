"""The ten levels: what a player of each level sees, and how far it looks ahead."""

from __future__ import annotations

from dataclasses import dataclass

from bot.errors import UsageError

WEIGHTS = (0, 1, 6, 24)
"""Value of an open line with no, one, two and three discs."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level. The settings are fitted so that each level scores 60 % to 80 % against the next lower one."""

    number: int
    """1 (the weakest) to 10."""
    name: str
    about: str
    """What the player does and what it misses, in one sentence."""
    overlook: float = 0.0
    """Probability of overlooking an ordinary line in one move; `player.py` varies it from line to line."""
    depth: int = 1
    """Plies of look-ahead."""
    blur: float = 0.0
    """Standard deviation of the error of judgement, in units of `WEIGHTS`."""
    zugzwang: int = 0
    """Weight of a threat on a row of the right parity; 0: the player knows nothing of zugzwang."""
    insight: float = 0.0
    """Probability of seeing through a position completely, as book and solver do."""


LEVELS = (
    Level(1, "Beginner", "looks at its own move only, and overlooks most lines elsewhere on the board", 0.45, 1, 10),
    Level(2, "Novice", "sees the opponent's next move, and misses many diagonals", 0.34, 2, 10),
    Level(3, "Learner", "blocks most threats near the newest discs, and misses those at a distance", 0.22, 2, 7),
    Level(4, "Casual", "looks two moves ahead, and misses some diagonals", 0.11, 4, 6),
    Level(5, "Hobbyist", "looks two moves ahead, and seldom overlooks a line", 0.06, 4, 4.5),
    Level(6, "Club player", "looks three moves ahead, and begins to count odd and even threats", 0.035, 6, 4, 6),
    Level(7, "Strong", "looks four moves ahead, and plans by zugzwang", 0.014, 8, 2, 16),
    Level(8, "Expert", "sees through every second position, and plans by zugzwang", 0.008, 8, 2, 16, 0.5),
    Level(9, "Master", "sees through nearly every position", 0.004, 8, 2, 16, 0.87),
    Level(10, "Perfect", "never gives a win or a draw away", insight=1.0),
)
DEFAULT_LEVEL = 2
"""The level that is offered first: one that a newcomer can beat."""


def level_of(number: int) -> Level:
    """Return a level by its number; raise UsageError where there is none."""
    if not 1 <= number <= len(LEVELS):
        raise UsageError(f"There is no level {number}.", f"The levels are 1 to {len(LEVELS)}: `bot challenge --list`.")
    return LEVELS[number - 1]
